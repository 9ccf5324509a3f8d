import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { openSession } from '../src/index.ts';
import { absentIn, openJson, openText, textsIn } from './open-text.ts';

type Fields = Readonly<Record<string, unknown>>;

const fixture = fileURLToPath(new URL('../src/roo/fixtures/api_conversation_history.json', import.meta.url));

const say = (text: string, fields: Fields = {}): Fields => ({
  role: text.startsWith('u') ? 'user' : 'assistant',
  content: [{ type: 'text', text }],
  ts: 1,
  ...fields,
});

test('a history begins with its last summary', async () => {
  const session = await openSession(fixture);
  expect(await textsIn(session)).toEqual(['Summary: a.txt says hello.', 'What next?']);
  expect(await absentIn(session)).toEqual({ compacted: 2 });
  expect(session).toMatchObject({ tool: 'roo', title: 'Look at a.txt.' });
});

test('what a cut stands for is left out while the cut is there', async () => {
  const cut = say('u cut', { isTruncationMarker: true, truncationId: 't1' });
  const history = [say('u1'), say('a2', { truncationParent: 't1' }), say('u3', { truncationParent: 't2' }), cut];
  const session = await openJson(history);
  expect(await textsIn(session)).toEqual(['u1|u3|u cut']);
});

test('what a summary stood for comes back when the summary is deleted', async () => {
  const session = await openJson([say('u1', { condenseParent: 'gone' }), say('a2')]);
  expect(await textsIn(session)).toEqual(['u1', 'a2']);
});

test('a history without a summary is known by the folder of the extension', async () => {
  const content = JSON.stringify([say('u1'), say('a2')]);
  const inside = await openText(content, 'rooveterinaryinc.roo-cline/tasks/17/api_conversation_history.json');
  expect(inside).toMatchObject({ tool: 'roo', id: '17' });
  expect((await openText(content, 'api_conversation_history.json')).tool).toBe('cline');
});
