import { Agent, OpenAIProvider, Runner, tool, type AgentInputItem } from '@openai/agents';
import { call, reply } from '@rethread/simulator';
import { open, type Session, type Store } from '@rethread/store';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { KEY, useSimulator } from '../../simulator/test/clients/surroundings.ts';
import { durableTool } from '../src/durable-tool.ts';
import { durableModels, DurableSession } from '../src/openai-agents-store.ts';

const simulator = useSimulator({ keepBodies: true });
let store: Store;
let session: Session;
beforeEach(async () => {
  store = await open('memory:');
  session = await store.create({ id: 's' });
});
afterEach(() => store.close());

const user = (content: string): AgentInputItem => ({ role: 'user', content });
const answer = (text: string): AgentInputItem => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});
const asked = (callId: string): AgentInputItem => ({
  type: 'function_call',
  callId,
  name: 'deploy',
  arguments: '{"to":"prod"}',
  status: 'completed',
});

const textOf = (item: AgentInputItem): string => JSON.stringify('content' in item ? item.content : item);

const runnerFor = (durable: DurableSession, api: 'responses' | 'chat' = 'responses'): Runner => {
  const openAIClient = new OpenAI({ apiKey: KEY, baseURL: simulator().baseUrls.openai, maxRetries: 0 });
  const provider = new OpenAIProvider({ openAIClient, useResponses: api === 'responses' });
  return new Runner({ modelProvider: durableModels(provider, durable), tracingDisabled: true });
};

const agentWith = (run: (input: { to: string }) => string): Agent =>
  new Agent({
    name: 'ops',
    model: 'gpt-4.1',
    tools: [
      tool({
        name: 'deploy',
        description: 'deploys',
        strict: false,
        parameters: {
          type: 'object',
          properties: { to: { type: 'string' } },
          required: [],
          additionalProperties: true,
        },
        execute: durableTool({ session, name: 'deploy', run: (input: unknown) => run(input as { to: string }) }),
      }),
    ],
  });

