import type { Codec } from '../model/codec.ts';
import type { Message, Part, Role } from '../model/part.ts';
import { textPart } from '../model/part.ts';
import { TEXTS } from '../model/synthetic.ts';
import { isBlank, isRecord, readableJson, withKeys } from '../model/value.ts';
import { callsBeside, callsKey, readBeside, weighed } from './calls-beside.ts';
import { keysElsewhere, THOUGHT_KEYS } from './elsewhere.ts';
import { isOldThought } from './ai-sdk-ui/legacy.ts';
import { adoptPiece, isPairOrThought, isSealedOff, isWholePair } from './foreign-piece.ts';
import { readableText, roleNamed, unreadOf } from './salvage.ts';

type Wire = Record<string, unknown>;

/** Dialects whose messages have a list of parts where others have a content. */
const IN_PARTS: ReadonlySet<string> = new Set(['gemini', 'ai-sdk-ui', 'pydantic-ai']);
/** Dialects whose pieces say by a key what they are, so that one that says its type comes from elsewhere. */
const TYPELESS: ReadonlySet<string> = new Set(['gemini', 'bedrock-converse', 'pydantic-ai']);

/** The same codec, which also reads messages in the form of every other one when it is asked for what can be read. */
export function withForeign(codec: Codec): Codec {
  return { ...codec, salvage: (wire, index) => restore(codec, wire, index) };
}

function restore(codec: Codec, wire: unknown, index: number): Message | undefined {
  if (!isRecord(wire)) return codec.salvage(wire, index);
  const found = inLowerCase(codec, wire, index) ?? readForeign(codec, wire, { index, strict: true });
  if (found !== undefined) return found.parts.length === 0 ? undefined : counted(codec, asPairs(codec, found), wire);
  const salvaged = codec.salvage(wire, index);
  const own = salvaged?.role === 'unreadable' ? undefined : salvaged;
  if (own?.parts.some(speaks) === true) return own;
  const other = readForeign(codec, wire, { index, strict: false }) ?? readAside(codec, wire, index);
  return other === undefined || other.parts.length === 0 ? own : counted(codec, other, wire);
}

/** Where a call and its result are one part, a result that came by itself is told by the user. */
function asPairs({ wholePairs }: Codec, found: Message): Message {
  if (wholePairs !== true) return found;
  const parts = found.parts.map((part, i) => {
    const before = found.parts[i - 1];
    const alone = part.kind === 'result' && !(before?.kind === 'call' && before.callId === part.callId);
    return alone ? textPart(`${TEXTS.orphan} ${part.text}`, part.characters, part.at) : part;
  });
  return { ...found, role: found.role === 'tool' ? 'user' : found.role, parts };
}

function speaks(part: Part): boolean {
  return part.kind !== 'text' || !isBlank(part.text);
}

/** What is made of a message carries all that was counted before. */
function counted(codec: Codec, found: Message, wire: Wire): Message {
  const total = codec.read(wire, found.at).parts.reduce((sum, part) => sum + part.characters, 0);
  return { ...found, parts: weighed(found.parts, total) };
}

const NAMING = ['role', 'type', 'kind'] as const;

/** A message whose role is only written in other letters keeps everything else as it is. */
function inLowerCase(codec: Codec, wire: Wire, index: number): Message | undefined {
  const key = NAMING.find((each) => typeof wire[each] === 'string');
  const name = key === undefined ? undefined : (wire[key] as string);
  if (key === undefined || name === undefined || name === name.toLowerCase()) return undefined;
  if (roleNamed(name) === undefined) return undefined;
  const plain = withKeys(wire, { [key]: name.toLowerCase() });
  const own = codec.read(plain, index);
  return own.role === 'unreadable' ? restore(codec, plain, index) : own;
}

type Spoken = { readonly role: Role; readonly entry: Wire; readonly read: readonly string[] };

type Asked = {
  readonly index: number;
  /** Only what the dialect itself reads worse, because some of it is in a form that another dialect has. */
  readonly strict: boolean;
};

