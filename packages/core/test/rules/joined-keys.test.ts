import { describe, expect, test } from 'vitest';
import { joinedKeys } from '../../src/rules/remedies/joined-keys.ts';
import { repair } from '../../src/index.ts';

const target = { dialect: 'openai-chat', profile: { alternation: true } } as const;
const go = { role: 'user', content: 'go' };

function joined(first: object, ...others: readonly object[]): { message: unknown; told: string; loss: unknown } {
  const answers = [first, ...others].map((keys) => ({ role: 'assistant', content: 'a', ...keys }));
  const { output, report } = repair([go, ...answers], target);
  const message = output[1];
  return { message, told: String(report.repairs[0]?.note), loss: report.repairs[0]?.loss };
}

describe('messages that are joined', () => {
  test('keep the keys that only one of them has', () => {
    const { message, loss } = joined({ foo: 1 }, { bar: 2 }, { baz: 3, foo: 1 });
    expect(message).toMatchObject({ foo: 1, bar: 2, baz: 3 });
    expect(loss).toBe('none');
  });

  test('keep the thoughts of all', () => {
    const { message, loss } = joined(
      { reasoning_content: 'One.' },
      { reasoning_content: 'Two.' },
      { reasoning: 'Hm.' },
    );
    expect(message).toMatchObject({ reasoning_content: 'One.\n\nTwo.', reasoning: 'Hm.' });
    expect(loss).toBe('none');
  });

  test('keep what all of them refuse', () => {
    const { message, loss } = joined({ refusal: 'Not A.' }, { refusal: '' }, { refusal: 'Not B.' }, { refusal: '' });
    expect(message).toMatchObject({ refusal: 'Not A.\n\nNot B.' });
    expect(loss).toBe('none');
    expect(joined({ refusal: '' }, { refusal: 'No.' }).message).toMatchObject({ refusal: 'No.' });
  });

  test('keep sound and calls of the old form, of which there can be one, as text', () => {
    const [first, second] = [{ audio: { id: 'audio_1' } }, { audio: { id: 'audio_2' } }];
    const { message } = joined(first, second);
    expect(message).toMatchObject({ audio: { id: 'audio_2' } });
    expect(JSON.stringify(message)).toContain('audio_1');
  });

  test('say which keys differ, and keep the first', () => {
    const { message, told, loss } = joined({ name: 'ann', meta: { a: 1 } }, { name: 'bob', meta: { a: 1 } });
    expect(message).toMatchObject({ name: 'ann', meta: { a: 1 } });
    expect(told).toBe('joined messages 1 to 2; of keys that differ the first stays: name');
    expect(loss).toBe('lossy');
  });

  test('take a key that says nothing for none', () => {
    const { message, loss } = joined({ name: null }, { name: '', id: 'b' }, { name: 'bob' });
    expect(message).toMatchObject({ name: 'bob' });
    expect(message).not.toHaveProperty('id');
    expect(loss).toBe('none');
  });

  test('carry a key named like the prototype as a key', () => {
    const second = JSON.parse('{"__proto__":{"x":1}}') as object;
    const answers = [
      go,
      { role: 'assistant', content: 'a' },
      Object.assign(second, { role: 'assistant', content: 'b' }),
    ];
    const { output } = repair(answers, target);
    expect(Object.getOwnPropertyDescriptor(output[1], '__proto__')?.value).toEqual({ x: 1 });
  });

  test('keep the keys of an answer behind its reasoning', () => {
    const asked = { role: 'user', content: [{ text: 'go' }] };
    const thought = {
      role: 'assistant',
      content: [{ reasoningContent: { reasoningText: { text: 'Hm.', signature: 's' } } }],
      foo: 1,
    };
    const answer = { role: 'assistant', content: [{ text: 'Hello' }], foo: 2, bar: 3 };
    const { output, report } = repair([asked, thought, answer], 'bedrock-converse');
    expect(output).toEqual([asked, { ...thought, content: [...thought.content, ...answer.content], bar: 3 }]);
    expect(report.repairs.map(({ rule, loss }) => `${rule} ${loss}`)).toEqual(['reasoning-last lossy']);
  });

  test('leave alone what is no plain message, on either side', () => {
    const plain = { role: 'assistant', parts: [], at: 0, wire: { role: 'assistant', content: 'a' } } as const;
    const other = { ...plain, wire: { type: 'ai', content: 'b', foo: 1 } };
    expect(joinedKeys(plain, [other])).toEqual({ wire: plain.wire, told: '' });
    expect(joinedKeys(other, [plain])).toEqual({ wire: other.wire, told: '' });
  });
});
