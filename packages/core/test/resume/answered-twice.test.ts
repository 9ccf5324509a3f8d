import { describe, expect, test } from 'vitest';
import * as resume from '../../src/resume/index.ts';
import { RESULT_TEXTS } from '../../src/index.ts';
import { SPEAKERS } from '../speakers.ts';

const { findDanglingToolCallIds, prepareHistory, runCleanupLoop, validateMessageStructure } = resume;

describe('a call that was answered twice', () => {
  test.for(SPEAKERS)('is answered once after the loop: %s', ([, { user, say, results }]) => {
    const before = [user('1'), say('', 'a'), ...results('a')];
    const list = [...before, say('k'), ...results('a'), say('z')];
    const { messages, changed } = runCleanupLoop(list);
    expect(changed).toBe(true);
    expect(messages).toEqual([...before, say('k'), say('z')]);
    expect(validateMessageStructure(messages)).toEqual({ valid: true, errors: [] });
  });

  test.for(SPEAKERS)('does not cost the words before the second answer: %s', ([, { user, say, results }]) => {
    const before = [user('1'), say('', 'a'), ...results('a'), say('k'), user('2')];
    const list = [...before, ...results('a'), say('z')];
    expect(runCleanupLoop(list).messages).toEqual([...before, say('z')]);
    expect(prepareHistory(list)).toEqual([...before, say('z')]);
  });

  test('keeps the real answer and not the placeholder before it', () => {
    const said = (content: string): object => ({ role: 'tool', tool_call_id: 'a', content });
    const call = { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } };
    const asked = [
      { role: 'user', content: '1' },
      { role: 'assistant', content: null, tool_calls: [call] },
    ];
    const late = [...asked, said(RESULT_TEXTS.unknown), { role: 'user', content: 'and?' }, said('real')];
    expect(runCleanupLoop(late).messages).toEqual([...asked, said('real'), { role: 'user', content: 'and?' }]);
  });

  test('keeps a return and not the retry prompt before it', () => {
    const part = (part_kind: string, content: string): object => ({
      part_kind,
      tool_name: 'read',
      content,
      tool_call_id: 'a',
    });
    const call = { part_kind: 'tool-call', tool_name: 'read', args: '{}', tool_call_id: 'a' };
    const list = [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: '1' }] },
      { kind: 'response', parts: [call] },
      { kind: 'request', parts: [part('retry-prompt', 'again'), part('tool-return', 'A')] },
    ];
    const kept = { kind: 'request', parts: [part('tool-return', 'A')] };
    expect(runCleanupLoop(list).messages).toEqual([...list.slice(0, 2), kept]);
  });
});

describe('an id that was used again, where results are looked for in the whole list', () => {
  const item = (callId: string): object => ({ type: 'function_call', call_id: callId, name: 'f', arguments: '{}' });
  const output = (callId: string): object => ({ type: 'function_call_output', call_id: callId, output: 'x' });
  const user = (content: string): object => ({ role: 'user', content });

  test('a call that was stopped is dangling, whatever a later one was answered', () => {
    const list = [user('1'), item('a'), user('2'), item('a'), output('a')];
    expect([...findDanglingToolCallIds(list)]).toEqual(['a']);
    expect(resume.findIncompleteToolCalls(list)).toEqual([{ message: 1, toolCallIds: ['a'] }]);
    const whole = [user('1'), user('2'), item('a'), output('a')];
    expect(resume.removeDanglingToolCalls(list, { a: 1 })).toEqual({
      changed: true,
      messages: whole,
      toolCallArgsById: { a: 1 },
    });
    expect(resume.removeIncompleteToolCalls(list)).toEqual(whole);
    expect(runCleanupLoop(list).messages).toEqual(whole.slice(1));
    expect(prepareHistory(list)).toEqual(whole.slice(1));
  });

  test('a result from before the call is no result of it', () => {
    const list = [output('a'), user('1'), item('a'), user('2')];
    expect(resume.removeOrphanedToolResults(list)).toEqual(list.slice(1));
    expect(runCleanupLoop(list).messages).toEqual([user('2')]);
  });
});

describe('a history that was prepared', () => {
  const user = (content: string): object => ({ role: 'user', content: [{ type: 'text', text: content }] });
  const asked = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] };
  const empty = { role: 'assistant', content: [{ type: 'text', text: '' }] };
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] };

  test('is cleaned again behind a repair that took something out', () => {
    const list = [user('1'), empty, user('2'), asked, result];
    expect(prepareHistory(list)).toEqual([user('2'), asked, result]);
    const body = { model: 'claude-sonnet-4-5', max_tokens: 1, messages: list };
    expect(prepareHistory(body)).toEqual({ ...body, messages: [user('2'), asked, result] });
  });

  test('gives all lifted messages at once', () => {
    const system = { role: 'system', content: 'Be brief.' };
    const lifted: unknown[] = [];
    const list = [system, user('1'), empty, user('2'), asked, result];
    const prepared = prepareHistory(list, { onLifted: (messages) => lifted.push(messages) });
    expect(prepared).toEqual([user('2'), asked, result]);
    expect(lifted).toEqual([[system]]);
  });
});
