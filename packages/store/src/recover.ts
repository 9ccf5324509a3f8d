import { createHash } from 'node:crypto';

import { type Prepared, type Repair, type RepairOptions, type TargetInput, prepare } from '@rethread/core';

import { type ChildReport, childrenOf, reportChild } from './children.ts';
import { type Context, writeAside } from './context.ts';
import type { Driver } from './driver.ts';
import { inTurn } from './keyed-queue.ts';
import { loadRecords, readRecords } from './log.ts';
import type { Owner } from './owner.ts';
import { faultOf } from './record-form.ts';
import { keysOf, type NewRecord, type StoredRecord, toSessionRecord } from './record.ts';
import { StoreError } from './store-error.ts';
import type { Writer } from './writer.ts';

export type RecoverOptions = RepairOptions & {
  /** `never` writes no repair notes (default: `append`). */
  readonly audit?: 'append' | 'never';
};

export type Audit = {
  /** New notes; repairs that were noted before are not noted again. */
  readonly written: number;
  /** The other writer, if no notes could be written. */
  readonly owner?: Owner;
};

/** A repaired session and the state around it. */
export type Recovered = Prepared & {
  readonly session: string;
  /** The newest record of the history. */
  readonly head: number;
  readonly audit: Audit;
  readonly children: readonly ChildReport[];
  /** Records of unknown kinds. They are kept but are not part of the history. */
  readonly unknown: readonly { readonly seq: number; readonly kind: string }[];
  /** Messages and checkpoints in no known form. They are kept, and the history may lack them. */
  readonly unread: readonly { readonly seq: number; readonly kind: string; readonly why: string }[];
};

const known: ReadonlySet<string> = new Set([
  'message',
  'call.started',
  'call.settled',
  'state',
  'checkpoint',
  'repair',
  'revert',
  'pin',
  'fork',
  'link',
  'note',
]);

/** What was repaired, why and where. The note stays the same when the session grows. */
function noteOf(
  { rule, action, loss, note, at }: Repair,
  { sources }: Prepared,
  whys: ReadonlyMap<string, string>,
): object {
  const why = whys.get(`${rule} ${at.pointer}`);
  const seq = sources[at.message];
  const { part, pointer } = at;
  const within = pointer.replace(/^\/\d+/, '');
  return {
    rule,
    action,
    loss,
    note,
    ...(why === undefined ? {} : { why }),
    at: { ...(seq === undefined ? {} : { seq }), ...(part === undefined ? {} : { part }), pointer: within },
  };
}

function whysOf({ report }: Prepared): ReadonlyMap<string, string> {
  return new Map(report.findings.toReversed().map(({ rule, at, explain }) => [`${rule} ${at.pointer}`, explain]));
}

const keyOf = (data: object): string => createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 24);

const keyIn = (record: StoredRecord): string | undefined => {
  const { key } = keysOf(record);
  return record.kind === 'repair' && typeof key === 'string' ? key : undefined;
};

/** Notes each new repair. If another process holds the lease, nothing is written and its owner is reported. */
async function noteRepairs(context: Context, prepared: Prepared, about: About): Promise<Audit> {
  const noted = new Set(about.records.map(keyIn));
  const notes = new Map<string, NewRecord>();
  const whys = whysOf(prepared);
  for (const repair of prepared.report.repairs) {
    const data = noteOf(repair, prepared, whys);
    const key = keyOf(data);
    if (!noted.has(key)) notes.set(key, { kind: 'repair', data: { key, ...data } });
  }
  if (notes.size === 0) return { written: 0 };
  const { session } = about;
  const head = about.records.at(-1)?.seq ?? 0;
  try {
    const write = (writer: Writer): Promise<Audit> => writeNotes(context.driver, writer, { session, head, notes });
    // Recoveries of one session take turns, because all writers of a store share one lease.
    return await inTurn(context.recoveries, session, () => writeAside(context, session, write));
  } catch (error) {
    if (!(error instanceof StoreError) || !['conflict', 'stale'].includes(error.code)) throw error;
    const { owner } = error.details;
    return { written: 0, ...(owner === undefined ? {} : { owner }) };
  }
}

type Noting = { readonly session: string; readonly head: number; readonly notes: Map<string, NewRecord> };

/** Re-reads the notes under the lease, because others may have written some since the history was read. */
async function writeNotes(driver: Driver, writer: Writer, { session, head, notes }: Noting): Promise<Audit> {
  await writer.lease();
  for await (const record of readRecords(driver, session, { after: head })) notes.delete(keyIn(record) ?? '');
  if (notes.size === 0) return { written: 0 };
  const op = `repair ${keyOf([...notes.keys()])}`;
  await writer.append([...notes.values()], { op });
  return { written: notes.size };
}

type About = { readonly session: string; readonly records: readonly StoredRecord[] };

type Request = { session: string; target: TargetInput | undefined; options: RecoverOptions };

/** Projects and repairs a session, notes the repairs, and reports its children. */
export async function recoverSession(context: Context, request: Request): Promise<Recovered> {
  const { session, target, options } = request;
  const { audit: auditing = 'append', ...repairOptions } = options;
  const records = await loadRecords(context.driver, session, {});
  const prepared = prepare(records.map(toSessionRecord), target, repairOptions);
  const audit = auditing === 'append' ? await noteRepairs(context, prepared, { session, records }) : { written: 0 };
  const links = await childrenOf(context.driver, session);
  const children: ChildReport[] = [];
  for (const link of links) children.push(await reportChild(context.driver, link));
  const unknown = records.filter(({ kind }) => !known.has(kind)).map(({ seq, kind }) => ({ seq, kind }));
  const unread = records.flatMap((record) => {
    const why = faultOf(record);
    return why === undefined ? [] : [{ seq: record.seq, kind: record.kind, why }];
  });
  return { ...prepared, session, head: records.at(-1)?.seq ?? 0, audit, children, unknown, unread };
}
