import {
  Agent,
  MemorySession,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  tool,
  type AgentInputItem,
  type Session,
} from '@openai/agents';
import type { Report } from '@rethread/core';
import { call, reply } from '@rethread/simulator';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';

import { KEY, rejection, useSimulator } from '../../simulator/test/clients/surroundings.ts';
import { repairingSession, type ItemStore } from '../src/openai-agents.ts';

const simulator = useSimulator({ keepBodies: true });
const clientOf = (): OpenAI => new OpenAI({ apiKey: KEY, baseURL: simulator().baseUrls.openai, maxRetries: 0 });

const read = tool({
  name: 'read',
  description: 'reads a file',
  strict: false,
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: [], additionalProperties: true },
  execute: (input) => `text of ${String((input as { path?: string }).path)}`,
});

const MODELS = [
  ['responses', () => new OpenAIResponsesModel(clientOf(), 'gpt-5')],
  ['chat', () => new OpenAIChatCompletionsModel(clientOf(), 'gpt-4.1')],
] as const;

const QUESTION: AgentInputItem = { role: 'user', content: 'What does it say?' };
const CALL: AgentInputItem = {
  type: 'function_call',
  callId: 'call_1',
  name: 'read',
  arguments: '{"path":"a.md"}',
  status: 'completed',
};
const RESULT: AgentInputItem = {
  type: 'function_call_result',
  callId: 'call_1',
  name: 'read',
  status: 'completed',
  output: { type: 'text', text: 'hello' },
};
const ANSWER: AgentInputItem = {
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'It says hello.' }],
};

/** The SDK itself leaves out a call without result; a result without its call it hands on. */
const ORPHANED: readonly AgentInputItem[] = [QUESTION, RESULT, ANSWER];
const HEALTHY: readonly AgentInputItem[] = [QUESTION, CALL, RESULT, ANSWER];

const runner = new Runner({ tracingDisabled: true });

describe.each(MODELS)('an agent on %s', (_name, model) => {
  const agentOf = (): Agent => new Agent({ name: 'reader', model: model(), tools: [read] });

  const ask = async (session: Session, how: string): Promise<unknown> => {
    if (how === 'whole') return (await runner.run(agentOf(), 'Are you still there?', { session })).finalOutput;
    const result = await runner.run(agentOf(), 'Are you still there?', { session, stream: true });
    await result.completed;
    if (result.error instanceof Error) throw result.error;
    return result.finalOutput;
  };

  describe.each(['whole', 'streamed'])('%s', (how) => {
    test('a session with a result whose call is gone is refused', async () => {
      const session = new MemorySession({ initialItems: [...ORPHANED] });
      expect(await rejection(ask(session, how))).toMatchObject({ status: 400 });
    });

    test.each([
      ['a list', () => [...ORPHANED]],
      ['another session', () => new MemorySession({ initialItems: [...ORPHANED] })],
    ])('a repairing session over %s is answered', async (_what, source) => {
      simulator().script('I am.');
      const reports: Report[] = [];
      const session = repairingSession(source(), { onReport: (report) => reports.push(report) });
      expect(await ask(session, how)).toBe('I am.');
      expect(reports[0]?.findings.map(({ rule }) => rule)).toEqual(['result-without-call']);
      expect(simulator().verdicts.map(({ accepted }) => accepted)).toEqual([true]);
    });
  });

  test('tools are run, and the session grows by what was said', async () => {
    simulator().script(reply(call('read', { path: 'b.md' })), 'They agree.', 'You are welcome.');
    const items = [...ORPHANED];
    const session = repairingSession(items);
    expect(await ask(session, 'whole')).toBe('They agree.');
    expect(items.slice(0, 3)).toEqual(ORPHANED);
    expect(items.slice(3).map((item) => item.type ?? 'message')).toEqual([
      'message',
      'function_call',
      'function_call_result',
      'message',
    ]);
    expect(await ask(session, 'whole')).toBe('You are welcome.');
    expect(simulator().verdicts.map(({ refusals }) => refusals)).toEqual([[], [], []]);
  });

  test('a call that was never answered is told to the model', async () => {
    simulator().script('I am.');
    expect(await ask(repairingSession([QUESTION, CALL]), 'whole')).toBe('I am.');
    expect(JSON.stringify(simulator().verdicts.at(-1)?.body)).toContain('no result was recorded for this call');
  });
});

