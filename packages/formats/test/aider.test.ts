import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { openSession, sessions } from '../src/index.ts';
import { collect } from './collect.ts';
import { absentIn, kindsOf, openText } from './open-text.ts';
import { temporaryFolder } from './temporary-folder.ts';

const fixture = fileURLToPath(new URL('../src/aider/fixtures/.aider.chat.history.md', import.meta.url));
const start = '# aider chat started at 2026-11-01 10:00:00\n\n';

test('a history is texts of the user and answers', async () => {
  const session = await openSession(fixture);
  const { messages, places } = await session.active();
  expect(messages).toEqual([
    { role: 'user', content: 'Look at a.txt.' },
    { role: 'assistant', content: 'It says hello.' },
  ]);
  expect(places[0]).toMatchObject([{ kind: 'line', line: 7 }]);
  expect(session).toMatchObject({ tool: 'aider', title: 'Look at a.txt.', models: ['claude-sonnet-4-5'], faults: [] });
  expect((await absentIn(session))['hidden']).toBe(2);
});

test('several lines of a prompt are one, and all sessions of a file are one history', async () => {
  const session = await openText(
    `${start}#### /add a.txt\n> Added.\n#### one  \n#### two  \n\nAnswer.\n\n${start}#### three\n`,
    'h.md',
  );
  expect((await session.active()).messages).toEqual([
    { role: 'user', content: '/add a.txt' },
    { role: 'user', content: 'one  \ntwo' },
    { role: 'assistant', content: 'Answer.' },
    { role: 'user', content: 'three' },
  ]);
  expect(session.title).toBe('one');
});

test('zeros are said, and carriage returns do no harm', async () => {
  const session = await openText(`${start}#### one\r\n\r\nAnswer.\r\n\0\0\0\n`.replace('# aider', '\n# aider'), 'h.md');
  expect(kindsOf(session)).toEqual(['nul']);
  expect((await session.active()).messages).toHaveLength(2);
});

test('histories in projects are found', async () => {
  const home = temporaryFolder({ 'work/project/.aider.chat.history.md': `${start}#### one\n` });
  const found = await collect(sessions({ system: { platform: 'linux', home, env: {} } }));
  expect(found).toMatchObject([{ tool: 'aider', title: 'one' }]);
});
