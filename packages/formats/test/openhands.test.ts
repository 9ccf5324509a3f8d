import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { check } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { openSession, sessions, type ToolSession } from '../src/index.ts';
import { collect } from './collect.ts';
import { absentIn, kindsOf, openJson, textsIn } from './open-text.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Fields = Readonly<Record<string, unknown>>;

const fixture = fileURLToPath(new URL('../src/openhands/fixtures/trajectory.json', import.meta.url));

const text = (value: string): Fields[] => [{ type: 'text', text: value }];

describe('the older program', () => {
  const user = (id: number, content: string): Fields => ({ id, source: 'user', action: 'message', args: { content } });
  const metadata = (tool_call_id: string): Fields => ({
    function_name: 'run',
    tool_call_id,
    model_response: { id: 'r1' },
  });
  const run = (id: number, call: string): Fields => ({
    id,
    source: 'agent',
    action: 'run',
    args: { command: 'ls' },
    tool_call_metadata: metadata(call),
  });
  const seen = (id: number, call: string): Fields => ({
    id,
    source: 'agent',
    observation: 'run',
    content: `out ${call}`,
    tool_call_metadata: metadata(call),
  });

  test('pairs calls with what was seen, by the id of the call', async () => {
    const session = await openSession(fixture);
    const { messages } = await session.active();
    expect(messages).toEqual([
      { role: 'user', content: 'Look at a.txt.' },
      {
        role: 'assistant',
        content: 'I will read it.',
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'read', arguments: '{"path":"a.txt","thought":"I will read it."}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'hello' },
      { role: 'assistant', content: 'It says hello.' },
    ]);
    expect(check(messages, 'openai-chat').verdict).toBe('clean');
    expect(session).toMatchObject({ tool: 'openhands', title: 'Look at a.txt.', faults: [] });
  });

  test('makes parallel calls of actions that follow each other', async () => {
    const session = await openJson([user(1, 'one'), run(2, 'a'), run(3, 'b'), seen(4, 'a'), seen(5, 'b')]);
    const { messages } = await session.active();
    expect(messages[1]).toMatchObject({ tool_calls: [{ id: 'a' }, { id: 'b' }] });
    expect(check(messages, 'openai-chat').verdict).toBe('clean');
  });

  test('never gives the end a result', async () => {
    const end = {
      id: 2,
      source: 'agent',
      action: 'finish',
      args: { final_thought: 'Done.' },
      tool_call_metadata: metadata('c'),
    };
    const session = await openJson([user(1, 'one'), end]);
    expect((await session.active()).messages.at(-1)).toEqual({ role: 'assistant', content: 'Done.' });
  });

  test('forgets a range of events, for which a summary stands', async () => {
    const args = { forgotten_events_start_id: 2, forgotten_events_end_id: 3, summary: 'short', summary_offset: 1 };
    const condensation = { id: 5, source: 'agent', action: 'condensation', args };
    const session = await openJson([user(1, 'one'), run(2, 'a'), seen(3, 'a'), user(4, 'two'), condensation]);
    expect(await textsIn(session)).toEqual(['one', 'short', 'two']);
    expect(await absentIn(session)).toEqual({ compacted: 2 });
  });

  test('keeps a file for each event, in the order of their numbers', async () => {
    const files = Object.fromEntries(
      [0, 1, 10, 2].map((id) => [`s1/events/${id}.json`, JSON.stringify(user(id, `u${id}`))]),
    );
    const session = await openSession(join(temporaryFolder(files), 's1/events/0.json'));
    expect(session.id).toBe('s1');
    expect(await textsIn(session)).toEqual(['u0', 'u1', 'u2', 'u10']);
  });
});

describe('the present program', () => {
  const event = (kind: string, id: string, fields: Fields): Fields => ({
    kind,
    id,
    timestamp: '2026-11-01',
    source: 'agent',
    ...fields,
  });
  const message = (id: string, role: string, value: string): Fields =>
    event('MessageEvent', id, {
      source: role === 'user' ? 'user' : 'agent',
      llm_message: { role, content: text(value) },
    });
  const action = (id: string, call: string, thought: readonly Fields[] = []): Fields =>
    event('ActionEvent', id, {
      thought,
      tool_name: 'run',
      tool_call_id: call,
      tool_call: { arguments: '{"a":1}' },
      llm_response_id: 'r1',
    });
  const seen = (id: string, call: string): Fields =>
    event('ObservationEvent', id, {
      tool_name: 'run',
      tool_call_id: call,
      observation: { content: text(`out ${call}`) },
    });

  const open = async (...events: readonly Fields[]): Promise<ToolSession> => {
    const files = events.map((each, index) => [
      `c1/events/event-0000${index}-${String(each['id']).padEnd(8, '0')}.json`,
      JSON.stringify(each),
    ]);
    const state = {
      id: 'c1',
      agent: { llm: { model: 'm' } },
      workspace: { working_dir: '/project' },
      execution_status: 'idle',
    };
    const folder = temporaryFolder({ ...Object.fromEntries(files), 'c1/base_state.json': JSON.stringify(state) });
    return openSession(join(folder, 'c1/base_state.json'));
  };

  test('is read from its folder', async () => {
    const system = event('SystemPromptEvent', 'a0', { system_prompt: { text: 'You are an agent.' } });
    const log = [
      system,
      message('a1', 'user', 'one'),
      action('a2', 'x', text('Look.')),
      action('a3', 'y'),
      seen('a4', 'x'),
      seen('a5', 'y'),
    ];
    const session = await open(...log, message('a6', 'assistant', 'Done.'));
    const { messages, system: prompt } = await session.active();
    expect(messages).toMatchObject([
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'Look.', tool_calls: [{ id: 'x' }, { id: 'y' }] },
      { role: 'tool', tool_call_id: 'x', content: 'out x' },
      { role: 'tool', tool_call_id: 'y', content: 'out y' },
      { role: 'assistant', content: 'Done.' },
    ]);
    expect(prompt).toBe('You are an agent.');
    expect(check(messages, 'openai-chat').verdict).toBe('clean');
    expect(session).toMatchObject({ tool: 'openhands', id: 'c1', cwd: '/project', faults: [] });
  });

  test('forgets events by their ids', async () => {
    const condensation = event('Condensation', 'a3', {
      forgotten_event_ids: ['a1', 'a2'],
      summary: 'short',
      summary_offset: 0,
    });
    const session = await open(
      message('a1', 'user', 'one'),
      message('a2', 'assistant', 'two'),
      condensation,
      message('a4', 'user', 'three'),
    );
    expect(await textsIn(session)).toEqual(['short', 'three']);
    expect(await absentIn(session)).toEqual({ compacted: 2 });
  });

  test('leaves a branch that the user went back from', async () => {
    const tied = (fields: Fields, parent_id: string): Fields => ({ ...fields, parent_id });
    const log = [message('a1', 'user', 'one'), tied(message('a2', 'assistant', 'two'), 'a1')];
    const session = await open(
      ...log,
      tied(message('a3', 'user', 'left'), 'a2'),
      tied(message('a4', 'user', 'other'), 'a2'),
    );
    expect(await textsIn(session)).toEqual(['one', 'two', 'other']);
    expect(await absentIn(session)).toEqual({ branch: 1 });
  });

  test('tells errors and refusals as results', async () => {
    const refused = event('UserRejectObservation', 'a3', {
      tool_name: 'run',
      tool_call_id: 'x',
      rejection_reason: 'no',
    });
    const failed = event('AgentErrorEvent', 'a4', { tool_name: 'run', tool_call_id: 'y', error: 'bad' });
    const session = await open(
      message('a1', 'user', 'one'),
      action('a2', 'x'),
      action('a5', 'y'),
      refused,
      failed,
      event('DreamEvent', 'a6', {}),
    );
    expect((await textsIn(session)).slice(-2)).toEqual(['Action rejected: no', 'bad']);
    expect(kindsOf(session)).toEqual(['unknown-record']);
  });
});

test('conversations are found', async () => {
  const state = { id: 'c1', agent: {}, execution_status: 'idle' };
  const home = temporaryFolder({
    '.openhands/conversations/c1/base_state.json': JSON.stringify(state),
    '.openhands/sessions/s1/events/0.json': JSON.stringify({
      id: 0,
      source: 'user',
      action: 'message',
      args: { content: 'one' },
    }),
  });
  const found = await collect(sessions({ system: { platform: 'linux', home, env: {} } }));
  expect(new Set(found.map(({ id }) => id))).toEqual(new Set(['c1', 's1']));
});
