import type { CallPart, Message } from '@rethread/core';
import type { Session, StoredRecord } from '@rethread/store';

import { FAREWELL, receiptOf, ROUNDS, TOOLS, type Order } from './errand.ts';
import type { Entry, Ledger } from './ledger.ts';

/** Counts by name, for a report. */
export type Tally = Record<string, number>;

export const count = (tally: Tally, name: string, by = 1): void => {
  tally[name] = (tally[name] ?? 0) + by;
};

type Called = { readonly call: CallPart; readonly order: Order; readonly results: readonly string[] };

/** Some dialects carry the input as text. */
const orderOf = (input: unknown): Order => (typeof input === 'string' ? JSON.parse(input) : input) as Order;

/** Each call of a history with all its results. */
function callsOf(messages: readonly Message[]): readonly Called[] {
  const parts = messages.flatMap((message) => message.parts);
  const results = parts.filter((part) => part.kind === 'result');
  return parts.flatMap((part) => {
    if (part.kind !== 'call') return [];
    const answers = results.filter(({ callId }) => callId === part.callId);
    return [{ call: part, order: orderOf(part.input), results: answers.map((answer) => JSON.stringify(answer)) }];
  });
}

/** The fault of one call: `once` at most once, `keyed` exactly once, all others at least once and never lost. */
function complaintsAbout({ call, order, results }: Called, entry: Entry | undefined): readonly string[] {
  const effect = TOOLS[call.tool];
  const { asked = 0, happened = 0, keys = new Set() } = entry ?? {};
  const isReal = results[0]?.includes(receiptOf(order)) === true;
  const rules: readonly (readonly [holds: boolean, complaint: string])[] = [
    [results.length === 1, `has ${results.length} results`],
    [keys.size <= 1, `was given ${keys.size} keys`],
    [effect !== 'once' || asked <= 1, `ran ${asked} times, and must not run twice`],
    [effect !== 'keyed' || happened === 1, `happened ${happened} times, with a key`],
    [effect === 'once' || (asked >= 1 && isReal), `was lost: it ran ${asked} times and was told ${results[0]}`],
    [!isReal || asked >= 1, 'has a result and did not run'],
  ];
  return rules.flatMap(([holds, complaint]) => (holds ? [] : [`${call.tool} ${order.token} ${complaint}`]));
}

const stateOf = ({ kind, data }: StoredRecord): unknown =>
  kind === 'state' ? (data as { state?: unknown }).state : '';

function complaintsAboutLog(records: readonly StoredRecord[], messages: readonly Message[]): readonly string[] {
  const ends = records.filter((record) => stateOf(record) === 'complete').length;
  const said = records.filter(({ kind, data }) => kind === 'message' && 'inputId' in (data as object)).length;
  const farewell = JSON.stringify(messages.at(-1)).includes(FAREWELL);
  return [
    ...(ends === 1 ? [] : [`it was completed ${ends} times`]),
    ...(said === 1 ? [] : [`the user spoke ${said} times`]),
    ...(farewell ? [] : ['it has no last word']),
  ];
}

function countNotes(records: readonly StoredRecord[], tally: Tally): void {
  for (const { kind, data } of records) {
    const { about, from, rule } = data as { about?: string; from?: string; rule?: string };
    if (kind === 'note' && about === 'resumed') count(tally, `found ${from}`);
    if (kind === 'repair') count(tally, `repairs of ${rule}`);
  }
}

function countCall({ call, order, results }: Called, { asked = 0, happened = 0 }: Partial<Entry>, tally: Tally): void {
  const effect = TOOLS[call.tool];
  count(tally, `${effect} calls`);
  count(tally, `${effect} effects`, happened);
  if (asked > 1) count(tally, `${effect} asked again`, asked - 1);
  if (effect === 'once' && !results[0]?.includes(receiptOf(order))) {
    count(tally, asked === 0 ? 'once closed as unknown, did not happen' : 'once closed as unknown, did happen');
  }
}

/** Compares the log of a finished session with what the outside world saw; throws at the first difference. */
export async function audit(session: Session, ledger: Ledger, tally: Tally): Promise<void> {
  const records = await session.load();
  const { messages = [] } = (await session.project()) ?? {};
  const entries = ledger.take(session.id);
  const calls = callsOf(messages);
  const tokens = new Set(calls.map(({ order }) => order.token));
  const keys = [...entries.values()].flatMap((entry) => [...entry.keys]);
  const complaints = [
    ...complaintsAboutLog(records, messages),
    ...calls.flatMap((called) => complaintsAbout(called, entries.get(called.order.token))),
    ...[...entries.keys()].filter((token) => !tokens.has(token)).map((token) => `${token} ran without a record of it`),
    ...(new Set(keys).size === keys.length ? [] : ['two calls had the same key']),
    ...(calls.length === ROUNDS * Object.keys(TOOLS).length ? [] : [`there were ${calls.length} calls`]),
  ];
  if (complaints.length > 0) throw new Error(`session ${session.id}:\n${complaints.join('\n')}`);
  count(tally, 'sessions');
  count(tally, 'records', records.length);
  countNotes(records, tally);
  for (const called of calls) countCall(called, entries.get(called.order.token) ?? {}, tally);
}
