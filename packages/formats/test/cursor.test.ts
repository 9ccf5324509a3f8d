import { expect, test } from 'vitest';

import { sessions } from '../src/index.ts';
import { collect } from './collect.ts';
import { absentIn, kindsOf, openText, textsIn } from './open-text.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

const say = (role: string, ...content: readonly object[]) => ({ role, message: { content } });
const text = (value: string) => ({ type: 'text', text: value });
const call = { type: 'tool_use', name: 'Shell', input: { command: 'ls' } };

test('calls have no results by design: texts are shown, and a fault says where the rest is', async () => {
  const log = lines(
    say('user', text('<user_query>\nList\n</user_query>')),
    say('assistant', call),
    say('assistant', text('Done.')),
  );
  const session = await openText(log);
  expect(session).toMatchObject({ tool: 'cursor', title: 'List' });
  expect(await textsIn(session)).toEqual(['<user_query>\nList\n</user_query>', 'Done.']);
  expect(await absentIn(session)).toEqual({ hidden: 1 });
  expect(kindsOf(session)).toEqual(['missing-file']);
});

test('a transcript of nothing but texts has no fault, and a torn one has', async () => {
  const whole = lines(say('user', text('one')), say('assistant', text('two')));
  expect(kindsOf(await openText(whole))).toEqual([]);
  expect(kindsOf(await openText(whole.slice(0, -9)))).toEqual(['torn']);
});

test('transcripts are found, and those of subagents name their session', async () => {
  const content = lines(say('user', text('one')));
  const folder = '.cursor/projects/p/agent-transcripts/s1';
  const home = temporaryFolder({ [`${folder}/s1.jsonl`]: content, [`${folder}/subagents/a1.jsonl`]: content });
  const found = await collect(sessions({ system: { platform: 'linux', home, env: {} } }));
  expect(new Map(found.map(({ id, parent }) => [id, parent]))).toEqual(
    new Map([
      ['s1', undefined],
      ['a1', 's1'],
    ]),
  );
});
