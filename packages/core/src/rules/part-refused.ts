import { dropPart, replacePart, type Proposal } from '../model/edit.ts';
import { textPart, type MediaPart, type Message, type Part, type ResultPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inspect, newTally, readableJson, withKeys } from '../model/value.ts';
import { partOf, placeOf, wireOf, spokenOf } from './remedies/place.ts';
import { reasoningAsText } from './remedies/quote.ts';
import { unsupportedKey } from './extra-key.ts';

/** A provider refuses media outside of user messages, and in an answer all but text or one refusal. */
export const partRefused: Rule = {
  id: 'part-refused',
  title: 'a piece of content is not allowed in a message of this role',
  layer: 'message',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: {
    'openai-chat': ['oc-parts-min', 'ds-images', 'gq-strict'],
    'ai-sdk-model': ['ai-schema'],
    'mistral-chat': ['mi-chunks', 'mi-assistant'],
  },
  trigger: 'part-refused',
  summary:
    'A tool returned a picture, or the history comes from a provider that allows media everywhere. Media ' +
    'move to a user message: behind the results of the step, behind the message, or before it when it calls ' +
    'tools. Anything else that an answer may not hold becomes text, also what other APIs say beside the content.',
  explain: (found) => `content of type ${String(refusedType(found))} is not allowed in a message of this role`,
  providerError: {
    'mistral-chat': (found) => chunkRefusal(found),
    groq: (found) =>
      asideKey(partOf(found)) === undefined ? undefined : unsupportedKey(found, String(refusedType(found))),
    'openai-chat': (found) =>
      asideKey(partOf(found)) === undefined ? pieceRefusal(found) : unsupportedKey(found, String(refusedType(found))),
    'ai-sdk-model': () => 'The messages do not match the ModelMessage[] schema.',
  },
  repair: (found) => {
    const part = partOf(found);
    if (part.kind === 'result') return moveFromResult(found, part);
    if (part.kind === 'reasoning') return demoteReasoning(found, part);
    return part.kind === 'media' ? moveMedia(found) : demote(found, part);
  },
};

function pieceRefusal(found: Case): string {
  const { fact } = found;
  const at = `messages[${String(fact.message)}]`;
  return `Invalid '${at}'. Content blocks are expected to be either text or image_url type.`;
}

/** The key under which a part stands beside the content of its message; a piece of content says its type instead. */
function asideKey(part: Part): string | undefined {
  const { type, key } = wireOf(part);
  return type === undefined && typeof key === 'string' ? key : undefined;
}

const MUTE = 'Assistant message must have either content or tool_calls, but not both.';

const CHUNKS: Readonly<Record<string, string>> = {
  thinking: 'ThinkChunk',
  image_url: 'ImageURLChunk',
  document_url: 'DocumentURLChunk',
  input_audio: 'AudioChunk',
  file: 'FileChunk',
};

function chunkRefusal(found: Case): string {
  if (asideKey(partOf(found)) !== undefined) return MUTE;
  const { role } = found.message(found.fact.message);
  return `Unexpected content chunk types in ${role} message: ['${String(CHUNKS[String(refusedType(found))])}']`;
}

function refusedType(found: Case): unknown {
  const part = partOf(found);
  if (part.kind !== 'result') return asideKey(part) ?? wireOf(part)['type'];
  return refusedPieces(found, part)[0]?.['type'];
}

/** The codec names the refused pieces of a result by their positions. */
function refusedPieces(found: Case, result: ResultPart): Readonly<Record<string, unknown>>[] {
  return piecesOf(result).filter((_, index) => found.fact.detail?.includes(String(index)) === true);
}

function piecesOf(result: ResultPart): Readonly<Record<string, unknown>>[] {
  return wireOf(result)['content'] as Readonly<Record<string, unknown>>[];
}

function moveFromResult(found: Case, result: ResultPart): Proposal {
  const { message } = found.fact;
  const refused = refusedPieces(found, result);
  const media = refused.map((wire): MediaPart => ({ kind: 'media', wire, characters: charactersOf(wire) }));
  const kept = piecesOf(result).filter((piece) => !refused.includes(piece));
  const moved = media.reduce((total, part) => total + part.characters, 0);
  const rest: ResultPart = {
    ...result,
    wire: withKeys(result.wire, { content: kept.length === 0 ? '' : kept }),
    characters: result.characters - moved,
  };
  const source = found.message(message);
  const shown: Message = { role: 'user', parts: [textPart(TEXTS.orphan, 0), ...media], at: source.at };
  return {
    edits: [{ kind: 'message', message, messages: [{ ...source, parts: [rest] }, shown] }],
    action: 'relocate',
    loss: 'synthetic',
    note: `moved media out of ${spokenOf('result', result.callId)} into a user message behind the results`,
  };
}

/** All media of the message move together, so that they stay side by side. */
function moveMedia(found: Case): Proposal {
  const { message } = found.fact;
  const source = found.message(message);
  const media = source.parts.filter((part) => part.kind === 'media');
  const rest: Message = { ...source, parts: source.parts.filter((part) => part.kind !== 'media') };
  const shown: Message = { role: 'user', parts: media, at: source.at };
  const calling = rest.parts.some((part) => part.kind === 'call');
  return {
    edits: [{ kind: 'message', message, messages: calling ? [shown, rest] : [rest, shown] }],
    action: 'relocate',
    loss: 'none',
    note: `moved media out of a message of the role ${source.role} into a user message beside it`,
  };
}

function demoteReasoning(found: Case, part: Part): Proposal {
  // The provider gave it whole, unless it says that the thought was left open.
  const text = reasoningAsText(part, wireOf(part)['closed'] === false ? TEXTS.reasoning : TEXTS.thought);
  return {
    edits: [text === undefined ? dropPart(placeOf(found)) : replacePart(placeOf(found), text)],
    action: text === undefined ? 'drop' : 'demote',
    loss: text === undefined ? 'lossy' : 'none',
    note: 'kept reasoning as text, where there was anything to read in it',
  };
}

function demote(found: Case, part: Part): Proposal {
  const wire = wireOf(part);
  const key = asideKey(part);
  const said = key === undefined ? (wire['refusal'] ?? wire['text']) : wire['value'];
  const json = key === undefined ? readableJson(wire) : `[${key}] ${readableJson(said)}`;
  const text = typeof said === 'string' ? said : json;
  return {
    edits: [replacePart(placeOf(found), textPart(text, part.characters, part.at))],
    action: 'demote',
    loss: 'none',
    note: `content of type ${String(key ?? wire['type'])} became text`,
  };
}

function charactersOf(value: unknown): number {
  const tally = newTally();
  inspect(value, tally);
  return tally.characters;
}
