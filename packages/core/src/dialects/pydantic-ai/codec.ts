import { isLegalId } from '../../model/call-id.ts';
import type { Codec, RequestFacts, Sink } from '../../model/codec.ts';
import { textPart, type Message, type Part, type PartKind, type Role } from '../../model/part.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { charactersOf, isRecord, withKeys } from '../../model/value.ts';
import { divideLegacy, legacyId, legacyKey, legacyList, legacyNumbers, repeats } from '../legacy-calls.ts';
import {
  hasNumberId,
  idOf,
  isNamelessRetry,
  isUnreadable,
  kindOf,
  legacyInput,
  legacyName,
  measure,
  nameOf,
  readLegacy,
  readPart,
  shapeOf,
  writeEntry,
  writePart,
  type Shape,
} from './part.ts';
import { isPairOrThought } from '../foreign-piece.ts';
import { holdsAside as holdsRaw, prunedRawContent } from '../raw-content.ts';
import { checkKeys, checkValue } from '../scan-value.ts';
import { withForeign } from '../restore.ts';
import { retellContent } from '../retell.ts';
import { readableText, salvageable, salvageMessage } from '../salvage.ts';

type Wire = Record<string, unknown>;

const NOTHING_DECLARED: RequestFacts = {
  tools: undefined,
  toolCount: 0,
  serverTools: new Set(),
  reasoningRequired: false,
  reasoningOn: false,
  markers: 0,
};
const PAIRED: ReadonlySet<Shape | undefined> = new Set(['return', 'retry', 'server-call', 'server-return'] as const);
const READ_KEYS: ReadonlySet<string> = new Set(['parts']);

/** Reads and writes the message list of pydantic-ai: its objects, or the dicts they are serialised to. */
export const pydanticAi: Codec = withForeign({
  dialect: 'pydantic-ai',
  listKey: 'messages',
  results: 'user',
  scan,
  request: () => NOTHING_DECLARED,
  read,
  write,
  retell: retellContent,
  salvage,
  holdsAside,
  pointer,
});

function roleOf(wire: Wire): 'user' | 'assistant' | undefined {
  const kind = wire['kind'];
  return kind === 'request' ? 'user' : kind === 'response' ? 'assistant' : undefined;
}

function scan(wire: unknown, sink: Sink): void {
  const role = isRecord(wire) ? roleOf(wire) : undefined;
  if (!isRecord(wire) || role === undefined) return scanUnreadable(wire, sink);
  sink.message(role);
  // What stands beside the parts is carried, so it must be fit to be sent as well.
  if (sink.deep) checkKeys(wire, READ_KEYS, sink);
  const parts = listOf(wire);
  if (parts === undefined) {
    sink.fact('content-unreadable');
    sink.total += contentCharacters(wire);
    return;
  }
  const entries = role === 'user' ? undefined : legacyList(wire);
  const numbers = entries === undefined || !sink.deep ? undefined : legacyNumbers(entries);
  for (let i = 0; i < parts.length; i += 1) {
    scanPart(parts[i], role, sink);
    if (numbers !== undefined && isNumbered(parts[i], numbers)) sink.fact('call-id-malformed');
  }
  if (entries !== undefined) scanLegacy(entries, parts, sink);
  else if (parts.length === 0 && role === 'assistant') scanEmpty(wire, sink);
}

/** True for a sound call that an entry of the older list repeats with a number for its id. */
function isNumbered(part: unknown, numbers: ReadonlySet<unknown>): boolean {
  return isRecord(part) && shapeOf(part, 'assistant') === 'call' && !hasNumberId(part) && numbers.has(idOf(part));
}

/** A response without parts may have its words where other formats have them. */
function scanEmpty(wire: Wire, sink: Sink): void {
  const said = isEmpty(wire['content']) ? undefined : wire['content'];
  if (typeof said === 'string' && said.trim() !== '') sink.fact('content-unreadable', 'elsewhere');
  else sink.fact('empty-message');
}

function scanUnreadable(wire: unknown, sink: Sink): void {
  sink.message('unreadable');
  const named = isRecord(wire) ? (wire['kind'] ?? wire['role']) : undefined;
  if (typeof named === 'string') sink.fact('role-foreign', named);
  else sink.fact('message-unreadable');
  sink.total += salvageable(wire);
}

