import type { AbsentReason } from '@rethread/formats';

import type { FaultView, PartView, RowView, SaidView } from '../api.ts';
import { markOf } from './marks.ts';
import type { OpenSession } from './open-session.ts';
import { placeWords } from './place-key.ts';
import { readSaid, timeOf, type SaidPart } from './said.ts';
import { optional, textAt, type JsonObject } from './value.ts';

/** Characters of one part that the timeline shows at first; the rest comes when it is asked for. */
const MOST_OF_A_PART = 12_000;

/** More records than this in one row are cut: a hostile file must not fill an answer. */
const MOST_IN_A_ROW = 200;

/** The rows of a timeline from one up to, and without, another. */
export async function viewRows(open: OpenSession, from: number, to: number): Promise<RowView[]> {
  const byRow = Map.groupBy(open.findings.keys(), (at) => open.findings[at]?.row);
  const rows: RowView[] = [];
  for (let row = Math.max(0, from); row < Math.min(to, open.index.rows); row += 1) {
    rows.push(await viewRow(open, row, byRow.get(row) ?? []));
  }
  return rows;
}

async function viewRow(open: OpenSession, row: number, findings: readonly number[]): Promise<RowView> {
  const { index, store } = open;
  const [from, to] = index.entriesOf(row);
  const values = await store.range(from, Math.min(to, from + MOST_IN_A_ROW));
  const kind = index.kindOf(row);
  const said: SaidView[] = [];
  const others: { entry: number; type: string }[] = [];
  const head: { at?: string; model?: string; mark?: NonNullable<RowView['mark']> } = {};
  for (const [offset, value] of values.entries()) {
    const entry = from + offset;
    if (value === undefined) continue;
    const read = readSaid(value);
    const mark = markOf(value, read);
    if (mark !== undefined) head.mark = { kind: mark.kind, note: mark.note };
    const at = timeOf(value);
    if (at !== undefined) head.at ??= at;
    if (read === undefined) {
      others.push({ entry, type: typeOf(value) });
      continue;
    }
    if (read.model !== undefined) head.model ??= read.model;
    const parts = read.parts.map((part, at) => viewPart(part, at));
    said.push({
      entry,
      role: read.role,
      isSent: index.isSent(entry),
      parts: parts.map((part) => linked(part, row, open)),
    });
  }
  const isSent = said.length === 0 ? kind === 'records' : said.some((each) => each.isSent);
  const fault = index.faultRows.get(row);
  const reason = isSent || kind === 'fault' ? undefined : reasonFor(open, from, values);
  return {
    row,
    kind,
    entry: from,
    isSent,
    ...optional('reason', reason),
    ...head,
    said,
    others,
    findings,
    ...optional('fault', fault === undefined ? undefined : faultView(fault, row)),
  };
}

const faultView = (fault: OpenSession['session']['faults'][number], row: number): FaultView => ({
  kind: fault.kind,
  note: fault.note,
  where: placeWords(fault.place),
  row,
});

const typeOf = (value: JsonObject): string => {
  const inner = value['payload'] ?? value['attachment'] ?? value['data'];
  return (
    [textAt(value, 'type'), textAt(value, 'subtype') ?? textAt(inner, 'type')].filter(Boolean).join(' · ') || 'record'
  );
};

/** A part as the page shows it; `at` is its number in the record. */
export function viewPart(part: SaidPart, at: number, most: number = MOST_OF_A_PART): PartView {
  if (part.kind === 'media') return { kind: 'media', type: part.type, characters: part.data.length, at };
  if (part.kind === 'call') {
    const { text, more } = cut(part.input, most);
    return { kind: 'call', id: part.id, tool: part.tool, input: text, ...more };
  }
  const { text, more } = cut(part.text, most);
  return { ...part, text, ...more };
}

export function cut(text: string, most: number): { readonly text: string; readonly more: { readonly more?: number } } {
  if (text.length <= most) return { text, more: {} };
  return { text: text.slice(0, most), more: { more: text.length - most } };
}

/** Says of a call or a result where the other half is, unless it is in the same row. */
function linked(part: PartView, row: number, { index }: OpenSession): PartView {
  if (part.kind !== 'call' && part.kind !== 'result') return part;
  const other = index.elsewhere.get(row)?.get(part.id);
  if (other === undefined) return part;
  return part.kind === 'call' ? { ...part, answeredIn: other } : { ...part, calledIn: other };
}

/**
 * Why a record is not in the next request. The format counts the reasons of a session; which one a record has follows
 * from the record itself, from the last compaction, or from there being one reason only.
 */
function reasonFor(
  { active, index }: OpenSession,
  entry: number,
  values: readonly (JsonObject | undefined)[],
): AbsentReason | undefined {
  const reasons = new Set(active.absent.map(({ reason }) => reason));
  const isSide = values.some((value) => value?.['isSidechain'] === true);
  if (isSide && reasons.has('sidechain')) return 'sidechain';
  if (entry < index.lastCompaction && reasons.has('compacted')) return 'compacted';
  const left = [...reasons].filter((reason) => reason !== 'sidechain' && reason !== 'torn');
  const later = entry > index.lastCompaction ? left.filter((reason) => reason !== 'compacted') : left;
  return later.length === 1 ? later[0] : left.length === 1 ? left[0] : undefined;
}
