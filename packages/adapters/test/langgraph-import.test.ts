import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { open } from '@rethread/store';
import { afterAll, expect, test } from 'vitest';

import { RethreadSaver } from '../src/langgraph.ts';
import { importThreads } from '../src/langgraph-import.ts';

const folder = mkdtempSync(join(tmpdir(), 'rethread-langgraph-import-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Saver = MemorySaver | SqliteSaver | RethreadSaver;

const graphOn = (checkpointer: Saver) =>
  new StateGraph(MessagesAnnotation)
    .addNode('answer', ({ messages }) => ({ messages: [new AIMessage(`answer ${messages.length}`)] }))
    .addNode('ask', () => ({ messages: [new HumanMessage(String(interrupt('Go on?')))] }))
    .addEdge(START, 'answer')
    .addEdge('answer', 'ask')
    .compile({ checkpointer });

const config = (thread_id: string): { configurable: { thread_id: string } } => ({ configurable: { thread_id } });

test.each([
  ['MemorySaver', () => new MemorySaver()],
  ['SqliteSaver', () => SqliteSaver.fromConnString(join(folder, 'checkpoints.db'))],
] as const)('threads of %s come over whole, and go on where they were', async (_, make) => {
  const from = make();
  for (const id of ['one', 'two']) await graphOn(from).invoke({ messages: [new HumanMessage(id)] }, config(id));
  const store = await open('memory:');
  const into = new RethreadSaver(store);
  const imported = await importThreads({ from, into });
  expect(imported).toMatchObject({ threads: 2, checkpoints: 6, lost: [] });
  expect(imported.writes).toBeGreaterThan(0);
  expect(await importThreads({ from, into, thread: 'one' })).toMatchObject({ threads: 1, writes: 0, lost: [] });
  const { values, tasks } = await graphOn(into).getState(config('two'));
  expect((values.messages as BaseMessage[]).map(({ text }) => text)).toEqual(['two', 'answer 1']);
  expect(tasks.flatMap(({ interrupts }) => interrupts.map(({ value }) => value as unknown))).toEqual(['Go on?']);
  await store.close();
});

test('a checkpoint that did not come through is named', async () => {
  const from = new MemorySaver();
  await graphOn(from).invoke({ messages: [new HumanMessage('one')] }, config('one'));
  const into = new MemorySaver();
  into.putWrites = async () => undefined;
  const { lost } = await importThreads({ from, into });
  expect(lost.map(({ what }) => what)).toContain('the pending writes');
});
