import type { Abilities } from '../../model/conversion.ts';
import { piecesOf, pieceText, resultText } from './pieces.ts';
import { keepsDigits } from '../../model/digits.ts';
import type { Lose, Where } from '../../model/loss.ts';
import type {
  CallPart,
  Message,
  Outcome,
  Part,
  Piece,
  ReasoningPart,
  ResultPart,
  Seal,
  TextPart,
} from '../../model/part.ts';
import { isPlaceholder, TEXTS } from '../../model/synthetic.ts';
import { isBlank, isRecord, mend, readableJson } from '../../model/value.ts';

export const ONLY_OK: ReadonlySet<Outcome> = new Set(['ok', 'unknown']);
export const OK_OR_ERROR: ReadonlySet<Outcome> = new Set(['ok', 'unknown', 'error']);

/** Stands for a provider that is not named. */
export const A_PROVIDER = 'a provider';

const NO_PLACE = 'the target has no place for it';
const FOREIGN = 'it is valid only at the provider that made it';

/** A message in which everything can be said in the target; what cannot be is noted and replaced or left out. */
export function adapt(message: Message, can: Abilities, lose: Lose): Message {
  const { name, developer, ...plain } = message;
  const spot = { at: { message: message.at }, path: message.path };
  const keepsName = name !== undefined && can.names === true;
  if (name !== undefined && !keepsName)
    lose(inRole(spot, 'name'), { kind: 'key', what: `name: ${name}`, why: NO_PLACE });
  if (developer === true && can.developers !== true) {
    const why = 'the target does not tell it from the system';
    lose(inRole(spot, 'role'), { kind: 'system', what: 'the role of a developer', became: 'other', why });
  }
  return {
    ...plain,
    parts: message.parts.flatMap((part) => adaptPart(part, can, lose)),
    ...(keepsName ? { name } : {}),
    ...(developer === true && can.developers === true ? { developer } : {}),
  };
}

function inRole({ at, path = '' }: Where, key: string): Where {
  return { at, path: `${path}/${key}` };
}

function adaptPart(part: Part, can: Abilities, lose: Lose): readonly Part[] {
  switch (part.kind) {
    case 'text':
      return [adaptText(part, can, lose)];
    case 'reasoning':
      return adaptReasoning(part, can, lose);
    case 'call':
      return [adaptCall(part, can, lose)];
    case 'result':
      return [adaptResult(part, can, lose)];
    case 'opaque': {
      const { text, what = part.kind } = part;
      const became = text === undefined || isBlank(text) ? 'nothing' : 'text';
      lose(part, { kind: 'part', what, became, why: 'only its own dialect has it' });
      return became === 'text' ? [asText(part, text ?? '')] : [];
    }
    case 'media':
      return [part];
  }
}

function asText({ at, path }: Part, text: string): TextPart {
  return { kind: 'text', text, characters: 0, ...(at && { at }), ...(path !== undefined && { path }) };
}

function loseSeal(part: Part, { maker, path = part.path }: Seal, lose: Lose): void {
  lose({ at: part.at, path }, { kind: 'reasoning', what: `signature of ${maker}`, why: FOREIGN });
}

function adaptText(part: TextPart, can: Abilities, lose: Lose): TextPart {
  const { refusal, seal, cache, item, itemPath = part.path, ...plain } = part;
  const keeps = seal !== undefined && can.seals(seal, part.kind);
  if (seal !== undefined && !keeps) loseSeal(part, seal, lose);
  if (cache !== undefined && can.caches !== true) {
    lose({ at: part.at, path: cache.path }, { kind: 'key', what: 'a cache marker', why: NO_PLACE });
  }
  if (item !== undefined && can.items !== true) {
    lose({ at: part.at, path: itemPath }, { kind: 'id', what: `the item ${item}`, why: FOREIGN });
  }
  if (refusal === true && can.refusals !== true) {
    lose(part, { kind: 'part', what: 'that it is a refusal', became: 'text', why: NO_PLACE });
  }
  return {
    ...plain,
    ...(keeps ? { seal } : {}),
    ...(item !== undefined && can.items === true ? { item } : {}),
    ...(cache !== undefined && can.caches === true ? { cache } : {}),
    ...(refusal === true && can.refusals === true ? { refusal } : {}),
  };
}

function adaptReasoning(part: ReasoningPart, can: Abilities, lose: Lose): readonly Part[] {
  const { seal, ...plain } = part;
  if (seal === undefined ? can.thoughts : can.seals(seal, 'reasoning')) return [part];
  const what = seal === undefined ? 'reasoning without a signature' : `reasoning sealed by ${seal.maker}`;
  const why = seal === undefined ? 'the target takes only reasoning that it has signed itself' : FOREIGN;
  if (isBlank(part.text)) {
    lose(part, { kind: 'reasoning', what, why: `${why}, and there is nothing to read in it` });
    return [];
  }
  lose(part, { kind: 'reasoning', what, became: can.thoughts ? 'other' : 'text', why });
  return can.thoughts ? [plain] : [asText(part, `${TEXTS.thought}\n${part.text}`)];
}

