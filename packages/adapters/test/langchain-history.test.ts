import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { open } from '@rethread/store';
import { expect, test } from 'vitest';

import { RethreadChatMessageHistory } from '../src/langchain-history.ts';

test('a chat history comes back as messages of their classes, in another process too', async () => {
  const store = await open('memory:');
  const session = await store.create({ id: 's' });
  const call = { id: 'c1', name: 'ls', args: { path: '.' }, type: 'tool_call' as const };
  const messages = [
    new SystemMessage('Be brief.'),
    new HumanMessage('List.'),
    new AIMessage({ content: '', tool_calls: [call] }),
    new ToolMessage({ content: 'a, b', tool_call_id: 'c1', name: 'ls' }),
    new AIMessage({ content: 'Two files.', response_metadata: { model: 'm' } }),
  ];
  await new RethreadChatMessageHistory(session).addMessages(messages);
  const stored = await new RethreadChatMessageHistory(await store.session('s')).getMessages();
  expect(stored.map((message) => message.constructor)).toEqual(messages.map((message) => message.constructor));
  expect(JSON.parse(JSON.stringify(stored))).toEqual(JSON.parse(JSON.stringify(messages)));
  await store.close();
});

test('a call without a result is closed when the history is read, and clear empties it', async () => {
  const store = await open('memory:');
  const history = new RethreadChatMessageHistory(await store.create({ id: 's' }));
  await history.addMessage(new HumanMessage('List.'));
  await history.addMessage(new AIMessage({ content: '', tool_calls: [{ id: 'c1', name: 'ls', args: {} }] }));
  await history.addMessages([]);
  expect((await history.getMessages()).map(({ type }) => type)).toEqual(['human', 'ai', 'tool']);
  await history.clear();
  expect(await history.getMessages()).toEqual([]);
  await history.addUserMessage('Hello.');
  expect((await history.getMessages()).map(({ text }) => text)).toEqual(['Hello.']);
  await store.close();
});
