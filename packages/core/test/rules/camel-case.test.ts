import { describe, expect, test } from 'vitest';
import { check, convert, createChecker, repair, RESULT_TEXTS } from '../../src/index.ts';

const user = { role: 'user', content: 'q' };
const call = { id: 'abcdefgh1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
const { type: _type, ...untyped } = call;
const camel = { role: 'assistant', content: '', toolCalls: [untyped] };
const answer = { role: 'tool', name: 'f', toolCallId: 'abcdefgh1', content: 'r' };
const snake = { role: 'assistant', content: '', tool_calls: [call] };
const result = { role: 'tool', name: 'f', tool_call_id: 'abcdefgh1', content: 'r' };

describe.each(['openai-chat', 'mistral-chat'] as const)('in %s, what a client spells in camel case', (dialect) => {
  test('is read, and written as the API has it', () => {
    for (const list of [
      [user, camel, answer],
      [user, camel, result],
      [user, snake, answer],
    ]) {
      const { output, report } = repair(list, dialect);
      expect(output).toEqual([user, snake, result]);
      expect(report.repairs.filter(({ loss }) => loss !== 'none')).toEqual([]);
      expect(repair(output, dialect).output).toBe(output);
      expect(repair(list, dialect, { policy: 'discard' }).output).toEqual(output);
    }
  });

  test('is broken while it is so, and open where nothing answers', () => {
    const { verdict, findings } = check([user, camel], dialect);
    expect(verdict).toBe('broken');
    expect(findings.map(({ rule, at }) => [rule, at.pointer])).toContainEqual([
      'call-without-result',
      '/1/toolCalls/0',
    ]);
    const { output } = repair([user, camel], dialect);
    expect(output.slice(0, 2)).toEqual([user, snake]);
    expect(JSON.stringify(output[2])).toContain(RESULT_TEXTS.unknown);
    const checker = createChecker(dialect);
    for (const message of [user, camel]) checker.push(message);
    expect(checker.open()).toEqual(['abcdefgh1']);
  });

  test('is carried over by a conversion', () => {
    const to = 'anthropic-messages';
    const { output } = convert([user, camel, answer], { from: dialect, to });
    expect(output).toEqual(convert([user, snake, result], { from: dialect, to }).output);
  });

  test('beside the spelling of the API says nothing', () => {
    const list = [user, { ...snake, toolCalls: [{ ...call, id: 'other' }] }, { ...result, toolCallId: 'other' }];
    expect(repair(list, dialect).output).toBe(list);
  });
});

test('a host that takes no other keys is not sent the other spelling', () => {
  const target = { dialect: 'openai-chat', profile: { unknownKeys: 'strip' } } as const;
  expect(repair([user, camel, answer], target).output).toEqual([user, snake, result]);
});
