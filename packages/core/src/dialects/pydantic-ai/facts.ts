import { isLegalId } from '../../model/call-id.ts';
import type { Sink } from '../../model/codec.ts';
import type { Message, PartKind, Role } from '../../model/part.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { charactersOf, isRecord } from '../../model/value.ts';
import { isPairOrThought } from '../foreign-piece.ts';
import { legacyId, legacyList, legacyNumbers, repeats } from '../legacy-calls.ts';
import { holdsAside as holdsRaw } from '../raw-content.ts';
import { salvageable } from '../salvage.ts';
import { checkKeys, checkValue } from '../scan-value.ts';
import {
  contentCharacters,
  hasNumberId,
  idOf,
  isEmpty,
  isNamelessRetry,
  isUnreadable,
  legacyInput,
  legacyName,
  listOf,
  measure,
  nameOf,
  roleOf,
  shapeOf,
  type Shape,
  type Wire,
} from './shape.ts';

const PAIRED: ReadonlySet<Shape | undefined> = new Set(['return', 'retry', 'server-call', 'server-return'] as const);
const READ_KEYS: ReadonlySet<string> = new Set(['parts']);

/** Reports who speaks, every part and every fact about them. */
export function scan(wire: unknown, sink: Sink): void {
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

/** A request has no field for calls, so that nothing reads those beside its parts: they are carried as they are. */
export function holdsAside({ role, wire }: Pick<Message, 'role' | 'wire'>): boolean {
  if (role === 'assistant') return holdsRaw(wire);
  return isRecord(wire) && roleOf(wire) === 'user' && legacyList(wire) !== undefined;
}
