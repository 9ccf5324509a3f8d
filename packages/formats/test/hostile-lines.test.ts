import { truncateSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openSession } from '../src/index.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

const message = {
  type: 'user',
  uuid: 'u1',
  parentUuid: null,
  sessionId: 's',
  message: { role: 'user', content: 'hi' },
};
const whole = lines(message);
const record = whole.trim();

// A line must not be searched again from each brace in it: 20 MB of braces and quotes took 43 seconds.
test.each([
  ['braces and quotes', '{"'.repeat(200_000), ['torn']],
  ['nothing but braces', '{'.repeat(400_000), ['torn']],
  ['keys that never end', '{"type":"'.repeat(60_000), ['torn']],
  ['objects in a list that is torn', `{"a":[${'{"b":1},'.repeat(100_000)}`, ['torn']],
  [
    'a torn record of 700 kB, and a whole one',
    `{"type":"user","a":"${'{"d":1} '.repeat(80_000)}${record}`,
    ['torn', 'glued'],
  ],
  ['brackets', `{"type":"user","uuid":"d","a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`, ['too-deep']],
])(
  'a line of %s is read in a time that grows with its length alone',
  async (_, line, kinds) => {
    const session = await openSession(join(temporaryFolder({ log: `${whole}${line}\n` }), 'log'));
    expect((await session.active()).messages).toHaveLength(1);
    expect(session.faults.map(({ kind }) => kind).slice(0, kinds.length)).toEqual(kinds);
  },
  10_000,
);

test('twenty thousand records on one line are twenty thousand records', async () => {
  const file = join(temporaryFolder({ log: `${record.repeat(20_000)}\n` }), 'log');
  const session = await openSession(file);
  expect(session.tool).toBe('claude-code');
  const glued = session.faults.filter(({ kind }) => kind === 'glued');
  expect(glued).toHaveLength(1000);
  expect(glued.at(-1)?.more).toBe(18_999);
});

test('fifty million zeros before the only record are one fault', async () => {
  const file = join(temporaryFolder({ log: `${'\0'.repeat(50_000_000)}${whole}` }), 'log');
  const session = await openSession(file);
  expect(session.faults.map(({ kind }) => kind)).toContain('nul');
  expect((await session.active()).messages).toHaveLength(1);
});

test('a document that is too large to be read whole is named', async () => {
  const path = join(temporaryFolder({ 'large.json': '{\n' }), 'large.json');
  truncateSync(path, 300_000_000);
  const { tool, faults } = await openSession(path);
  expect(tool).toBeUndefined();
  expect(faults.map(({ kind }) => kind)).toEqual(['too-long', 'unknown-format']);
});
