import type { Dialect, SessionRecord } from '@rethread/core';

import { dialects, healthy, plant } from '../../core/test/fuzz/histories.ts';
import { type Random, startRandom } from '../../core/test/fuzz/random.ts';

/** A growing log: the records so far and the pending messages. */
type Draft = {
  readonly random: Random;
  readonly dialect: Dialect;
  readonly records: SessionRecord[];
  readonly script: unknown[];
};

type Written = { readonly kind: string; readonly data: unknown };

const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

/** Any string may be used as a call id, and some are. */
const someId = ({ random, records }: Draft): string => {
  const strings = records.flatMap(({ kind, data }) => (kind === 'message' ? stringsIn(data).slice(-6) : []));
  return strings.length === 0 ? 'call_none' : random.pick(strings);
};

const someSeq = ({ random, records }: Draft): number => random.below(records.length + 1);

const message = ({ random, dialect, script }: Draft): Written => {
  // An abort drops pending messages, so pairs and turns stay open.
  if (random.chance(8)) script.splice(0, random.between(1, 3));
  return { kind: 'message', data: { dialect, wire: script.shift() ?? null } };
};

const foreignMessage = (draft: Draft): Written => {
  const dialect = draft.random.pick(dialects);
  return { kind: 'message', data: { dialect, wire: healthy(dialect, draft.random).messages[0] } };
};

const checkpoint = (draft: Draft): Written => {
  const [one, two] = [someSeq(draft), someSeq(draft)];
  const wire = healthy(draft.dialect, draft.random).messages[0];
  const summary = draft.random.chance(2) ? `summary of ${one} to ${two}` : wire;
  const [from, to] = [draft.random.chance(2) ? 0 : Math.min(one, two), Math.max(one, two)];
  const kept = [{ wire }, { seq: someSeq(draft) }, { seq: someSeq(draft) }, { seq: someSeq(draft) }];
  const made = draft.random.chance(3) ? { messages: kept } : { summary };
  return { kind: 'checkpoint', data: { from, to, ...made, dialect: draft.dialect } };
};

const garbage: readonly unknown[] = [
  null,
  7,
  'text',
  [],
  {},
  { to: 1e9, from: -1, seq: 'x', undo: {} },
  { to: 0.5, from: 2, summary: null },
  { dialect: '__proto__', wire: {} },
  { dialect: 'nobody', wire: [1] },
  { callId: 1, text: null },
];

const kinds = ['message', 'call.started', 'call.settled', 'checkpoint', 'revert', 'pin', 'fork', 'repair', 'future'];

/** Possible next records, common ones more often. */
const writers: readonly ((draft: Draft) => Written)[] = [
  ...Array.from({ length: 9 }, () => message),
  foreignMessage,
  (draft) => ({ kind: 'call.started', data: { callId: someId(draft) } }),
  (draft) => ({
    kind: 'call.settled',
    data: { callId: someId(draft), text: 'settled', error: draft.random.chance(4) },
  }),
  (draft) => ({ kind: 'revert', data: { to: someSeq(draft) } }),
  (draft) => {
    const last = draft.records.findLast(({ kind }) => kind === 'revert')?.seq ?? 1;
    return { kind: 'revert', data: { to: last - 1, undo: last } };
  },
  checkpoint,
  checkpoint,
  (draft) => ({ kind: 'checkpoint', data: { undo: someSeq(draft) } }),
  (draft) => ({ kind: 'pin', data: { seq: someSeq(draft), pinned: !draft.random.chance(3) } }),
  (draft) => ({ kind: 'fork', data: { from: 'elsewhere', at: draft.records.length } }),
  (draft) => ({ kind: 'repair', data: { rule: 'call-without-result', at: { seq: someSeq(draft) } } }),
  (draft) => ({ kind: draft.random.pick(kinds), data: draft.random.pick(garbage) }),
];

/** The log of a seed, and its main dialect. */
export function randomLog(seed: number): { readonly dialect: Dialect; readonly records: readonly SessionRecord[] } {
  const random = startRandom(seed);
  const dialect = random.pick(dialects);
  const source = healthy(dialect, random);
  plant(source, random, 2);
  const draft: Draft = { random, dialect, records: [], script: [...source.messages] };
  for (let left = random.between(8, 30); left > 0; left -= 1) {
    if (draft.script.length === 0) draft.script.push(...healthy(dialect, random).messages);
    const { kind, data } = random.pick(writers)(draft);
    const seq = draft.records.length + 1;
    // Stored data went through JSON, and kinds are arbitrary strings.
    const stored: unknown = JSON.parse(JSON.stringify({ v: 1, seq, id: `id-${seq}`, at: '', kind, data }));
    draft.records.push(stored as SessionRecord);
  }
  return { dialect, records: draft.records };
}
