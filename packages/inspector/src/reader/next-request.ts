import { check, convert, decode, DIALECTS, estimateTokens, repair, type Dialect, type Repair } from '@rethread/core';

import type { FindingView, MessageView, PairView, RepairView, RequestView } from '../api.ts';
import { viewFinding, type OpenSession } from './open-session.ts';
import { placeKey } from './place-key.ts';
import { readSaid } from './said.ts';
import { isObject, jsonOf, optional, textAt } from './value.ts';
import { cut, viewPart } from './view-rows.ts';

/** Characters of a message's JSON that are shown. */
const MOST_OF_A_MESSAGE = 40_000;

/** Messages of the session, and those that are sent in their place. */
type Pair = {
  readonly stored: readonly [number, number];
  readonly sent: readonly [number, number];
  readonly isChanged: boolean;
};

/** The next request for one target. */
export type NextRequest = {
  readonly view: RequestView;
  readonly pairs: readonly Pair[];
  readonly output: readonly unknown[];
  readonly findings: readonly FindingView[];
};

type Target = { readonly dialect?: string | undefined; readonly model?: string | undefined };

const isDialect = (name: string | undefined): name is Dialect => DIALECTS.some((each) => each === name);

/** Makes the next request for a target: the session's own, or another one. */
export function nextRequest(open: OpenSession, wanted: Target): NextRequest {
  const { active, index } = open;
  const dialect = isDialect(wanted.dialect) ? wanted.dialect : active.dialect;
  const isConverted = dialect !== active.dialect;
  const model = wanted.model ?? (isConverted ? undefined : active.model);
  const target = { dialect, ...optional('model', model) };
  const converted = isConverted
    ? convert(active.messages, { from: active.dialect, to: dialect, ...optional('model', model) })
    : undefined;
  const repaired = converted ?? repair(active.messages, target);
  const output = Array.isArray(repaired.output) ? (repaired.output as unknown[]) : [];
  const pairs = isConverted ? wholeLists(active.messages, output) : align(active.messages, output);
  const found = isConverted ? repaired.report.findings : check(active.messages, target).findings;
  const findings = found.map((finding) => viewFinding(finding, { active, index }));
  const { report } = repaired;
  const view: RequestView = {
    dialect,
    ...optional('model', model),
    verdict: report.verdict,
    isConverted,
    preserved: report.preserved.ratio,
    tokens: estimateTokens(output, target),
    ...optional('system', active.system === undefined ? undefined : cut(active.system, MOST_OF_A_MESSAGE).text),
    pairs: pairs.length,
    changed: Array.from(pairs.keys()).filter((at) => pairs[at]?.isChanged === true),
    findings: findings.slice(0, 500),
    repairs: report.repairs.slice(0, 500).map((each) => viewRepair(each, pairs)),
    losses: (converted?.losses ?? []).slice(0, 500).map(({ kind, what, became, why }) => ({ kind, what, became, why })),
    ...optional('next', report.next),
  };
  return { view, pairs, output, findings };
}

const viewRepair = ({ rule, action, loss, note, at }: Repair, pairs: readonly Pair[]): RepairView => {
  const pair = pairs.findIndex(({ stored: [from, to] }) => from <= at.message && at.message < Math.max(to, from + 1));
  return { rule, action, loss, note, message: at.message, ...optional('pair', pair === -1 ? undefined : pair) };
};

/** Messages that a repair leaves alone keep their objects: everything between two of them belongs together. */
function align(stored: readonly unknown[], sent: readonly unknown[]): Pair[] {
  const places = new Map(sent.map((message, at) => [message, at]));
  const pairs: Pair[] = [];
  let [from, at] = [0, 0];
  const close = (to: number, sentTo: number): void => {
    if (to > from || sentTo > at) pairs.push({ stored: [from, to], sent: [at, sentTo], isChanged: true });
  };
  for (const [index, message] of stored.entries()) {
    const place = places.get(message);
    if (place === undefined || place < at) continue;
    close(index, place);
    pairs.push({ stored: [index, index + 1], sent: [place, place + 1], isChanged: false });
    [from, at] = [index + 1, place + 1];
  }
  close(stored.length, sent.length);
  return pairs;
}

/** Another dialect divides the same turns into other messages: they stand beside each other in steps. */
function wholeLists(stored: readonly unknown[], sent: readonly unknown[]): Pair[] {
  const count = Math.max(1, Math.min(stored.length, sent.length));
  const edge = (length: number, at: number): number => Math.round((length * at) / count);
  return Array.from({ length: stored.length + sent.length === 0 ? 0 : count }, (_, at) => ({
    stored: [edge(stored.length, at), edge(stored.length, at + 1)],
    sent: [edge(sent.length, at), edge(sent.length, at + 1)],
    isChanged: false,
  }));
}

/** Some of the pairs, with their messages. */
export function viewPairs(
  open: OpenSession,
  next: NextRequest,
  { from, to }: { readonly from: number; readonly to: number },
): PairView[] {
  const { active, index } = open;
  const dialect = isDialect(next.view.dialect) ? next.view.dialect : active.dialect;
  const entryOf = (message: number): number | undefined => {
    const place = active.places[message]?.[0];
    return place === undefined ? undefined : index.entryOfPlace.get(placeKey(place));
  };
  return next.pairs.slice(from, to).map(({ stored, sent, isChanged }, offset) => ({
    pair: from + offset,
    stored: numbers(stored).map((at) =>
      viewMessage(active.messages[at], at, { dialect: active.dialect, entry: entryOf(at) }),
    ),
    sent: numbers(sent).map((at) => viewMessage(next.output[at], at, { dialect })),
    isChanged,
    findings: Array.from(next.findings.keys()).filter((at) => {
      const message = next.findings[at]?.message ?? -1;
      return message >= stored[0] && message < Math.max(stored[1], stored[0] + 1);
    }),
  }));
}

const numbers = ([from, to]: readonly [number, number]): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

type Where = { readonly dialect: Dialect; readonly entry?: number | undefined };

function viewMessage(message: unknown, index: number, { dialect, entry }: Where): MessageView {
  const said = isObject(message) ? readSaid(message) : undefined;
  const [read] = decode([message], dialect)?.messages ?? [];
  const { text, more } = cut(jsonOf(message), MOST_OF_A_MESSAGE);
  return {
    index,
    role: read?.role ?? textAt(message, 'role', 'type') ?? 'message',
    parts: (said?.parts ?? []).map((part, at) => viewPart(part, at, 2000)),
    json: text,
    ...more,
    ...optional('entry', entry),
  };
}