function scanPart(part: unknown, role: Role, sink: Sink): void {
  const shape = isRecord(part) ? shapeOf(part, role) : undefined;
  if (!isRecord(part) || isUnreadable(part, shape)) {
    sink.part('opaque', undefined, false);
    if (isPairOrThought(part)) sink.fact('content-unreadable', 'tool_calls');
    else sink.fact('part-unreadable');
    sink.total += charactersOf(part);
    return;
  }
  switch (shape) {
    case 'call':
    case 'server-call':
      sink.part('call', idOf(part), shape === 'server-call');
      if (role !== 'assistant') sink.fact('part-in-wrong-role', 'assistant');
      break;
    case 'return':
    case 'retry':
      sink.part('result', idOf(part), false);
      scanPlaceholder(part, sink);
      if (role !== 'user') sink.fact('part-in-wrong-role', 'user');
      else if (shape === 'retry') sink.fact('retry-prompt');
      break;
    case 'server-return':
      sink.part('result', idOf(part), true);
      break;
    default:
      sink.part(plainKind(shape, role), undefined, false);
      if (isNamelessRetry(part) && role === 'user') sink.fact('retry-prompt');
  }
  if (sink.deep) scanDeep(part, shape, sink);
}

function scanPlaceholder(part: Wire, sink: Sink): void {
  const id = idOf(part);
  const content = part['content'];
  if (id !== undefined && typeof content === 'string' && isPlaceholder(content)) sink.fact('placeholder', id);
}

/** In a request only a prompt counts as said by the user; anything else there stands in nobody's way. */
function plainKind(shape: Shape | undefined, role: Role): PartKind {
  if (role === 'user') return shape === 'prompt' ? 'text' : 'opaque';
  if (shape === 'thinking') return 'reasoning';
  if (shape === 'text' || shape === 'prompt') return 'text';
  return shape === 'media' ? 'media' : 'opaque';
}

function scanDeep(part: Wire, shape: Shape | undefined, sink: Sink): void {
  sink.total += measure(part, shape);
  const name = nameOf(part);
  if (shape === 'call') scanNames(hasNumberId(part) ? undefined : idOf(part), name, sink);
  else if (PAIRED.has(shape)) {
    if (typeof name !== 'string') sink.fact('result-name-missing');
    if (idOf(part) !== undefined && hasNumberId(part)) sink.fact('call-id-malformed');
  }
  checkValue(part, sink);
}

function scanNames(id: unknown, name: unknown, sink: Sink): void {
  if (typeof id !== 'string' || !isLegalId(id, sink.profile)) sink.fact('call-id-malformed');
  if (typeof name !== 'string') sink.fact('call-name-malformed');
}

function scanLegacy(entries: readonly unknown[], parts: readonly unknown[], sink: Sink): void {
  const isRepeat = repeats(entries, parts);
  for (const entry of entries) {
    if (isRepeat(entry)) continue;
    const id = isRecord(entry) ? legacyId(entry) : undefined;
    sink.part(isRecord(entry) ? 'call' : 'opaque', id, false);
    if (!isRecord(entry)) sink.fact('part-unreadable');
    if (!isRecord(entry)) sink.total += charactersOf(entry);
    else if (sink.deep) {
      sink.total += charactersOf(legacyInput(entry)) + charactersOf(legacyName(entry));
      scanNames(hasNumberId(entry) ? undefined : id, legacyName(entry), sink);
    }
  }
}

