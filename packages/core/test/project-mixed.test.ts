import { judge } from '../../simulator/src/judges/judge.ts';
import { describe, expect, test } from 'vitest';

import {
  decode,
  type Dialect,
  prepare,
  project,
  projectAsRecorded,
  projectWithSources,
  type SessionRecord,
} from '../src/index.ts';
import { anthropic, chat, gemini, responses } from './words.ts';

const { call, say, user } = anthropic;

type Written = { readonly kind: string; readonly data: unknown };

const log = (...written: readonly Written[]): SessionRecord[] =>
  written.map((record, index) => ({ v: 1, seq: index + 1, id: `r${index + 1}`, at: '', ...record }) as SessionRecord);
const message = (dialect: Dialect, wire: unknown): Written => ({ kind: 'message', data: { dialect, wire } });
const settled = (callId: string, text: string): Written => ({
  kind: 'call.settled',
  data: { callId, tool: 'look', text },
});

/** What a user says and what a model calls, in the words of some dialects. */
const SPOKEN = {
  'openai-chat': (id: string) => [user(`Look at ${id}.`), chat.say(chat.call(id, 'look'))],
  'anthropic-messages': (id: string) => [user(`Look at ${id}.`), say(call(id, 'look'))],
  'openai-responses': (id: string) => [user(`Look at ${id}.`), responses.call(id, 'look')],
  gemini: () => [gemini.user('Look.'), gemini.say(gemini.call('look'))],
} as const;

const spoken = (dialect: keyof typeof SPOKEN, id: string): readonly Written[] =>
  SPOKEN[dialect](id).map((wire) => message(dialect, wire));

const TARGETS = [
  'anthropic-messages',
  'openai-chat',
  'openai-responses',
  'gemini',
  'bedrock-converse',
  'mistral-chat',
  'pydantic-ai',
  'ai-sdk-model',
  'langchain',
  'openai-agents',
] as const satisfies readonly Dialect[];

/** The text that each call was answered with, in the order of the calls. */
function answersIn(wire: unknown, dialect: Dialect): readonly string[] {
  const parts = decode(wire, dialect)?.messages.flatMap((each) => each.parts) ?? [];
  const results = parts.filter((part) => part.kind === 'result');
  return parts.flatMap((part) => {
    if (part.kind !== 'call') return [];
    const own = results.findIndex(({ callId }) => callId === part.callId);
    const [result] = own === -1 ? [] : results.splice(own, 1);
    return [result?.text ?? 'open'];
  });
}

describe.each(TARGETS)('a log in several dialects, for %s', (to) => {
  const several = log(
    ...spoken('openai-chat', 'call_1'),
    settled('call_1', 'one'),
    ...spoken('anthropic-messages', 'toolu_2'),
    settled('toolu_2', 'two'),
    ...spoken('gemini', ''),
    settled('#look', 'three'),
    ...spoken('openai-responses', 'call_4'),
    settled('call_4', 'four'),
  );

  test('has every result with its call, and is accepted', () => {
    const { sendable, report } = prepare(several, { dialect: to, purpose: 'request' });
    expect(answersIn(sendable?.wire, to)).toEqual(['one', 'two', 'three', 'four']);
    expect(judge(to, sendable?.wire, { purpose: 'request' })).toEqual([]);
    expect(report.findings.map(({ rule }) => rule)).not.toContain('result-without-call');
  });

  test('joins a late result with a call of another dialect, whatever became of its id', () => {
    const late = log(
      ...spoken('openai-chat', 'call 1 of a host that is not strict'),
      ...spoken('anthropic-messages', 'toolu_2'),
      settled('toolu_2', 'two'),
      settled('call 1 of a host that is not strict', 'one'),
    );
    const { sendable } = prepare(late, { dialect: to, purpose: 'request' });
    expect(answersIn(sendable?.wire, to)).toEqual(['one', 'two']);
    expect(judge(to, sendable?.wire, { purpose: 'request' })).toEqual([]);
  });

  test('tells of a call without a result what is known of it', () => {
    const open = log(
      ...spoken('openai-chat', 'call 1 of a host that is not strict'),
      { kind: 'call.started', data: { callId: 'call 1 of a host that is not strict' } },
      message('anthropic-messages', user('And?')),
    );
    const { sendable } = prepare(open, { dialect: to, purpose: 'request' });
    expect(answersIn(sendable?.wire, to)).toEqual([expect.stringContaining('was started and no result was recorded')]);
  });
});

