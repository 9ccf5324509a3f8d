import { readFileSync } from 'node:fs';

import { check, readSummaryMessage } from '@rethread/core';
import { call, reply } from '@rethread/simulator';
import { expect, test } from 'vitest';

import { type World, createWorld } from './agent-world.ts';
import { type Ended, bundleCommand, createFolder, place } from './command.ts';
import { lines } from './sessions.ts';

bundleCommand('with packages');
const parent = createFolder();

const turn = (n: number): object[] => [
  { role: 'user', content: `Read file ${n}.` },
  { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${n}`, name: 'read', input: { path: `${n}.txt` } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${n}`, content: 'words '.repeat(400) }] },
  { role: 'assistant', content: `File ${n} is full of words.` },
];
const session = lines([1, 2, 3, 4, 5, 6].flatMap(turn));
const summary = '## Goal\n- read the files in order\n## Files read\n- 1.txt';

interface Compacted extends Ended {
  readonly messages: readonly unknown[];
  readonly untouched: boolean;
  readonly asked: number;
}

async function compact(
  { run, simulator }: World,
  flags: readonly string[] = ['--write', '--ask-model'],
  env: Readonly<Record<string, string>> = {},
): Promise<Compacted> {
  const { path } = place(parent, 'session.jsonl', session);
  const ended = await run(['compact', path, '--budget', '1200', ...flags], { env });
  const after = readFileSync(path, 'utf8');
  const messages = after
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  return { ...ended, messages, untouched: after === session, asked: simulator.verdicts.length };
}

test.each([
  ['anthropic/claude-sonnet-5', {}],
  ['openai/gpt-5', { RETHREAD_MODEL: 'gpt-5' }],
  ['openai-chat/gpt-4.1', { RETHREAD_MODEL: 'openai-chat/gpt-4.1' }],
])('%s writes the summary where the environment is set up for it', async (name, given) => {
  const world = await createWorld(parent);
  world.simulator.script(summary);
  const env = { OPENAI_BASE_URL: world.simulator.baseUrls.openai, ...given };
  const { code, stdout, stderr, messages, asked } = await compact(world, undefined, env);
  expect([code, stderr]).toEqual([
    0,
    `rethread: the summary was written by ${name}; without --ask-model it is made by rules\n`,
  ]);
  expect(stdout).toMatch(/summary +done +written by the model in 1 request/);
  expect(readSummaryMessage(messages[0])?.content).toBe(summary);
  expect([check(messages).verdict, asked]).toEqual(['clean', 1]);
  expect(world.simulator.verdicts.every(({ accepted }) => accepted)).toBe(true);
});

test.each([
  ['nothing is written, so no model is asked', ['--ask-model'], {}],
  ['no key for any model', ['--write', '--ask-model'], { ANTHROPIC_BASE_URL: '' }],
  ['there is no key: set OPENAI_API_KEY', ['--write', '--ask-model'], { RETHREAD_MODEL: 'gpt-5' }],
  ['there is no key: set OPENAI_API_KEY', ['--write', '--ask-model', 'gpt-5'], {}],
  ['nobody knows how to ask', ['--write', '--ask-model'], { RETHREAD_MODEL: 'some-model' }],
])('nobody is asked, and the summary is made by rules: %s', async (why, flags, env) => {
  const world = await createWorld(parent);
  const { code, stdout, stderr, asked } = await compact(world, flags, env);
  expect([code, asked]).toEqual([0, 0]);
  expect(stderr).toContain(`rethread: the summary is made by rules: ${why}`);
  expect(stdout).toMatch(/rule-summary +done/);
});

test.each([[['--write']], [[]], [['--write', '--no-model']]])(
  'nothing is sent to a provider unless that is asked for: %j',
  async (flags) => {
    const world = await createWorld(parent);
    const { code, stderr, asked } = await compact(world, flags);
    expect([code, stderr, asked]).toEqual([0, '', 0]);
  },
);

test('a model that is busy is asked again', async () => {
  const world = await createWorld(parent);
  world.simulator.script(summary);
  world.simulator.inject('529@1');
  const { code, stderr, messages } = await compact(world);
  expect([code, stderr]).toEqual([0, expect.stringContaining('written by anthropic/claude-sonnet-5')]);
  expect(readSummaryMessage(messages[0])?.content).toBe(summary);
});

test.each([
  ['a call instead of words', [reply(call('read', { path: 'a' }))], 'empty: '],
  ['a refusal', ["I'm sorry, I can't help with that."], 'refusal: '],
])('%s leaves the file as it is, and the way out is told', async (_, answers, note) => {
  const world = await createWorld(parent);
  world.simulator.script(...answers);
  const { code, stdout, stderr, untouched } = await compact(world);
  expect([code, untouched]).toEqual([1, true]);
  expect(stdout).toContain(note);
  expect(stderr).toBe(
    'rethread: there is no summary by anthropic/claude-sonnet-5; without --ask-model it is made by rules\n',
  );
});

test('a provider that goes on refusing is asked three times and no more', async () => {
  const world = await createWorld(parent);
  world.simulator.inject('500');
  const { code, untouched, asked } = await compact(world);
  expect([code, untouched, asked]).toEqual([1, true, 3]);
});
