import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { expect, test } from 'vitest';

import { openSession, sessions } from '../src/index.ts';
import { collect } from './collect.ts';
import { absentIn, kindsOf, openText } from './open-text.ts';
import { lines, temporaryFolder } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;

const fixture = fileURLToPath(new URL('../src/grok/fixtures/updates.jsonl', import.meta.url));

const update = (sessionUpdate: string, fields: Fields): Fields => ({
  timestamp: 1793527200,
  method: 'session/update',
  params: { sessionId: 's1', update: { sessionUpdate, ...fields } },
});
const chunk = (kind: string, text: string): Fields => update(kind, { content: { type: 'text', text } });

test('chunks that follow each other are one message', async () => {
  const session = await openSession(fixture);
  const { messages, places } = await session.active();
  expect(messages).toEqual([
    { role: 'user', content: [{ type: 'input_text', text: 'Look at a.txt.' }] },
    { role: 'assistant', content: [{ type: 'output_text', text: 'I will read it.' }] },
    { type: 'function_call', call_id: 'call-1', name: 'read_file', arguments: '{"target_file":"a.txt"}' },
    { type: 'function_call_output', call_id: 'call-1', output: 'hello' },
    { role: 'assistant', content: [{ type: 'output_text', text: 'It says hello.' }] },
  ]);
  expect(places[1]).toHaveLength(2);
  expect(check(messages, 'openai-responses').verdict).toBe('clean');
  expect(session).toMatchObject({ tool: 'grok', id: 's1', title: 'Look at a.txt.', models: ['grok-4.5'], faults: [] });
});

test('thoughts are shown, and kinds that nobody knows are said', async () => {
  const session = await openText(
    lines(chunk('user_message_chunk', 'one'), chunk('agent_thought_chunk', 'hm'), update('dream', {})),
  );
  expect(await absentIn(session)).toEqual({ hidden: 1 });
  expect(kindsOf(session)).toEqual(['unknown-record']);
});

test('the log that is made of it is read when it is named', async () => {
  const rows = [
    { type: 'system', content: 'You are Grok.' },
    { type: 'user', content: [{ type: 'text', text: '<user_info>' }], synthetic_reason: 'environment_context' },
    { type: 'user', content: [{ type: 'text', text: 'one' }], prompt_index: 0 },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed', status: 'completed' },
    {
      type: 'assistant',
      content: 'Look.',
      tool_calls: [{ id: 'c1', name: 'read', arguments: '{"a":1}' }],
      model_id: 'grok-4.5',
    },
    { type: 'tool_result', tool_call_id: 'c1', content: 'A' },
    { type: 'backend_tool_call', kind: { tool_type: 'web_search' } },
  ];
  const session = await openText(lines(...rows), 's1/chat_history.jsonl');
  const { messages, system } = await session.active();
  expect(session).toMatchObject({ tool: 'grok', id: 's1', title: 'one', models: ['grok-4.5'], faults: [] });
  expect(system).toBe('You are Grok.');
  expect(messages.slice(2)).toEqual([
    { type: 'reasoning', summary: [], encrypted_content: 'sealed' },
    { role: 'assistant', content: [{ type: 'output_text', text: 'Look.' }] },
    { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"a":1}' },
    { type: 'function_call_output', call_id: 'c1', output: 'A' },
  ]);
});

test('sessions are found, with the titles of their summaries', async () => {
  const folder = '.grok/sessions/%2Fproject/s1';
  const home = temporaryFolder({
    [`${folder}/updates.jsonl`]: lines(chunk('user_message_chunk', 'one')),
    [`${folder}/summary.json`]: JSON.stringify({ info: { id: 's1', cwd: '/project' }, generated_title: 'My work' }),
  });
  const found = await collect(sessions({ system: { platform: 'linux', home, env: {} } }));
  expect(found).toMatchObject([{ tool: 'grok', id: 's1', title: 'one' }]);
  expect(await openSession(join(home, folder, 'updates.jsonl'))).toMatchObject({ title: 'My work', cwd: '/project' });
});