describe('a log in several dialects', () => {
  const thought = { type: 'thinking', thinking: 'hm', signature: 'c2ln' };
  const own = say(thought, 'Seen.');
  const mixed = log(
    ...spoken('openai-chat', 'call_1'),
    settled('call_1', 'one'),
    message('anthropic-messages', own),
    message('anthropic-messages', user('And?')),
  );

  test('gives a model back what is in its own words as the objects that were recorded', () => {
    const { sendable, losses } = prepare(mixed, 'anthropic-messages');
    expect((sendable?.wire as readonly unknown[] | undefined)?.at(-2)).toBe(own);
    expect(losses).toEqual([]);
  });

  test('is told in its first dialect where nothing is said, and what is lost there is told', () => {
    expect(project(mixed)?.dialect).toBe('openai-chat');
    expect(JSON.stringify(project(mixed))).toContain('Seen.');
    expect(prepare(mixed).losses?.map(({ kind }) => kind)).toEqual(['reasoning']);
  });

  test('is read as it was recorded where somebody wants that', () => {
    const { messages, dialects } = projectAsRecorded(mixed) ?? {};
    expect(dialects).toEqual(['openai-chat', 'openai-chat', 'openai-chat', 'anthropic-messages', 'anthropic-messages']);
    expect(messages?.[3]?.wire).toBe(own);
  });

  test('tells of each message which records it is made of', () => {
    const items = log(
      message('openai-responses', user('Look.')),
      message('openai-responses', responses.call('call_1', 'look')),
      message('openai-responses', responses.call('call_2', 'look')),
      settled('call_1', 'one'),
      settled('call_2', 'two'),
      { kind: 'pin', data: { seq: 3, pinned: true } },
    );
    const { sources, ends, records, pins } = projectWithSources(items, 'anthropic-messages') ?? {};
    expect(records).toEqual([[1], [2, 3], [4, 5]]);
    expect([sources, ends, pins]).toEqual([[1, 2, 4], [1, 3, 5], [1]]);
  });

  test('is repaired at the places of its own messages', () => {
    const open = log(
      ...spoken('openai-chat', 'call_1'),
      message('anthropic-messages', user('And?')),
      ...spoken('anthropic-messages', 'toolu_2'),
      message('anthropic-messages', user('So?')),
    );
    const { report, sources } = prepare(open, 'anthropic-messages');
    const places = report.repairs.map(({ rule, at }) => [rule, sources[at.message], at.pointer]);
    expect(places).toEqual([
      ['call-without-result', 2, '/1/tool_calls/0'],
      ['call-without-result', 5, '/4/content/0'],
    ]);
  });

  test('keeps that a call failed, where the session’s own dialect has no place for it and the target has', () => {
    const failed = {
      kind: 'call.settled',
      data: { callId: 'call_1', tool: 'look', text: 'no such file', error: true },
    };
    const { sendable, losses } = prepare(log(...spoken('openai-chat', 'call_1'), failed), 'anthropic-messages');
    expect(sendable?.wire).toContainEqual(
      user({ type: 'tool_result', tool_use_id: 'call_1', content: 'no such file', is_error: true }),
    );
    expect(losses).toEqual([]);
    const { losses: told } = prepare(
      log(...spoken('anthropic-messages', 'toolu_1'), {
        ...failed,
        data: { ...failed.data, callId: 'toolu_1' },
      }),
      'openai-chat',
    );
    expect(told?.map(({ kind }) => kind)).toEqual(['outcome']);
  });

  test('is asked for in a dialect that nobody knows like one that is asked for in none', () => {
    expect(prepare(mixed, { dialect: 'nonsense' as Dialect }).sendable?.dialect).toBeUndefined();
    expect(project(mixed, 'nonsense' as Dialect)?.dialect).toBe('openai-chat');
  });
});
