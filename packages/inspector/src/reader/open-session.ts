import { decode, explain, type Finding, type Message } from '@rethread/core';
import {
  openSession,
  type Active,
  type Place,
  type SessionFinding,
  type SessionRef,
  type ToolSession,
} from '@rethread/formats';

import { SHARES, type FaultView, type FindingView, type Overview, type Share } from '../api.ts';
import { EntryStore } from './entry-store.ts';
import { placeKey, placeWords } from './place-key.ts';
import { SessionIndex } from './session-index.ts';
import { optional } from './value.ts';
import { aboutRequest, isRefused, judge } from './verdict.ts';

/** A session as the reader holds it while somebody looks at it. */
export type OpenSession = {
  readonly ref: SessionRef & { readonly key: string };
  readonly session: ToolSession;
  readonly active: Active;
  readonly index: SessionIndex;
  readonly store: EntryStore;
  readonly findings: readonly FindingView[];
  readonly overview: Overview;
};

/** More findings or faults than this are counted only. */
const MOST_LISTED = 1000;

/** How many points a chart of the request has at most. */
const POINTS = 300;

type Progress = (done: number) => void;

/** Reads a session: what its tool would send, and then every record, for the rows of the timeline. */
export async function readSession(ref: OpenSession['ref'], progress: Progress): Promise<OpenSession> {
  const session = await openSession({ path: ref.path, id: ref.id });
  const active = await session.active();
  const store = await EntryStore.of(session);
  const { faults } = session;
  const index = new SessionIndex(active.places.flat(), faults);
  for await (const entry of session.entries()) {
    index.add(entry);
    store.add(entry);
    if (store.length % 5000 === 0) progress(entry.place.kind === 'line' ? entry.place.byte : store.length);
  }
  const { tools } = index.finish();
  const judged = await judge(session, ref.modified);
  const { survival, danger, tokens } = judged;
  const findings = viewSessionFindings(aboutRequest(judged), { active, index });
  const overview: Overview = {
    key: ref.key,
    ...optional('tool', session.tool),
    file: session.path,
    ...optional('id', session.id),
    ...optional('title', session.title),
    ...optional('cwd', session.cwd),
    ...optional('version', session.version),
    models: session.models,
    ...session.times,
    bytes: ref.bytes,
    entries: store.length,
    rows: index.rows,
    kinds: Buffer.from(index.rowByte.view()).toString('base64'),
    verdict: session.tool === undefined ? 'unreadable' : judged.verdict,
    ...optional('danger', danger?.note),
    ...optional('survival', survival.total === 0 ? undefined : survival.share),
    tokens,
    messages: active.messages.length,
    sentCharacters: survival.sent,
    ...optional('dialect', session.dialect),
    ...optional('model', active.model),
    absent: survival.absent,
    findings: findings.slice(0, MOST_LISTED),
    moreFindings: Math.max(0, findings.length - MOST_LISTED),
    ...viewFaults(session, index),
    marks: index.marks,
    usage: index.usage,
    shares: sharesOf(active),
    tools,
    related: session.related,
  };
  return { ref, session, active, index, store, findings, overview };
}

type Located = { readonly active: Active; readonly index: SessionIndex };

/** A finding of a check with the row in which it is seen; one about the whole request is in none. */
export function viewFinding(
  { rule, severity, explain: words, providerError, at }: Finding,
  located: Located,
): FindingView {
  return {
    rule,
    title: explain(rule)?.title ?? rule,
    severity,
    explain: words,
    ...optional('providerError', providerError),
    isMended: severity === 'rejected' && !isRefused({ rule, severity }, located.active.copes),
    message: at.message,
    ...spotOf(located.active.places[at.message]?.[0], located.index),
  };
}

/** Findings of the judge, in the order of the session. */
function viewSessionFindings(found: readonly SessionFinding[], { active, index }: Located): FindingView[] {
  const messages = new Map(
    active.places.flatMap(([first], message) => (first === undefined ? [] : [[placeKey(first), message]])),
  );
  const views = found.map(({ rule, severity, note, expectedError, copes, places: [first] }): FindingView => ({
    rule,
    title: explain(rule)?.title ?? TITLES[rule] ?? rule,
    severity,
    explain: note,
    ...optional('providerError', expectedError),
    isMended: copes === true,
    message: (first === undefined ? undefined : messages.get(placeKey(first))) ?? -1,
    ...spotOf(first, index),
  }));
  return views.sort((a, b) => a.message - b.message);
}

const TITLES: Readonly<Record<string, string>> = {
  'giant-message': 'a giant message',
  'window-nearly-full': 'the window is nearly full',
};

function spotOf(place: Place | undefined, index: SessionIndex): Pick<FindingView, 'entry' | 'row'> {
  const entry = place === undefined ? undefined : index.entryOfPlace.get(placeKey(place));
  return entry === undefined ? {} : { entry, row: index.rowOf(entry) };
}

function viewFaults({ faults }: ToolSession, index: SessionIndex): Pick<Overview, 'faults' | 'moreFaults'> {
  const rows = new Map(Array.from(index.faultRows, ([row, fault]) => [fault, row]));
  const views = faults.slice(0, MOST_LISTED).map((fault): FaultView => {
    const entry = index.entryOfPlace.get(placeKey(fault.place));
    const row = rows.get(fault) ?? (entry === undefined ? undefined : index.rowOf(entry));
    return { kind: fault.kind, note: fault.note, where: placeWords(fault.place), ...optional('row', row) };
  });
  const counted = faults.reduce((sum, { more }) => sum + (more ?? 0), 0);
  return { faults: views, moreFaults: Math.max(0, faults.length - MOST_LISTED) + counted };
}

/** Who fills the window, message by message. */
function sharesOf({ messages, dialect, system }: Active): Share[] {
  const history = decode(messages, dialect);
  if (history === undefined) return [];
  const sums = new Array<number>(SHARES.length).fill(0);
  sums[0] = system?.length ?? 0;
  const step = Math.max(1, Math.ceil(history.messages.length / POINTS));
  const shares: Share[] = [];
  for (const [message, read] of history.messages.entries()) {
    addShares(read, sums);
    if (message % step === step - 1 || message === history.messages.length - 1)
      shares.push({ message, sums: [...sums] });
  }
  return shares;
}

function addShares({ role, parts }: Message, sums: number[]): void {
  for (const part of parts) {
    const share = shareOf(role, part.kind);
    const at = SHARES.indexOf(share);
    sums[at] = (sums[at] ?? 0) + part.characters;
  }
}

function shareOf(role: Message['role'], kind: Message['parts'][number]['kind']): (typeof SHARES)[number] {
  if (kind === 'reasoning' || kind === 'media') return kind;
  if (kind === 'call') return 'calls';
  if (kind === 'result' || role === 'tool') return 'results';
  return role === 'system' ? 'system' : role === 'assistant' ? 'assistant' : 'user';
}