function readForeign(codec: Codec, wire: Wire, { index, strict }: Asked): Message | undefined {
  if (isItem(wire, codec)) return readItem(wire, index);
  const spoken = speakerOf(wire);
  if (spoken === undefined) return undefined;
  const { entry, role } = spoken;
  const key = ['content', 'parts', 'text', 'message'].find((each) => saysSomething(entry[each]));
  if (key === undefined) return undefined;
  const { parts, foreign, sealedOff } = readPieces(codec, entry[key], { role, index });
  if (strict && !foreign && entry === wire) return undefined;
  if (role === 'tool' && !parts.some(({ kind }) => kind === 'result')) return undefined;
  const beside = role === 'assistant' ? readBeside(callsBeside(entry)) : [];
  const more = role === 'tool' ? ['tool_call_id', 'name', 'status'] : beside.length > 0 ? [callsKey(entry)] : [];
  const read = new Set(['role', 'kind', 'type', key, ...more, ...spoken.read]);
  const all = withIdOf(entry, [...parts, ...beside]);
  const gone = { ...unreadOf(entry, read), ...(sealedOff && { sealedOff }) };
  return { role: roleOf(role, codec), parts: all, at: index, ...gone };
}

/** A lone result that names no call has the id that its message names. */
function withIdOf(entry: Wire, parts: readonly Part[]): readonly Part[] {
  const [only] = parts;
  const { tool_call_id: id } = entry;
  if (parts.length !== 1 || only?.kind !== 'result' || only.callId !== '' || typeof id !== 'string') return parts;
  return [{ ...only, callId: id }];
}

/** A message of results says so by its parts; where results are the user's, so is the message. */
function roleOf(role: Role, { results }: Codec): Role {
  return role === 'tool' ? results : role;
}

