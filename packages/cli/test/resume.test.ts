import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { call, reply } from '@rethread/simulator';
import type { NewRecord } from '@rethread/store';
import { describe, expect, test } from 'vitest';

import { type World, createWorld, isShown } from './agent-world.ts';
import { bundleCommand, createFolder } from './command.ts';

bundleCommand('with packages');
const parent = createFolder();

const place = { turn: 1, step: 1 };

interface Listed {
  readonly sessions: readonly { readonly id: string }[];
}

/** A session whose process was killed while a tool was running. */
function killedInTool(tool: string, effect: string): readonly NewRecord[] {
  const message = (role: string, content: unknown): NewRecord => ({
    kind: 'message',
    data: { dialect: 'anthropic-messages', wire: { role, content }, ...place },
  });
  const input = { path: 'a.txt' };
  return [
    { kind: 'state', data: { state: 'awaiting-model', ...place } },
    message('user', 'Look into a.txt.'),
    message('assistant', [{ type: 'tool_use', id: 'toolu_1', name: tool, input }]),
    { kind: 'state', data: { state: 'running-tools', ...place } },
    { kind: 'call.started', data: { callId: 'toolu_1', tool, input, key: 'k', effect, ...place } },
  ];
}

async function worldWith(tool: string, effect: string): Promise<World> {
  const world = await createWorld(parent);
  writeFileSync(join(world.folder, 'a.txt'), 'the moon');
  await world.leave('cut', killedInTool(tool, effect));
  world.simulator.script('All is well.');
  return world;
}

/** What the model was told about the call. */
const told = async ({ records }: World): Promise<unknown> =>
  (await records()).flatMap(({ kind, data }) => (kind === 'call.settled' ? [(data as { text: string }).text] : []));

describe('rethread resume', () => {
  test('finishes what another process was killed at, word by word', async () => {
    const { start, run, simulator, stored } = await createWorld(parent);
    simulator.script('This answer never comes to its end.', 'Here is the rest.');
    simulator.inject('stall:4@1');
    const chat = start(['chat', 'talk']);
    await stored(isShown);
    chat.signal('SIGKILL');
    await chat.ended;
    const { code, stdout, stderr } = await run(['resume', 'last']);
    expect([code, stdout]).toEqual([0, 'Here is the rest.\n']);
    expect(stderr).toMatch(/The run before ended while streaming; recovered in \d+ ms\.\n/);
    expect(stderr).toMatch(/kept of the answer: This /);
    expect(simulator.verdicts.map(({ accepted }) => accepted)).toEqual([true, true]);
    const again = await run(['resume', 'last']);
    expect([again.code, again.stdout]).toEqual([0, '']);
    expect(again.stderr).toContain('The last turn is over; there is nothing to finish.');
  });

  test('says that there is nothing to finish in a session where nothing was said', async () => {
    const world = await createWorld(parent);
    await world.leave('empty', [{ kind: 'note', data: { about: 'chat', model: 'anthropic/claude-sonnet-5' } }]);
    const { code, stdout, stderr } = await world.run(['resume', 'empty']);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('there is nothing to finish.');
  });

  test('answers the question that the session went back to', async () => {
    const world = await createWorld(parent);
    const { run, simulator } = world;
    simulator.script('First.', 'Second.');
    await run(['chat', 'Well?']);
    const question = (await world.records()).find(({ kind }) => kind === 'message')?.seq;
    const listed = JSON.parse((await run(['sessions', '--json'])).stdout) as Listed;
    const id = listed.sessions[0]?.id ?? '';
    expect((await run(['revert', id, '--to', String(question)])).code).toBe(0);
    const { code, stdout } = await run(['resume', id]);
    expect([code, stdout]).toEqual([0, 'Second.\n']);
  });

  test('runs a tool again that only reads', async () => {
    const world = await worldWith('read_file', 'read');
    const { code, stdout, stderr } = await world.run(['resume', 'cut']);
    expect([code, stdout]).toEqual([0, 'All is well.\n']);
    expect(stderr).toContain(
      'unsettled: read_file {"path":"a.txt"} toolu_1: may have run (effect: read) → run again\n',
    );
    expect(await told(world)).toEqual(['the moon']);
  });

  test('decides nothing about a call that may have run, and says how to decide', async () => {
    const world = await worldWith('deploy', 'once');
    const { code, stdout, stderr } = await world.run(['resume', 'cut']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(
      'unsettled: deploy {"path":"a.txt"} toolu_1: may have run (effect: undeclared) → left open',
    );
    expect(stderr).toContain('rethread resume cut --unsettled close|remove|re-execute');
    const elsewhere = await world.run(['resume', 'cut', '--store', world.url], { env: { RETHREAD_STORE: '' } });
    expect(elsewhere.stderr).toContain(`rethread resume cut --store ${world.url} --unsettled close|remove|re-execute`);
    expect(await told(world)).toEqual([]);
    expect(world.simulator.verdicts).toEqual([]);
  });

  test.each([
    ['close', [expect.stringContaining('It may have run fully, partly or not at all')]],
    ['remove', []],
    ['re-execute', [expect.stringContaining('It may have run fully, partly or not at all')]],
  ])('--unsettled %s finishes it, and never runs it a second time', async (choice, texts) => {
    const world = await worldWith('deploy', 'once');
    const { code, stdout } = await world.run(['resume', 'cut', '--unsettled', choice]);
    expect([code, stdout]).toEqual([0, 'All is well.\n']);
    expect(await told(world)).toEqual(texts);
    expect(world.simulator.verdicts).toMatchObject([{ accepted: true }]);
  });

  test('knows the model that the session was talked to with', async () => {
    const { run, simulator } = await createWorld(parent);
    const env = { OPENAI_BASE_URL: simulator.baseUrls.openai };
    simulator.script(reply(call('current_time')), { failure: 'No.', status: 400 }, 'Now.');
    const failed = await run(['chat', '--model', 'openai-chat/gpt-4.1', 'when?'], { env });
    expect(failed.code).toBe(2);
    const { code, stdout } = await run(['resume', 'last'], { env });
    expect([code, stdout]).toEqual([0, 'Now.\n']);
    expect(new Set(simulator.verdicts.map(({ path }) => path))).toEqual(new Set(['/v1/chat/completions']));
  });

  test('a choice that there is not is refused, and so is a session that there is not', async () => {
    const { run } = await worldWith('deploy', 'once');
    const odd = await run(['resume', 'cut', '--unsettled', 'forget']);
    expect([odd.code, odd.stderr]).toEqual([2, 'rethread: "forget" is none of close, remove, re-execute\n']);
    expect((await run(['resume', 'nobody'])).stderr).toBe('rethread: there is no session "nobody"\n');
  });
});
