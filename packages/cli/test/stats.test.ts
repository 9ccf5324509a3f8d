import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { type NewRecord, open } from '@rethread/store';
import { beforeAll, describe, expect, test } from 'vitest';

import { bar } from '../src/terminal/bars.ts';
import { bundleCommand, createFolder, run } from './command.ts';

bundleCommand();
const folder = createFolder();
const url = `sqlite:${join(folder, 'sessions.db')}`;

const place = (turn: number, step: number): { turn: number; step: number } => ({ turn, step });
const state = (name: string, more: object = {}): NewRecord => ({
  kind: 'state',
  data: { state: name, ...place(1, 1), ...more },
});
const settled = (tool: string, more: object = {}): NewRecord => ({
  kind: 'call.settled',
  data: { callId: 'c', tool, text: '', ...more },
});
const calls = (tool: string): NewRecord => ({
  kind: 'message',
  data: {
    dialect: 'anthropic-messages',
    wire: { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: tool, input: {} }] },
  },
});
const resumed = (from: string, unsettled: number, ms: number): NewRecord => ({
  kind: 'note',
  data: { about: 'resumed', from, unsettled, ms, ...place(1, 1) },
});
const repaired = (rule: string, seq: number, loss: string): NewRecord => ({
  kind: 'repair',
  data: { key: `${rule} ${seq}`, rule, loss, at: { seq, pointer: '' } },
});

const hostile = 'deploy\u001b[2J';

beforeAll(async () => {
  const store = await open(url);
  const crashed = await store.create({ id: 'crashed' });
  await crashed.append([state('awaiting-model'), calls(hostile), state('running-tools')]);
  await crashed.append([resumed('running-tools', 2, 30), state('aborted', { by: 'crash' })]);
  await crashed.append([repaired('call-without-result', 2, 'synthetic'), repaired('reasoning-unsigned', 2, 'none')]);
  await crashed.append([settled(hostile, { placeholder: true }), settled('ls', { ms: 10 }), settled('ls', { ms: 30 })]);
  await crashed.fork({ id: 'fork' });
  const stopped = await store.create({ id: 'stopped' });
  await stopped.append([state('awaiting-model'), resumed('streaming', 0, 10), state('aborted', { by: 'stop' })]);
  await stopped.append([repaired('call-without-result', 1, 'synthetic'), settled('ls', { error: true, ms: 20 })]);
  await store.close();
});

const printed = `3 sessions in ${url}: 16 records, 2 turns, 2 requests

stops
  crash                    1  ████████████████████
  stop (somebody, Ctrl-C)  1  ████████████████████

3 repairs in 2 sessions, by rule
  call-without-result  2  ████████████████████
  reasoning-unsigned   1  ██████████

repairs by the stop before
  crash                    2  ████████████████████
  stop (somebody, Ctrl-C)  1  ██████████

repairs by tool
  deploy\\x1b[2J  2  ████████████████████

repairs by what was lost
  text put in   2  ████████████████████
  nothing lost  1  ██████████

tools
  tool           calls  errors  unsettled  late  mean
  ls             3      1       0          0     20 ms   ████████████████████
  deploy\\x1b[2J  1      0       1          0     0.0 ms  ██████▋

2 recoveries, 20 ms in the mean, 30 ms at most
  last save said  times  unsettled calls
  running-tools   1      2                ████████████████████
  streaming       1      0
`;

describe('rethread stats', () => {
  test('tells what was repaired, why, in which tool, what was lost, and where saving came too late', async () => {
    const { code, stdout, stderr } = await run(['stats', '--store', url]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(printed);
  });

  test('tells the same to machines, and about one session', async () => {
    const { stdout } = await run(['stats', 'stopped', '--store', url, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'rethread/stats@1',
      sessions: 1,
      stops: { stop: 1 },
      repairs: { total: 1, byRule: { 'call-without-result': 1 }, byStop: { stop: 1 }, byLoss: { synthetic: 1 } },
      recoveries: { total: 1, totalMs: 10, foundIn: { streaming: { sessions: 1, unsettled: 0 } } },
      repairsByTool: {},
      repairedSessions: 1,
      damaged: [],
    });
    expect((await run(['stats', 'nobody', '--store', url])).code).toBe(2);
  });

  test('a bar fills the width for the most, and shows whatever is not nothing', () => {
    expect([bar(8, 8, 2), bar(4, 8, 2), bar(3, 8, 2), bar(1, 1000, 2), bar(0, 8, 2)]).toEqual([
      '██',
      '█',
      '▊',
      '▏',
      '',
    ]);
  });
});

test('a model whose SDK is not installed is told with the line that installs it', async () => {
  const env = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', RETHREAD_MODEL: '' };
  const chat = (model: string): ReturnType<typeof run> =>
    run(['chat', 'hi', '--model', model, '--store', 'file:./in-vain'], { env, cwd: folder });
  expect(await chat('claude-sonnet-5')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'rethread: anthropic/claude-sonnet-5 needs the package @anthropic-ai/sdk beside rethread: npm i @anthropic-ai/sdk\n',
  });
  expect((await chat('gpt-5')).stderr).toContain(
    'openai/gpt-5 needs the package openai beside rethread: npm i openai\n',
  );
  expect(existsSync(join(folder, 'in-vain'))).toBe(false);
});
