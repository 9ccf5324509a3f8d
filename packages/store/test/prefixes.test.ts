import { type SessionRecord, prepare, project, projectAsRecorded } from '@rethread/core';
import { judge } from '@rethread/simulator';
import { open } from '@rethread/store';
import { expect, test } from 'vitest';

import { seedAt } from '../../core/test/fuzz/random.ts';
import { toSessionRecord } from '../src/record.ts';
import { randomLog } from './random-log.ts';
import { randomSessions } from './random-sessions.ts';

const seed = Number(process.env['RETHREAD_SEED'] ?? 20261116);
const logs = Number(process.env['RETHREAD_LOGS'] ?? 300);

/** The number of prefixes examined, and of those repaired. */
const tally = { prefixes: 0, repaired: 0 };

/** The fault of a prefix; undefined if it is sendable and accepted. */
function faultOf(records: readonly SessionRecord[]): string | undefined {
  tally.prefixes += 1;
  const history = project(records);
  const recorded = projectAsRecorded(records);
  const { sendable, report, sources } = prepare(records);
  if (report.verdict !== 'clean') tally.repaired += 1;
  if (sendable === undefined) return `not sendable: ${report.findings.map(({ rule }) => rule).join(', ')}`;
  if (sources.length !== (recorded?.messages.length ?? 0)) return 'messages without a record';
  // A log without messages has no dialect and is an empty list in any.
  if (history === undefined) return JSON.stringify(sendable.wire) === '[]' ? undefined : 'messages out of nothing';
  const refusals = judge(history.dialect, sendable.wire);
  return refusals.length === 0 ? undefined : `refused: ${refusals.map(({ text }) => text).join(', ')}`;
}

const checkPrefixes = (records: readonly SessionRecord[], name: string): void => {
  for (let length = 1; length <= records.length; length += 1) {
    expect(faultOf(records.slice(0, length)), `${name}, the first ${length} records`).toBeUndefined();
  }
};

test('every prefix of every log projects to a sendable history that the judge accepts', () => {
  for (let index = 0; index < logs; index += 1) {
    const own = seedAt(seed, index);
    checkPrefixes(randomLog(own).records, `seed ${own}`);
  }
  // Logs without repairs would prove nothing.
  expect(tally.prefixes).toBeGreaterThan(8 * logs - 1);
  expect(tally.repaired / tally.prefixes).toBeGreaterThan(0.3);
});

test('every prefix of a session is sendable, through forks, reverts, compactions and recoveries', async () => {
  const store = await open('memory:');
  for (let index = 0; index < logs / 5; index += 1) {
    const own = seedAt(seed + 2, index);
    for (const session of await randomSessions(store, own)) {
      const records = await session.load();
      checkPrefixes(records.map(toSessionRecord), `seed ${own}, session ${session.id}`);
      const { audit, sendable } = await store.recoverSession(session.id);
      const name = `seed ${own}, session ${session.id}`;
      expect([name, audit.written, sendable === undefined]).toEqual([name, 0, false]);
      const copy = await store.import(session.export(), { id: `${session.id} copy` });
      expect((await session.verify()).digest).toBe(copy.digest);
    }
  }
  await store.close();
});

test('every log continues with another provider', () => {
  const targets = ['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini'] as const;
  for (let index = 0; index < logs / 2; index += 1) {
    const own = seedAt(seed + 3, index);
    const { records } = randomLog(own);
    for (const target of targets) {
      const { sendable } = prepare(records, target);
      const refusals = sendable === undefined ? ['not sendable'] : judge(target, sendable.wire).map(({ text }) => text);
      expect([own, target, refusals]).toEqual([own, target, []]);
    }
  }
});

test('a repair note never changes the history', () => {
  for (let index = 0; index < logs / 5; index += 1) {
    const { records } = randomLog(seedAt(seed + 1, index));
    const without = records.filter(({ kind }) => kind !== 'repair');
    const texts = JSON.stringify(project(records)?.messages);
    expect(texts, `seed ${seedAt(seed + 1, index)}`).toBe(JSON.stringify(project(without)?.messages));
  }
});