function saysSomething(value: unknown): boolean {
  if (typeof value === 'string') return !isBlank(value);
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** Dialects whose lists have such entries themselves; they know those of one another, but for this one. */
const ITEMISED: ReadonlySet<string> = new Set(['openai-responses', 'openai-agents']);
const OF_THE_OTHER = 'function_call_result';

/** True for a call, a result or a thought that is an entry of the list by itself. */
function isItem(wire: Wire, { dialect }: Codec): boolean {
  const { type, role } = wire;
  if (typeof type !== 'string' || role !== undefined || !isPairOrThought(wire)) return false;
  if (!ITEMISED.has(dialect)) return true;
  return type === OF_THE_OTHER || (type !== 'reasoning' && !type.startsWith('function_call'));
}

/** The keys of such an entry that something is made of, and those that say where it belongs. */
const ITEM_KEYS: ReadonlySet<string> = new Set(
  (
    'type id call_id callId tool_call_id toolCallId tool_use_id name tool_name toolName input args arguments output ' +
    'content response result status state is_error isError outcome errorText thinking reasoning text summary signature'
  ).split(' '),
);

function readItem(wire: Wire, index: number): Message | undefined {
  const parts = adoptPiece(wire, { message: index, part: 0 }) ?? [];
  const role = parts.some((part) => part.kind === 'result') ? 'tool' : 'assistant';
  return parts.length === 0 ? undefined : { role, parts, at: index, ...unreadOf(wire, ITEM_KEYS) };
}

/** Who speaks, and the object that says so: some formats wrap their messages. */
function speakerOf(wire: Wire): Spoken | undefined {
  const { message, kwargs, data } = wire;
  const said = ['content', 'parts', 'text'].some((key) => saysSomething(wire[key]));
  const inner = said ? undefined : [message, kwargs, data].find(isMessageLike);
  const name = [wire['role'], wire['kind'], wire['type'], wire['author']].find((each) => roleNamed(each) !== undefined);
  const role = roleNamed(name) ?? roleNamed(inner?.['role'] ?? inner?.['type']);
  if (role === undefined) return undefined;
  return { role, entry: inner ?? wire, read: inner === undefined ? [] : ['message', 'kwargs', 'data'] };
}

function isMessageLike(value: unknown): value is Wire {
  return isRecord(value) && ['content', 'parts', 'text'].some((key) => saysSomething(value[key]));
}

type Voice = { readonly role: Role; readonly index: number };
type Pieces = { readonly parts: readonly Part[]; readonly foreign: boolean; readonly sealedOff: boolean };

/** Each piece as the dialect reads it, or as what it is in another. */
function readPieces(codec: Codec, content: unknown, { role, index }: Voice): Pieces {
  const list: readonly unknown[] = Array.isArray(content) ? (content as unknown[]) : [content];
  let [foreign, sealedOff] = [false, false];
  const parts = list.flatMap((piece, part): readonly Part[] => {
    const at = { message: index, part };
    if (typeof piece === 'string') return isBlank(piece) ? [] : [textPart(piece, 0, at)];
    const own = readOwn(codec, piece, { role, index });
    const known = own.length > 0 && own.every(({ kind }) => kind !== 'opaque') && !isTyped(codec, piece);
    const adopted = known || isOwnForm(codec, piece) ? undefined : adoptPiece(piece, at);
    if (adopted === undefined || (adopted.length === 0 && saysType(codec, piece))) return own;
    foreign = true;
    sealedOff ||= adopted.length === 0 && isSealedOff(piece);
    // Who cannot call only shows what a call looks like.
    const shown = role !== 'assistant' && adopted.some(({ kind }) => kind === 'call');
    return shown ? [textPart(readableJson(piece), 0, at)] : adopted;
  });
  return { parts, foreign, sealedOff };
}

/** A call and its result in one part, or reasoning of an earlier version: only their own dialect can put them right. */
function isOwnForm(codec: Codec, piece: unknown): boolean {
  return saysType(codec, piece) && !isTyped(codec, piece) && (isWholePair(piece) || isOldThought(piece));
}

/** True for a part in the form of the dialect where calls and results are one part; those all say their type. */
function saysType({ wholePairs }: Codec, piece: unknown): boolean {
  return wholePairs === true && isRecord(piece) && typeof piece['type'] === 'string';
}

function isTyped({ dialect, wholePairs }: Codec, piece: unknown): boolean {
  if (!isRecord(piece) || typeof piece['type'] !== 'string') return false;
  // A call or a result that names its tool beside its type is half of a pair.
  if (wholePairs === true) return piece['type'] !== 'dynamic-tool' && typeof piece['toolName'] === 'string';
  return TYPELESS.has(dialect);
}

/** A piece as the dialect reads it in a message that holds nothing else. */
function readOwn(codec: Codec, piece: unknown, { role, index }: Voice): readonly Part[] {
  const alone: Part = { kind: 'opaque', wire: piece, at: { message: index }, characters: 0 };
  const read = codec.read(codec.write({ role: roleOf(role, codec), parts: [alone], at: index }), index);
  return read.role === 'unreadable' ? [alone] : read.parts;
}

/** Keys of an answer that hold what a model said instead of words. */
const SAID: ReadonlySet<string> = new Set(['refusal', 'text', 'message', 'content', 'parts']);

/** What a message says under keys that its dialect does not read, as text of whoever speaks. */
function readAside(codec: Codec, wire: Wire, index: number): Message | undefined {
  const role = roleNamed(wire['role'] ?? wire['kind'] ?? wire['type']);
  const keys = keysElsewhere(wire, IN_PARTS.has(codec.dialect) ? 'parts' : 'content');
  if (role === undefined || keys.length === 0) return undefined;
  const at = { message: index };
  const parts = keys.flatMap((key) => asideTexts(key, wire[key])).map((text) => textPart(text, 0, at));
  return counted(codec, { role: role === 'tool' ? 'user' : role, parts, at: index }, wire);
}

/** Where formats keep what they have no key for. */
const WRAPPED: ReadonlySet<string> = new Set(['additional_kwargs', 'kwargs', 'data']);

function asideTexts(key: string, value: unknown): readonly string[] {
  if (WRAPPED.has(key) && isRecord(value)) {
    return keysElsewhere(value, '').flatMap((inner) => asideTexts(inner, value[inner]));
  }
  if (SAID.has(key)) return [readableText(value)];
  if (THOUGHT_KEYS.has(key)) return [`${TEXTS.thought}\n${readableText(value)}`];
  return [`${TEXTS.unreadable} ${readableJson({ [key]: value })}`];
}
