import type { CallPart, Message, Part, Piece, ResultPart, Role, Seal, TextPart } from '../../model/part.ts';
import { isRecord, withKeys } from '../../model/value.ts';
import { A_PROVIDER } from '../conversion/adapt.ts';
import { maybe, timeOf } from '../conversion/keys.ts';
import { pieceText } from '../conversion/pieces.ts';
import { divideLegacy, legacyKey, withLegacyId } from '../legacy-calls.ts';
import { prunedRawContent } from '../raw-content.ts';
import { kindOf, legacyName, type Wire } from './shape.ts';

/** Writes a message; parts that were not edited go out as they came. */
export function write(message: Message): unknown {
  const { role, wire, path } = message;
  if (role === 'unreadable') return wire;
  const { parts, entries } = divideLegacy(message, writeEntry);
  const written = parts.map((part) => writePart(part, role));
  return withKeys(wire, {
    kind: role === 'assistant' ? 'response' : 'request',
    parts: path === undefined ? written : grouped(written),
    ...(entries === undefined || !isRecord(wire) ? {} : { [legacyKey(wire)]: entries }),
    ...prunedRawContent(message),
  });
}

/** What the user of another dialect says and shows in one go is one prompt. */
function grouped(parts: readonly unknown[]): readonly unknown[] {
  const prompts: unknown[] = [];
  for (const part of parts) {
    const both = [prompts.at(-1), part];
    const contents = both.flatMap((each) => (isPrompt(each) ? [each['content']] : []));
    if (contents.length === 2 && contents.some((each) => Array.isArray(each))) {
      prompts[prompts.length - 1] = withKeys(both[0], { content: contents.flat() });
    } else prompts.push(part);
  }
  return prompts;
}

function isPrompt(part: unknown): part is Wire {
  return isRecord(part) && part['part_kind'] === 'user-prompt';
}

/** A part as it came, its fields over its wire if they were edited, or all of it if it was never in this form. */
export function writePart(part: Part, role: Role): unknown {
  // An entry of the older list has another shape than a part and is written anew when it becomes one.
  const isPart =
    part.wire !== undefined && (part.kind !== 'call' || (isRecord(part.wire) && kindOf(part.wire) !== undefined));
  if (isPart && part.edited !== true) return part.wire;
  switch (part.kind) {
    case 'text':
      return isPart ? withKeys(part.wire, { content: part.text }) : writeText(part, role);
    case 'reasoning':
      return isPart
        ? withKeys(part.wire, { content: part.text })
        : { part_kind: 'thinking', content: part.text, ...(part.seal && sealed(part.seal)) };
    case 'call':
      return isPart ? withKeys(part.wire, { ...names(part), args: part.input }) : writeCall(part);
    case 'result':
      return isPart ? withKeys(part.wire, names(part)) : writeResult(part);
    default:
      return part.wire;
  }
}

function writeText({ text, item, seal, cache }: TextPart, role: Role): Wire {
  if (role === 'assistant') return { part_kind: 'text', content: text, ...maybe('id', item), ...signed(seal) };
  if (role === 'system') return { part_kind: 'system-prompt', content: text };
  const marked = cache && [text, { kind: 'cache-point', ttl: '5m', ...timeOf(cache) }];
  return { part_kind: 'user-prompt', content: marked ?? text };
}

/** Providers under the names that the framework has for them. */
const PROVIDERS: Readonly<Record<string, string>> = { google: 'google-gla' };

function providerOf(maker: string | undefined): Wire {
  return maker === undefined || maker === A_PROVIDER ? {} : { provider_name: PROVIDERS[maker] ?? maker };
}

function sealed({ maker, form, value, id }: Seal): Wire {
  const named = form === 'redacted' ? 'redacted_thinking' : id;
  const signature = form === 'reference' ? {} : { signature: value };
  return { ...maybe('id', named), ...signature, ...providerOf(maker) };
}

/** The signature that one provider puts on texts and calls. */
function signed(seal: Seal | undefined): Wire {
  return seal === undefined ? {} : { ...providerOf(seal.maker), provider_details: { thought_signature: seal.value } };
}

function writeCall({ callId, tool, input, server, runner, item, seal }: CallPart): Wire {
  return {
    part_kind: server ? 'builtin-tool-call' : 'tool-call',
    tool_name: tool,
    args: input ?? null,
    tool_call_id: callId,
    ...maybe('id', item),
    ...signed(seal),
    ...providerOf(runner),
  };
}

const ENDS: Readonly<Record<string, string>> = { error: 'failed', denied: 'denied', interrupted: 'interrupted' };

function writeResult({ callId, tool, outcome, text, pieces, server, runner }: ResultPart): Wire {
  // What stands in for a result takes the word that every release has; not each has one for an interrupted call.
  const ended = pieces !== undefined ? ENDS[outcome] : outcome === 'ok' ? undefined : 'failed';
  return {
    part_kind: server ? 'builtin-tool-return' : 'tool-return',
    tool_name: tool ?? '',
    content: pieces === undefined ? text : writePieces(pieces),
    tool_call_id: callId,
    ...maybe('outcome', ended),
    ...providerOf(runner),
  };
}

function writePieces(pieces: readonly Piece[]): unknown {
  const values = pieces.flatMap((piece): readonly unknown[] => {
    if (piece.kind === 'json') return [piece.value];
    if (piece.kind === 'text') return [pieceText(piece)];
    return piece.wire === undefined ? [] : [piece.wire];
  });
  return values.length > 1 ? values : (values[0] ?? '');
}

/** Id and name under the spelling the part came with. */
function names({ wire, callId, tool }: CallPart | ResultPart): Wire {
  const camel = isRecord(wire) && 'partKind' in wire;
  return camel ? { toolCallId: callId, toolName: tool } : { tool_call_id: callId, tool_name: tool };
}

function writeEntry(part: CallPart): unknown {
  const entry = withLegacyId(part.wire, part.callId);
  return legacyName(entry) === part.tool ? entry : withKeys(entry, { tool_name: part.tool });
}