function read(wire: unknown, index: number): Message {
  const role = isRecord(wire) ? roleOf(wire) : undefined;
  const own = isRecord(wire) ? listOf(wire) : undefined;
  if (!isRecord(wire) || role === undefined || own === undefined) {
    const characters = isRecord(wire) && role !== undefined ? contentCharacters(wire) : salvageable(wire);
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  const parts = readParts(role, own, index);
  const entries = role === 'assistant' ? legacyList(wire) : undefined;
  if (entries === undefined) return { role, parts, wire, at: index };
  const isRepeat = repeats(entries, own);
  for (const entry of entries) {
    if (!isRepeat(entry)) parts.push(readLegacy(entry, { message: index, part: parts.length }));
  }
  return { role, parts, wire, at: index };
}

function readParts(role: Role, parts: readonly unknown[], index: number): Part[] {
  const read: Part[] = [];
  for (let i = 0; i < parts.length; i += 1) read.push(readPart(parts[i], role, { message: index, part: i }));
  return read;
}

function write(message: Message): unknown {
  const { role, wire } = message;
  if (role === 'unreadable') return wire;
  const { parts, entries } = divideLegacy(message, writeEntry);
  return withKeys(wire, {
    kind: role === 'assistant' ? 'response' : 'request',
    parts: parts.map((part) => writePart(part, role)),
    ...(entries === undefined || !isRecord(wire) ? {} : { [legacyKey(wire)]: entries }),
    ...prunedRawContent(message),
  });
}

/** A message of a known kind keeps its other keys; anything else is read as messages of any shape are. */
function salvage(wire: unknown, index: number): Message | undefined {
  const role = isRecord(wire) ? roleOf(wire) : undefined;
  if (isRecord(wire) && role !== undefined && listOf(wire) === undefined) {
    const content = contentOf(wire);
    const beside = Array.isArray(content) && content === legacyList(wire) ? { [legacyKey(wire)]: [] } : {};
    const found = read(withKeys(wire, { parts: coerce(content, role), ...beside }), index);
    const first = found.parts[0];
    if (first === undefined) return undefined;
    return { ...found, parts: [{ ...first, characters: contentCharacters(wire) }, ...found.parts.slice(1)] };
  }
  const found = salvageMessage(wire, index, { readParts, results: 'user' });
  return found?.role === 'system' ? { ...found, role: 'user', parts: found.parts.map(asSystemPrompt) } : found;
}

/** What a message without a list of parts says; a request cannot call, so calls beside nothing are all it says. */
function contentOf(wire: Wire): unknown {
  const parts = wire['parts'];
  const content = (Array.isArray(parts) ? undefined : parts) ?? wire['content'];
  return isEmpty(content) && roleOf(wire) === 'user' ? legacyList(wire) : content;
}

/** The parts of a message, unless there are none or they are nothing beside the calls of a request. */
function listOf(wire: Wire): readonly unknown[] | undefined {
  const parts = wire['parts'];
  if (!Array.isArray(parts)) return undefined;
  const beside = parts.length > 0 && roleOf(wire) === 'user' ? legacyList(wire) : undefined;
  return beside !== undefined && charactersOf(beside) > 0 && parts.every(isNothing) ? undefined : parts;
}

function isNothing(part: unknown): boolean {
  return isRecord(part) && kindOf(part) === undefined && charactersOf(part) === 0;
}

function isEmpty(content: unknown): boolean {
  return content === undefined || content === null || content === '';
}

/** Characters of a message whose kind is known and whose parts are no list. */
function contentCharacters(wire: Wire): number {
  return charactersOf(contentOf(wire));
}

function coerce(content: unknown, role: Role): unknown[] {
  if (Array.isArray(content)) return content as unknown[];
  if (isRecord(content) && typeof kindOf(content) === 'string') return [content];
  const text = readableText(content);
  return text === '' || text === '{}' ? [] : [writePart(textPart(text, 0), role)];
}

function asSystemPrompt(part: Part): Part {
  if (part.kind !== 'text') return part;
  const { at, characters, text } = part;
  const wire = { part_kind: 'system-prompt', content: text };
  return at === undefined ? { kind: 'opaque', wire, characters } : { kind: 'opaque', wire, at, characters };
}

/** A request has no field for calls, so that nothing reads those beside its parts: they are carried as they are. */
function holdsAside({ role, wire }: Pick<Message, 'role' | 'wire'>): boolean {
  if (role === 'assistant') return holdsRaw(wire);
  return isRecord(wire) && roleOf(wire) === 'user' && legacyList(wire) !== undefined;
}

function pointer(wire: unknown, part: number): string {
  const own = isRecord(wire) && Array.isArray(wire['parts']) ? (wire['parts'] as unknown[]) : [];
  const entries = isRecord(wire) ? legacyList(wire) : undefined;
  if (!isRecord(wire) || part < own.length || entries === undefined) return `/parts/${String(part)}`;
  const isRepeat = repeats(entries, own);
  const added = [...entries.keys()].filter((i) => !isRepeat(entries[i]));
  return `/${legacyKey(wire)}/${String(added[part - own.length] ?? 0)}`;
}