function adaptCall(part: CallPart, can: Abilities, lose: Lose): Part {
  const { seal, item, free, ...plain } = part;
  const { server, runner = A_PROVIDER } = part;
  if (server && !can.server(runner)) {
    lose(part, { kind: 'call', what: `${part.tool}, run by ${runner}`, became: 'text', why: FOREIGN });
    return asText(part, `[${part.tool} ${readableJson(part.input ?? {})}]`);
  }
  if (server) loseRunner(part, can, lose);
  const keeps = seal !== undefined && can.seals(seal, part.kind);
  if (seal !== undefined && !keeps) loseSeal(part, seal, lose);
  if (item !== undefined && can.items !== true) lose(part, { kind: 'id', what: `the item ${item}`, why: FOREIGN });
  if (free === true && can.free !== true) {
    lose(part, { kind: 'call', what: 'input that is free text', became: 'other', why: 'calls take JSON there' });
    return { ...plain, input: { input: part.input }, ...(keeps ? { seal } : {}) };
  }
  return {
    ...plain,
    ...(keeps ? { seal } : {}),
    ...(item !== undefined && can.items === true ? { item } : {}),
    ...(free === true ? { free } : {}),
  };
}

/** Some formats say that a provider ran a tool, and not which. */
function loseRunner(part: CallPart | ResultPart, can: Abilities, lose: Lose): void {
  if (can.serverNames === true || part.runner === undefined || part.runner === A_PROVIDER) return;
  lose(part, { kind: 'call', what: `that ${part.runner} ran it`, became: 'other', why: NO_PLACE });
}

function adaptResult(part: ResultPart, can: Abilities, lose: Lose): Part {
  const { server, runner = A_PROVIDER, outcome } = part;
  const pieces = piecesOf(part);
  if (server && !can.server(runner)) {
    const tool = part.tool ?? 'tool';
    lose(part, { kind: 'result', what: `of ${tool}, run by ${runner}`, became: 'text', why: FOREIGN });
    return asText(part, `[${tool} result] ${pieces.map(openText).join('\n')}`);
  }
  if (server) loseRunner(part, can, lose);
  // What nothing is known of is said to have ended well, as it is wherever there is no word for it.
  if (can.outcomes.has(outcome)) return outcome === 'unknown' ? { ...part, outcome: 'ok' } : part;
  const became = can.outcomes.has('error') ? 'other' : 'nothing';
  // What stands in for a result is known by its text, whatever else it can say.
  if (!isPlaceholder(resultText(pieces)))
    lose(part, { kind: 'outcome', what: `that it ended as ${outcome}`, became, why: NO_PLACE });
  return { ...part, outcome: became === 'other' ? 'error' : 'ok' };
}

/** What can be read of a piece: encrypted content is of no use to anyone but its maker. */
function openText(piece: Piece): string {
  if (piece.kind !== 'json') return pieceText(piece);
  return JSON.stringify(mend(piece.value), (key, value: unknown) => (key.startsWith('encrypted_') ? undefined : value));
}

/** Arguments as an object; a text that is no JSON object stays what it is, for the contract to find. */
function asObject(input: unknown): unknown {
  if (input === undefined || input === null) return {};
  if (typeof input !== 'string') return input;
  if (isBlank(input)) return {};
  const parsed = parseJson(input);
  return isRecord(parsed) ? parsed : input;
}

/** The arguments of a call as an object. */
export function objectInput(part: CallPart, lose: Lose): unknown {
  if (losesDigits(part.input)) {
    const why = 'a number that long does not survive being read';
    lose(part, { kind: 'call', what: 'digits of a number', became: 'other', why });
  }
  return asObject(part.input);
}

/** Arguments that no object could be read from, and that a contract has put into one, as the text that they were. */
function unwrapped(input: unknown): unknown {
  const text = isRecord(input) && Object.keys(input).length === 1 ? input['INVALID_JSON'] : undefined;
  return typeof text === 'string' && !isRecord(parseJson(text)) ? text : input;
}

/** Arguments as the text of JSON. */
export function asJsonText(given: unknown): string {
  const input = unwrapped(given);
  return typeof input === 'string' ? input : readableJson(input ?? {});
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** True for numbers in a text of JSON that no number of the language can hold. */
function losesDigits(input: unknown): boolean {
  return typeof input === 'string' && parseJson(input) !== undefined && !keepsDigits(input);
}

/** A text of nothing but white space is refused by some; an empty one is not even missed. */
export function loseBlank(part: TextPart, lose: Lose): readonly [] {
  if (part.text !== '')
    lose(part, { kind: 'part', what: 'a blank text', why: 'the target takes no text without a word' });
  return [];
}
