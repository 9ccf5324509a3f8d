import type { CallPart, Outcome, Part, Place, ResultPart, Role } from '../model/part.ts';
import { textPart } from '../model/part.ts';
import { TEXTS } from '../model/synthetic.ts';
import { charactersOf, isBlank, isRecord, readableJson } from '../model/value.ts';
import { readableText } from './salvage.ts';

type Wire = Record<string, unknown>;

/** What a piece in the form of another dialect is. */
type Meaning = 'text' | 'system' | 'reasoning' | 'call' | 'result' | 'retry' | 'pair' | 'mark';

const MEANINGS: ReadonlyMap<unknown, Meaning> = new Map<unknown, Meaning>([
  ['text', 'text'],
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['user-prompt', 'text'],
  ['refusal', 'text'],
  ['system-prompt', 'system'],
  ['thinking', 'reasoning'],
  ['redacted_thinking', 'reasoning'],
  ['reasoning', 'reasoning'],
  ['tool_use', 'call'],
  ['tool-call', 'call'],
  ['tool_call', 'call'],
  ['function_call', 'call'],
  ['tool_result', 'result'],
  ['tool-result', 'result'],
  ['tool-return', 'result'],
  ['function_call_output', 'result'],
  ['function_call_result', 'result'],
  ['retry-prompt', 'retry'],
  ['dynamic-tool', 'pair'],
  ['step-start', 'mark'],
]);

/** Where pieces that have no type hold what they are. */
const MEMBERS = [
  ['functionCall', 'call'],
  ['function_call', 'call'],
  ['toolUse', 'call'],
  ['functionResponse', 'result'],
  ['function_response', 'result'],
  ['toolResult', 'result'],
  ['reasoningContent', 'reasoning'],
] as const;

/** Where pieces say what they are. */
const KIND_KEYS = ['type', 'part_kind', 'partKind'] as const;

function kindOf(piece: Wire): unknown {
  return first(piece, KIND_KEYS);
}

/** The keys under which a piece says what it is. */
export function kindKeys(piece: Readonly<Wire>): string[] {
  return KIND_KEYS.filter((key) => typeof piece[key] === 'string');
}

/** True for a piece that has such a key; asked of sound ones too, so it allocates nothing. */
export function hasKind(piece: Readonly<Wire>): boolean {
  for (const key of KIND_KEYS) if (typeof piece[key] === 'string') return true;
  return false;
}

/** True for a piece that says what it is as those of other dialects do, to one that knows a piece by its data. */
export function saysWhatItIs(piece: Readonly<Wire>): boolean {
  return hasKind(piece) || MEMBERS.some(([key]) => isRecord(piece[key]));
}

type Meant = { readonly meaning: Meaning; readonly inner: Wire };

function meantBy(piece: Wire): Meant | undefined {
  const kind = kindOf(piece);
  if (typeof kind === 'string') {
    const meaning = MEANINGS.get(kind) ?? (isToolOfInterface(piece, kind) ? 'pair' : undefined);
    return meaning === undefined ? undefined : { meaning, inner: piece };
  }
  const said = typeof piece['text'] === 'string';
  const held = MEMBERS.filter(([key]) => isRecord(piece[key]));
  const [only] = held;
  // One that holds two things at once has to be divided first.
  if (only !== undefined) {
    const [key, meaning] = only;
    return said || held.length > 1 ? undefined : { meaning, inner: piece[key] as Wire };
  }
  if (!said) return undefined;
  return { meaning: piece['thought'] === true ? 'reasoning' : 'text', inner: piece };
}

/** A call and its result in one part, named by its tool. */
function isToolOfInterface(piece: Wire, kind: string): boolean {
  if (!kind.startsWith('tool-') || typeof piece['toolCallId'] !== 'string') return false;
  return ['state', 'input', 'output', 'errorText'].some((key) => piece[key] !== undefined);
}

/** What is no part of a pair and no thought. */
const SPEECH: ReadonlySet<Meaning> = new Set<Meaning>(['text', 'system', 'mark']);

/** True for a call, a result or a thought in the form of any dialect. */
export function isPairOrThought(piece: unknown): boolean {
  const meaning = isRecord(piece) ? meantBy(piece)?.meaning : undefined;
  return meaning !== undefined && !SPEECH.has(meaning);
}

/** The same among the words of somebody: only an answer is known by its thoughts. */
export function isForeignIn(role: Role, piece: unknown): boolean {
  const meaning = isRecord(piece) ? meantBy(piece)?.meaning : undefined;
  return meaning !== undefined && !SPEECH.has(meaning) && (role === 'assistant' || meaning !== 'reasoning');
}

/** True for a result in the form of any dialect. */
export function isResultPiece(piece: unknown): boolean {
  const meaning = isRecord(piece) ? meantBy(piece)?.meaning : undefined;
  return meaning === 'result' || meaning === 'retry';
}

/** True for a call and its result in one part. */
export function isWholePair(piece: unknown): boolean {
  return isRecord(piece) && meantBy(piece)?.meaning === 'pair';
}

