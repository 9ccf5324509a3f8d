import { idText } from '../model/call-id.ts';
import type { CallPart, Message, Part } from '../model/part.ts';
import { isRecord, withKeys } from '../model/value.ts';

type Wire = Record<string, unknown>;

/** Beyond this many entries a search through the parts for each of them would be slow. */
const FEW = 16;

/** The older list of calls beside the parts of a response; undefined where there is none. */
export function legacyList(wire: Wire): readonly unknown[] | undefined {
  const list = wire['tool_calls'] ?? wire['toolCalls'];
  return Array.isArray(list) && list.length > 0 ? (list as unknown[]) : undefined;
}

/** The key under which that list came. */
export function legacyKey(wire: Wire): 'tool_calls' | 'toolCalls' {
  return (wire['tool_calls'] ?? undefined) === undefined ? 'toolCalls' : 'tool_calls';
}

/** The id of a call, in whichever shape it was written. */
export function legacyId(entry: Wire): string | undefined {
  return idText(entry['tool_call_id'] ?? entry['toolCallId'] ?? entry['id']);
}

/** The ids in that list that are numbers, as texts; undefined where there is none. */
export function legacyNumbers(entries: readonly unknown[]): ReadonlySet<unknown> | undefined {
  const numbered = entries.filter(isRecord).filter((entry) => typeof entry[legacyIdKey(entry)] === 'number');
  return numbered.length === 0 ? undefined : new Set(numbered.map(legacyId));
}

/** Tells which entries only repeat a call that stands among the parts. */
export function repeats(entries: readonly unknown[], parts: readonly unknown[]): (entry: unknown) => boolean {
  if (entries.length <= FEW) return (entry) => parts.includes(entry) || carries(parts, entry);
  const known = new Set<unknown>(parts);
  for (const part of parts) if (isClientCall(part)) known.add(legacyId(part) ?? '');
  return (entry) =>
    known.has(entry) || (isRecord(entry) && (legacyId(entry) ?? '') !== '' && known.has(legacyId(entry)));
}

function carries(parts: readonly unknown[], entry: unknown): boolean {
  const id = isRecord(entry) ? legacyId(entry) : undefined;
  if (id === undefined || id === '') return false;
  for (const part of parts) if (isClientCall(part) && legacyId(part) === id) return true;
  return false;
}

function isClientCall(part: unknown): part is Wire {
  return isRecord(part) && (part['part_kind'] ?? part['partKind']) === 'tool-call';
}

type Division = {
  /** What is written among the parts, in order. */
  readonly parts: readonly Part[];
  /** The older list as it must be now; undefined when it need not change. */
  readonly entries: readonly unknown[] | undefined;
};

/** Divides the parts of an edited response between its parts and its older list of calls. */
export function divideLegacy(message: Message, writeEntry: (part: CallPart) => unknown): Division {
  const { role, parts, wire } = message;
  const entries = isRecord(wire) && role === 'assistant' ? legacyList(wire) : undefined;
  if (!isRecord(wire) || entries === undefined) return { parts, entries: undefined };
  const own = Array.isArray(wire['parts']) ? (wire['parts'] as unknown[]) : [];
  const isRepeat = repeats(entries, own);
  const added = new Set(entries.filter((entry) => !isRepeat(entry)));
  const isLegacy = (part: Part): boolean => part.wire !== undefined && added.has(part.wire);
  const first = parts.findIndex(isLegacy);
  // The list comes after the parts, so a call that something now follows has to move in front of it.
  const stays = first === -1 || parts.slice(first).every(isLegacy);
  const kept = new Map(stays ? parts.filter(isLegacy).map((part) => [part.wire, part]) : []);
  const renamed = renamer(parts);
  const written = entries.flatMap((entry) => {
    if (isRepeat(entry)) return renamed(entry);
    const part = kept.get(entry);
    return part === undefined ? [] : [part.kind === 'call' && part.edited === true ? writeEntry(part) : entry];
  });
  const same = written.length === entries.length && written.every((entry, i) => entry === entries[i]);
  return { parts: stays ? parts.filter((part) => !isLegacy(part)) : parts, entries: same ? undefined : written };
}

/** An entry that repeats a part shares its fate: it is renamed with it and goes with it. */
function renamer(parts: readonly Part[]): (entry: unknown) => unknown[] {
  const byId = new Map<unknown, string[]>();
  for (const part of parts) {
    if (part.kind !== 'call' || part.server) continue;
    const came = isRecord(part.wire) ? legacyId(part.wire) : part.callId;
    const ids = byId.get(came) ?? [];
    ids.push(part.callId);
    byId.set(came, ids);
  }
  return (entry) => {
    const came = isRecord(entry) ? legacyId(entry) : undefined;
    const ids = byId.get(came);
    if (ids === undefined) return [];
    const id = ids.length > 1 ? ids.shift() : ids[0];
    const same = typeof came !== 'string' || (isRecord(entry) && entry[legacyIdKey(entry)] === id);
    return same ? [entry] : [withLegacyId(entry, id)];
  };
}

/** The entry under another id, written with the key it came with. */
export function withLegacyId(entry: unknown, id: string | undefined): Wire {
  return withKeys(entry, { [legacyIdKey(entry)]: id });
}

function legacyIdKey(entry: unknown): string {
  const keys = ['tool_call_id', 'toolCallId', 'id'];
  return keys.find((key) => isRecord(entry) && (entry[key] ?? undefined) !== undefined) ?? 'tool_call_id';
}