describe('a call that waits for an approval', () => {
  const careful = tool({
    name: 'read',
    description: 'reads a file',
    strict: false,
    needsApproval: true,
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: [], additionalProperties: true },
    execute: () => 'hello',
  });

  test.each([
    ['a list', () => []],
    ['another session', () => new MemorySession()],
  ])('goes on with a repairing session over %s', async (_what, source) => {
    simulator().script(reply('Let me look.', call('read', { path: 'a.md' })), 'It says hello.', 'I am.');
    const agent = new Agent({ name: 'reader', model: new OpenAIResponsesModel(clientOf(), 'gpt-5'), tools: [careful] });
    const session = repairingSession(source());
    const stopped = await runner.run(agent, 'What does it say?', { session });
    expect(stopped.interruptions).toHaveLength(1);
    for (const interruption of stopped.interruptions) stopped.state.approve(interruption);
    expect((await runner.run(agent, stopped.state, { session })).finalOutput).toBe('It says hello.');
    expect((await runner.run(agent, 'Are you still there?', { session })).finalOutput).toBe('I am.');
    expect(simulator().verdicts.map(({ refusals }) => refusals)).toEqual([[], [], []]);
    expect(JSON.stringify(simulator().verdicts.at(-1)?.body)).not.toContain('no result was recorded');
  });
});

describe('the session itself', () => {
  const stored = (items: AgentInputItem[]): ItemStore & { items: AgentInputItem[] } => {
    const store = {
      items,
      read: () => Promise.resolve(store.items),
      write: (next: AgentInputItem[]) => Promise.resolve(void (store.items = next)),
    };
    return store;
  };

  test('keeps what is right as it is, and reports nothing', async () => {
    const reports: Report[] = [];
    const session = repairingSession([...HEALTHY], { sessionId: 'mine', onReport: (report) => reports.push(report) });
    expect(await session.getItems()).toEqual(HEALTHY);
    expect([await session.getSessionId(), reports]).toEqual(['mine', []]);
  });

  test('adds, pops and clears in the store, one after the other', async () => {
    const store = stored([]);
    const session = repairingSession(store);
    await Promise.all(HEALTHY.map((item) => session.addItems([item])));
    expect(store.items).toEqual(HEALTHY);
    expect(await session.popItem()).toEqual(ANSWER);
    expect(store.items).toEqual(HEALTHY.slice(0, 3));
    await session.clearSession();
    expect([store.items, await session.popItem(), await session.getItems()]).toEqual([[], undefined, []]);
    expect(await session.getSessionId()).toBe(await session.getSessionId());
  });

  test('stands on a list with more items than a call takes arguments', async () => {
    const list: AgentInputItem[] = Array.from({ length: 150_000 }, () => ({ role: 'user', content: 'more' }));
    await repairingSession(list).addItems([...HEALTHY]);
    expect([list.length, list.at(-1)]).toEqual([150_000 + HEALTHY.length, ANSWER]);
  });

  test('gives the newest items from the start of a turn where one is among them', async () => {
    const reports: unknown[] = [];
    const twice = [...HEALTHY, ...HEALTHY];
    const session = repairingSession(twice, { onReport: (report) => reports.push(report) });
    for (const more of [0, 1, 2]) expect(await session.getItems(HEALTHY.length + more)).toEqual(HEALTHY);
    expect(reports).toEqual([]);
  });

  test('gives the newest items, and a pair that the limit cuts is whole again as text', async () => {
    const session = repairingSession([...HEALTHY]);
    expect(await session.getItems(1)).toEqual([ANSWER]);
    expect(await session.getItems(0)).toEqual([]);
    expect(JSON.stringify(await session.getItems(2))).toContain('hello');
    expect((await session.getItems(2)).map((item) => item.type)).not.toContain('function_call_result');
  });

  test('goes on after a store that failed once', async () => {
    const store = stored([]);
    const failing = { ...store, write: () => Promise.reject(new Error('full')) };
    const session = repairingSession(failing);
    expect(await rejection(session.addItems([QUESTION]))).toMatchObject({ message: 'full' });
    expect(await session.getItems()).toEqual([]);
  });

  test('what is given out is not the store itself', async () => {
    const items = [...HEALTHY];
    const session = repairingSession(items);
    const [first] = await session.getItems();
    (first as { content: string }).content = 'changed';
    expect(items).toEqual(HEALTHY);
  });

  test('policy, evidence and open calls are chosen as in the core', async () => {
    const denied = repairingSession([QUESTION, CALL], { evidence: { call_1: 'denied' } });
    expect(JSON.stringify(await denied.getItems())).toContain('permission for this call was refused');
    expect(await repairingSession([QUESTION, CALL], { policy: 'discard' }).getItems()).toEqual([QUESTION]);
    expect(await repairingSession([QUESTION, CALL], { open: 'leave', model: 'gpt-5' }).getItems()).toEqual([
      QUESTION,
      CALL,
    ]);
  });

  test('a session that is wrapped keeps its abilities and its own fields', async () => {
    const inner = new MemorySession({ sessionId: 'inner', initialItems: [...HEALTHY] });
    const session = repairingSession(inner) as MemorySession;
    expect(await session.getSessionId()).toBe('inner');
    await session.applyHistoryTransaction({
      operationId: 'one',
      transaction: { type: 'append_items', items: [QUESTION] },
    });
    expect(await inner.getItems(1)).toEqual([QUESTION]);
    expect(await session.getItems(1)).toEqual([QUESTION]);
  });
});
