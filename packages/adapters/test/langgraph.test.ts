import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { open, type Store } from '@rethread/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { durableTool } from '../src/durable-tool.ts';
import { RethreadSaver } from '../src/langgraph.ts';

let folder: string;
const opened: Store[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rethread-langgraph-'));
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const openStore = async (options = ''): Promise<Store> => {
  const store = await open(`file:${folder}/store${options}`);
  opened.push(store);
  return store;
};

const thread = (thread_id: string): { readonly configurable: { readonly thread_id: string } } => ({
  configurable: { thread_id },
});

type Update = typeof MessagesAnnotation.Update;

/** Two messages of about 470 bytes a step, as a node makes them. */
const messagesOf = (step: number): readonly BaseMessage[] => [
  new HumanMessage({ content: `question ${step} ${'why is that so '.repeat(30)}` }),
  new AIMessage({ content: `answer ${step} ${'because it is like that '.repeat(20)}` }),
];

async function growThread(saver: RethreadSaver, steps: number): Promise<readonly BaseMessage[]> {
  let done = 0;
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('step', () => ({ messages: [...messagesOf(done++)] }) as Update)
    .addEdge(START, 'step')
    .addConditionalEdges('step', () => (done < steps ? 'step' : END))
    .compile({ checkpointer: saver });
  const { messages } = await graph.invoke(
    { messages: [] },
    { ...thread('growing'), durability: 'sync', recursionLimit: steps + 10 },
  );
  return messages;
}

const bytesBelow = (path: string): number =>
  readdirSync(path, { withFileTypes: true }).reduce((sum, entry) => {
    const inside = join(path, entry.name);
    return sum + (entry.isDirectory() ? bytesBelow(inside) : statSync(inside).size);
  }, 0);

describe('RethreadSaver', () => {
  test('takes at most 1.2 times the JSON lines of what the steps add, and gives it back', async () => {
    const store = await openStore('?durability=os');
    const messages = await growThread(new RethreadSaver(store), 200);
    const lines = messages.reduce((sum, message) => sum + JSON.stringify(message).length + 1, 0);
    await store.close();
    expect(bytesBelow(folder) / lines).toBeLessThan(1.2);
    const later = await new RethreadSaver(await openStore()).getTuple(thread('growing'));
    const stored = later?.checkpoint.channel_values['messages'] as BaseMessage[];
    expect(JSON.parse(JSON.stringify(stored))).toEqual(JSON.parse(JSON.stringify(messages)));
    expect(stored[0]).toBeInstanceOf(HumanMessage);
  });

  test('continues a thread in another process and keeps its whole history', async () => {
    const build = (saver: RethreadSaver) =>
      new StateGraph(MessagesAnnotation)
        .addNode('answer', ({ messages }) => ({ messages: [new AIMessage(`${messages.length}`)] }))
        .addEdge(START, 'answer')
        .compile({ checkpointer: saver });
    const first = await openStore();
    await build(new RethreadSaver(first)).invoke({ messages: [new HumanMessage('one')] }, thread('t'));
    await first.close();
    const graph = build(new RethreadSaver(await openStore()));
    const { messages } = await graph.invoke({ messages: [new HumanMessage('two')] }, thread('t'));
    expect(messages.map(({ text }) => text)).toEqual(['one', '1', 'two', '3']);
    const steps: number[] = [];
    for await (const state of graph.getStateHistory(thread('t'))) steps.push(state.values.messages?.length ?? 0);
    expect(steps).toEqual([4, 3, 2, 2, 1, 0]);
  });

  test('forks from an earlier checkpoint, and both branches keep their values', async () => {
    let version = 0;
    const saver = new RethreadSaver(await openStore());
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('answer', () => ({ messages: [new AIMessage(`version ${(version += 1)}`)] }))
      .addEdge(START, 'answer')
      .compile({ checkpointer: saver });
    await graph.invoke({ messages: [new HumanMessage('one')] }, thread('t'));
    const before = [];
    for await (const state of graph.getStateHistory(thread('t'))) before.push(state);
    const [last, middle] = before;
    await graph.invoke(null, middle?.config ?? {});
    const texts = async (config: object): Promise<string[]> =>
      ((await graph.getState(config)).values.messages as BaseMessage[]).map(({ text }) => text);
    expect(await texts(thread('t'))).toEqual(['one', 'version 2']);
    expect(await texts(last?.config ?? {})).toEqual(['one', 'version 1']);
  });

  test('stores a message again that a node has changed in place', async () => {
    const saver = new RethreadSaver(await openStore());
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('write', () => ({ messages: [new AIMessage({ id: 'a', content: 'draft' })] }))
      .addNode('edit', ({ messages }) => {
        const [draft] = messages;
        if (draft !== undefined) draft.content = 'final';
        return { messages: [new AIMessage('done')] };
      })
      .addEdge(START, 'write')
      .addEdge('write', 'edit')
      .compile({ checkpointer: saver });
    await graph.invoke({ messages: [] }, thread('t'));
    const later = await new RethreadSaver(await openStore()).getTuple(thread('t'));
    const stored = later?.checkpoint.channel_values['messages'] as BaseMessage[];
    expect(stored.map(({ text }) => text)).toEqual(['final', 'done']);
  });

  test('repairs messages when it loads them, and leaves calls open that the tools node may still answer', async () => {
    const repairs: string[] = [];
    const saver = new RethreadSaver(await openStore(), { onReport: (report) => repairs.push(report.verdict) });
    const call = (id: string): AIMessage => new AIMessage({ content: '', tool_calls: [{ id, name: 'ls', args: {} }] });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('broken', () => ({ messages: [call('c1'), new HumanMessage('still there?'), call('c2')] }))
      .addEdge(START, 'broken')
      .compile({ checkpointer: saver });
    await graph.invoke({ messages: [new HumanMessage('list')] }, thread('t'));
    const tuple = await saver.getTuple(thread('t'));
    const messages = tuple?.checkpoint.channel_values['messages'] as BaseMessage[];
    expect(messages.map(({ type }) => type)).toEqual(['human', 'ai', 'tool', 'human', 'ai']);
    expect(repairs.length).toBeGreaterThan(0);
  });

  test('stores whole values with a serializer of the user, such as one that encrypts', async () => {
    const encode = (text: string): Uint8Array => Buffer.from(Buffer.from(text).toString('base64'));
    const serde = {
      dumpsTyped: async (value: unknown): Promise<[string, Uint8Array]> => ['secret', encode(JSON.stringify(value))],
      loadsTyped: async (type: string, data: Uint8Array | string) => {
        expect(type).toBe('secret');
        return JSON.parse(Buffer.from(String(Buffer.from(data as Uint8Array)), 'base64').toString()) as unknown;
      },
    };
    const saver = new RethreadSaver(await openStore(), { serde });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('answer', () => ({ messages: [new AIMessage('hidden')] }))
      .addEdge(START, 'answer')
      .compile({ checkpointer: saver });
    await graph.invoke({ messages: [new HumanMessage('one')] }, thread('t'));
    const records = await (await (await openStore()).session('t')).load();
    expect(JSON.stringify(records)).not.toContain('hidden');
    const tuple = await saver.getTuple(thread('t'));
    expect(JSON.stringify(tuple?.checkpoint.channel_values)).toContain('hidden');
    expect(tuple?.metadata).toMatchObject({ source: 'loop' });
  });

  test('gives tools their session when the call is stored', async () => {
    const saver = new RethreadSaver(await openStore());
    let seen = '';
    const deploy = tool(
      durableTool({
        session: saver.sessionOf,
        name: 'deploy',
        run: async (_: { to: string }, { callId }) => {
          seen = JSON.stringify(await (await (await openStore()).session('t')).load());
          return `deployed by ${callId}`;
        },
      }),
      { name: 'deploy', description: 'deploys', schema: { type: 'object', properties: { to: { type: 'string' } } } },
    );
    const asks = new AIMessage({ content: 'Now.', tool_calls: [{ id: 'c1', name: 'deploy', args: { to: 'prod' } }] });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('model', ({ messages }) => ({ messages: [messages.length === 1 ? asks : new AIMessage('Done.')] }))
      .addNode('tools', new ToolNode([deploy]))
      .addEdge(START, 'model')
      .addConditionalEdges('model', ({ messages }) => (messages.length === 2 ? 'tools' : END))
      .addEdge('tools', 'model')
      .compile({ checkpointer: saver });
    const { messages } = await graph.invoke({ messages: [new HumanMessage('deploy')] }, thread('t'));
    expect(messages.map(({ text }) => text)).toEqual(['deploy', 'Now.', 'deployed by c1', 'Done.']);
    expect(seen).toContain('"name":"deploy"');
    expect(seen).toContain('call.started');
  });

  test('deletes a thread, and says what is missing', async () => {
    const saver = new RethreadSaver(await openStore());
    await growThread(saver, 2);
    await saver.deleteThread('growing');
    await saver.deleteThread('never there');
    expect(await saver.getTuple(thread('growing'))).toBeUndefined();
    await expect(saver.stored({})).rejects.toThrow(/thread_id/);
    await expect(saver.sessionOf({})).rejects.toThrow(/thread_id/);
  });
});