/** The parts that a piece in the form of another dialect stands for; undefined for one that nobody knows. */
export function adoptPiece(piece: unknown, at: Place): readonly Part[] | undefined {
  const meant = isRecord(piece) ? meantBy(piece) : undefined;
  if (meant === undefined) return undefined;
  const { meaning, inner } = meant;
  switch (meaning) {
    case 'text':
      return said('', saidIn(inner), at);
    case 'system':
      return said(`${TEXTS.system}\n`, saidIn(inner), at);
    case 'reasoning':
      return said(`${TEXTS.thought}\n`, thoughtIn(inner), at);
    case 'call':
      return [callIn(inner, at)];
    case 'result':
    case 'retry':
      return [resultIn(inner, meaning, at)];
    case 'pair':
      return pairIn(inner, at);
    case 'mark':
      return [];
  }
}

/** True for a thought of which nothing can be read, though it is there: another provider has sealed it. */
export function isSealedOff(piece: unknown): boolean {
  const meant = isRecord(piece) ? meantBy(piece) : undefined;
  if (meant?.meaning !== 'reasoning' || !isBlank(readableText(thoughtIn(meant.inner)))) return false;
  return Object.entries(meant.inner).some(([key, value]) => !NAMING.has(key) && charactersOf(value) > 0);
}

/** Keys of a thought that say what it is, and nothing of what was thought. */
const NAMING: ReadonlySet<string> = new Set([...KIND_KEYS, 'id', 'status', 'state']);

function said(mark: string, value: unknown, at: Place): readonly Part[] {
  const text = readableText(value);
  return isBlank(text) ? [] : [textPart(mark + text, charactersOf(value), at)];
}

function first(wire: Wire, keys: readonly string[]): unknown {
  const key = keys.find((each) => wire[each] !== undefined && wire[each] !== null);
  return key === undefined ? undefined : wire[key];
}

function saidIn(wire: Wire): unknown {
  return first(wire, ['text', 'content', 'refusal']);
}

function thoughtIn(wire: Wire): unknown {
  const own = first(wire, ['thinking', 'reasoning', 'text', 'reasoningText', 'content', 'summary']);
  return isRecord(own) ? own['text'] : own;
}

const IDS = ['toolCallId', 'tool_call_id', 'tool_use_id', 'toolUseId', 'call_id', 'callId', 'id'] as const;
const NAMES = ['toolName', 'tool_name', 'name'] as const;

function textUnder(wire: Wire, keys: readonly string[]): string {
  const value = first(wire, keys);
  return typeof value === 'string' ? value : '';
}

function callIn(wire: Wire, at: Place): CallPart {
  const input = first(wire, ['input', 'args', 'arguments', 'rawInput']);
  const tool = textUnder(wire, NAMES);
  return {
    kind: 'call',
    callId: textUnder(wire, IDS),
    tool,
    input: input ?? {},
    server: false,
    at,
    characters: tool.length + charactersOf(input),
  };
}

function resultIn(wire: Wire, meaning: Meaning, at: Place): ResultPart {
  const output = first(wire, ['output', 'content', 'response', 'result']);
  const tool = textUnder(wire, NAMES);
  return {
    kind: 'result',
    callId: textUnder(wire, IDS),
    ...(tool === '' ? {} : { tool }),
    outcome: meaning === 'retry' ? 'error' : outcomeOf(wire, output),
    text: outputText(output),
    server: false,
    at,
    characters: charactersOf(output),
  };
}

function outcomeOf(wire: Wire, output: unknown): Outcome {
  const { status, outcome } = wire;
  const failed = [status, outcome].some((word) => word === 'error' || word === 'failed');
  if (failed || wire['is_error'] === true || wire['isError'] === true) return 'error';
  const named = isRecord(output) ? output['type'] : undefined;
  if (typeof named === 'string' && named.startsWith('error')) return 'error';
  return isRecord(output) && Object.hasOwn(output, 'error') ? 'error' : 'ok';
}

/** Keys under which an output that holds nothing else has its text. */
const WORDS: ReadonlySet<string> = new Set(['text', 'value', 'result', 'output', 'error', 'type']);

function outputText(output: unknown): string {
  if (!isRecord(output)) return readableText(output);
  const keys = Object.keys(output);
  const key = keys.find((each) => each !== 'type');
  const only = key !== undefined && keys.every((each) => WORDS.has(each)) && keys.length <= 2 ? output[key] : undefined;
  return typeof only === 'string' ? only : readableJson(output);
}

function pairIn(wire: Wire, at: Place): readonly Part[] {
  const kind = String(kindOf(wire));
  const tool = kind === 'dynamic-tool' ? textUnder(wire, NAMES) : kind.slice('tool-'.length);
  const call = {
    ...callIn(wire, at),
    tool,
    characters: tool.length + charactersOf(first(wire, ['input', 'rawInput'])),
  };
  const failure = wire['errorText'] ?? undefined;
  const failed = failure !== undefined;
  if (!failed && first(wire, ['output', 'result']) === undefined) return [call];
  const result = { ...resultIn(wire, 'result', at), tool };
  if (!failed) return [call, result];
  return [call, { ...result, outcome: 'error', text: readableText(failure), characters: charactersOf(failure) }];
}