describe('a durable session', () => {
  test.each(['responses', 'chat'] as const)('stores each item once, as it comes, over %s', async (api) => {
    const durable = new DurableSession(session);
    const agent = agentWith(({ to }) => `deployed to ${to}`);
    const runner = runnerFor(durable, api);
    simulator().script(reply('Now.', call('deploy', { to: 'prod' })), 'It is live.', 'You are welcome.');
    await runner.run(agent, 'Deploy it.', { session: durable });
    const items = await durable.getItems();
    expect(items.map((item) => item.type ?? 'message')).toEqual([
      'message',
      'message',
      'function_call',
      'function_call_result',
      'message',
    ]);
    const stream = await runner.run(agent, 'Thanks.', { session: durable, stream: true });
    for await (const _ of stream);
    await stream.completed;
    expect((await durable.getItems()).map(textOf).filter((text) => text.includes('Thanks'))).toHaveLength(1);
    expect(await durable.getItems()).toHaveLength(7);
    expect((await session.load()).filter(({ kind }) => kind === 'revert')).toEqual([]);
    expect(simulator().verdicts.every(({ accepted }) => accepted)).toBe(true);
  });

  test('keeps a run that died after its tool, which does not run again', async () => {
    let runs = 0;
    const agent = agentWith(() => {
      runs += 1;
      return 'deployed';
    });
    simulator().script(reply('Now.', call('deploy', { to: 'prod' })), 'It is live.');
    const durable = new DurableSession(session);
    const stream = await runnerFor(durable).run(agent, 'Deploy it.', { session: durable, stream: true });
    // The process dies when the result is on record: what it stored is copied to another store.
    while (!(await session.load()).some(({ kind }) => kind === 'call.settled')) {
      await new Promise((resolve) => void setTimeout(resolve, 1));
    }
    const records = await session.load();
    const upTo = records.findIndex(({ kind }) => kind === 'call.settled') + 1;
    for await (const _ of stream);
    const copy = await open('memory:');
    session = await copy.create({ id: 's' });
    await session.append(records.slice(0, upTo).map(({ kind, data }) => ({ kind, data })));

    const later = new DurableSession(session);
    expect(await later.interrupted()).toBe(true);
    simulator().script('It is live, as I said.');
    const { finalOutput } = await runnerFor(later).run(
      agentWith(() => expect.unreachable()),
      [],
      { session: later },
    );
    expect(finalOutput).toBe('It is live, as I said.');
    expect(await later.interrupted()).toBe(false);
    const items = (await later.getItems()).map(textOf).join('\n');
    expect(items).toContain('deployed');
    expect(items).toContain('Deploy it.');
    expect(runs).toBe(1);
    expect(simulator().verdicts.every(({ accepted }) => accepted)).toBe(true);
    await copy.close();
  });

  test('keeps text that was shown, and says what is not known about a call', async () => {
    await session.append([
      { kind: 'message', data: { dialect: 'openai-agents', wire: user('Deploy it.') } },
      { kind: 'message', data: { dialect: 'openai-agents', wire: asked('c1') } },
      {
        kind: 'call.started',
        data: { callId: 'c1', tool: 'deploy', input: { to: 'prod' }, effect: 'once', run: 'dead' },
      },
      { kind: 'call.started', data: { callId: 'c2', tool: 'deploy', input: {}, effect: 'once', run: 'dead' } },
      { kind: 'call.settled', data: { callId: 'c2', tool: 'deploy', output: { ok: true } } },
      { kind: 'note', data: { shown: 'While it ' } },
      { kind: 'note', data: { shown: 'deploys' } },
    ]);
    const items = (await new DurableSession(session).getItems()).map(textOf);
    expect(items.join('\n')).toContain('While it deploys');
    expect(items.join('\n')).toContain('may have run fully, partly or not at all');
    expect(items.filter((text) => text.includes('c2'))).toHaveLength(2);
    const again = (await new DurableSession(session).getItems()).map(textOf);
    expect(again).toEqual(items);
  });

  test('pops, clears and compacts the history, and the log keeps everything', async () => {
    const durable = new DurableSession(session);
    await durable.addItems([user('one'), answer('1'), user('two'), answer('2')]);
    expect(await durable.popItem()).toEqual(answer('2'));
    expect(await durable.popItem()).toEqual(user('two'));
    await durable.addItems([user('three')]);
    expect(await durable.getItems()).toEqual([user('one'), answer('1'), user('three')]);
    expect(await durable.getItems(1)).toEqual([user('three')]);
    await durable.replaceHistoryWithCompaction([user('what was said'), answer('yes')]);
    expect(await durable.popItem()).toEqual(answer('yes'));
    expect(await durable.getItems()).toEqual([user('what was said')]);
    await durable.clearSession();
    expect(await durable.getItems()).toEqual([]);
    expect(await durable.popItem()).toBeUndefined();
    expect(JSON.stringify(await session.load())).toContain('three');
  });

  test('brings back no call that was compacted away', async () => {
    await durableTool({ session, name: 'deploy', run: () => 'deployed' })({ to: 'prod' }, { toolCallId: 'c1' });
    await new DurableSession(session).addItems([user('Deploy it.'), asked('c1'), answer('Done.')]);
    expect((await new DurableSession(session).getItems()).map(textOf).join()).toContain('deployed');
    await new DurableSession(session).replaceHistoryWithCompaction([user('what was said')]);
    expect(await new DurableSession(session).getItems()).toEqual([user('what was said')]);
  });

  test('changes the history while tools record their results', async () => {
    const durable = new DurableSession(session);
    const notes = Array.from({ length: 50 }, (_, index) => session.append({ kind: 'note', data: index }));
    await Promise.all([...notes, durable.addItems([user('one')]), durable.addItems([answer('1')]), durable.popItem()]);
    expect(await durable.getItems()).toEqual([user('one')]);
  });

  test('pops an item of a checkpoint without losing its neighbours', async () => {
    const durable = new DurableSession(session);
    await durable.addItems([user('one'), answer('1')]);
    const wires = [user('summary'), answer('and more')].map((wire) => ({ wire }));
    await session.compact({ from: 1, to: 2, messages: wires, dialect: 'openai-agents' });
    expect(await durable.popItem()).toEqual(answer('and more'));
    expect(await durable.getItems()).toEqual([user('summary')]);
  });

  test('applies a transaction once, and only to the history that it expects', async () => {
    const durable = new DurableSession(session);
    const append = { type: 'append_items' as const, items: [user('one'), answer('1')] };
    await durable.applyHistoryTransaction({ operationId: 'a', transaction: append });
    await durable.applyHistoryTransaction({ operationId: 'a', transaction: append });
    expect(await durable.getItems()).toHaveLength(2);
    const replace = { type: 'replace_suffix' as const, expectedSuffix: [answer('1')], replacement: [answer('2')] };
    await durable.applyHistoryTransaction({ operationId: 'b', transaction: replace });
    await new DurableSession(session).applyHistoryTransaction({ operationId: 'b', transaction: replace });
    expect(await durable.getItems()).toEqual([user('one'), answer('2')]);
    await expect(durable.applyHistoryTransaction({ operationId: 'a', transaction: replace })).rejects.toThrow(
      /different transaction/,
    );
    await expect(durable.applyHistoryTransaction({ operationId: 'c', transaction: replace })).rejects.toThrow(
      /not what the transaction expects/,
    );
    expect(await durable.getItems()).toEqual([user('one'), answer('2')]);
  });

  test('sees what another handle has written meanwhile', async () => {
    const durable = new DurableSession(session);
    await durable.addItems([user('one')]);
    await session.close();
    const other = await store.session('s');
    await Promise.all([other.append({ kind: 'note', data: 1 }), other.append({ kind: 'note', data: 2 })]);
    await durable.addItems([user('two')]);
    expect(await durable.getItems()).toEqual([user('one'), user('two')]);
  });
});
