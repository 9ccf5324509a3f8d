import { describe, expect, test } from 'vitest';
import { CODECS } from '../../src/dialects/dialects.ts';
import { convert, encode, prepare, repair, type Dialect, type SessionRecord } from '../../src/index.ts';

const user = { role: 'user', content: 'go' };
const call = (id: unknown, name: string, input = '{}'): object => ({
  id,
  type: 'function',
  function: { name, arguments: input },
});
const calls = (...tool_calls: object[]): object => ({ role: 'assistant', content: null, tool_calls });
const result = (id: unknown, content: string, name?: string): object => ({
  role: 'tool',
  tool_call_id: id,
  content,
  ...(name === undefined ? {} : { name }),
});

const TARGETS = (Object.keys(CODECS) as Dialect[]).filter((dialect) => dialect !== 'openai-chat');

/** What each call is told: by the result under its id, or by the one in its place where there are no ids. */
function told(output: unknown, dialect: Dialect): string[] {
  const parts = (output as unknown[]).flatMap((wire, index) => CODECS[dialect].read(wire, index).parts);
  const results = parts.filter((part) => part.kind === 'result');
  return parts
    .filter((part) => part.kind === 'call')
    .map(({ callId, tool }) => {
      const at = results.findIndex((each) => each.callId === callId);
      const [own] = at === -1 && dialect !== 'gemini' ? [] : results.splice(Math.max(0, at), 1);
      return `${tool}: ${own?.text ?? 'nothing'}`;
    });
}

const heard = (text: string): unknown => expect.stringContaining(text);

describe.each(TARGETS)('to %s', (to) => {
  const converted = (list: unknown[]): string[] => {
    const { output } = convert(list, { from: 'openai-chat', to });
    expect(repair(output, to).output).toBe(output);
    return told(output, to);
  };

  test('parallel calls under one id keep their own results, in whichever order these come', () => {
    const asked = calls(call('call_0', 'x'), call('call_0', 'y'));
    const x = result('call_0', 'r of x', 'x');
    const y = result('call_0', 'r of y', 'y');
    const right = [heard('r of x'), heard('r of y')];
    expect(converted([user, asked, x, y])).toEqual(right);
    expect(converted([user, asked, y, x])).toEqual(right);
    expect(converted([user, asked, result('call_0', 'r of x'), result('call_0', 'r of y')])).toEqual(right);
    const { losses } = convert([user, asked, x, y], { from: 'openai-chat', to });
    expect(losses.filter(({ kind, why }) => kind === 'id' && why.includes('another call'))).toHaveLength(1);
  });

  test('a new id is none that is there already', () => {
    const asked = calls(call('a', 'x'), call('a_2', 'y'), call('a', 'z'));
    expect(converted([user, asked, result('a', '1'), result('a_2', '2'), result('a', '3')])).toEqual([
      heard('x: 1'),
      heard('y: 2'),
      heard('z: 3'),
    ]);
  });

  test('calls without ids, of which one has lost its name, keep their own results', () => {
    const asked = calls(call('', 'x'), call('', ''));
    const list = [user, asked, result('', 'r of y', 'y'), result('', 'r of x', 'x')];
    expect(converted(list)).toEqual([heard('r of x'), heard('r of y')]);
  });

  test('an id that comes back in a later step is that of the call there', () => {
    const list = [
      user,
      calls(call('', 'x', '{"n":1}')),
      user,
      calls(call('', 'x', '{"n":2}'), call('', 'x', '{"n":3}')),
      result('', 'second'),
      result('', 'third'),
    ];
    expect(converted(list)).toEqual([heard('[interrupted'), heard('second'), heard('third')]);
  });
});

describe('where results answer calls by their place', () => {
  const target = { from: 'openai-chat', to: 'gemini', model: 'gemini-2.5-flash' } as const;
  const texts = (output: unknown): string[] =>
    (output as unknown[])
      .flatMap((wire, index) => CODECS.gemini.read(wire, index).parts)
      .flatMap((part) => (part.kind === 'result' ? [part.text] : []));

  test('converted results stand in the order of their calls', () => {
    const asked = calls(call('c1', 'read'), call('c2', 'read'));
    const { output } = convert([user, asked, result('c2', 'second'), result('c1', 'first')], target);
    expect(texts(output)).toEqual([heard('first'), heard('second')]);
  });

  test('a call that is closed is answered before those that follow it', () => {
    const asked = calls(call('c1', 'read'), call('c2', 'read'));
    const { output } = convert([user, asked, result('c2', 'second')], target);
    expect(texts(output)).toEqual([heard('[interrupted'), heard('second')]);
  });
});

test('a log that is sent in another dialect keeps the results of calls under one id', () => {
  const list = [
    user,
    calls(call('call_0', 'x'), call('call_0', 'y')),
    result('call_0', 'r of y', 'y'),
    result('call_0', 'r of x', 'x'),
  ];
  const records = list.map((wire, index): SessionRecord => ({
    v: 1,
    seq: index + 1,
    id: `r${index + 1}`,
    at: '',
    kind: 'message',
    data: { dialect: 'openai-chat', wire },
  }));
  const { sendable } = prepare(records, { dialect: 'anthropic-messages' });
  if (sendable === undefined) throw new Error('nothing can be sent');
  expect(told(encode(sendable), 'anthropic-messages')).toEqual([heard('r of x'), heard('r of y')]);
});

describe('what is said after a call that nothing answered stays behind it', () => {
  const asked = {
    id: '2',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'text', text: 'before' },
      { type: 'tool-f', toolCallId: 'c1', state: 'input-available', input: {} },
      { type: 'step-start' },
      { type: 'text', text: 'after' },
    ],
  };
  const chat = [user, calls(call('c1', 'f')), { role: 'assistant', content: 'after' }];
  const lists = [
    ['ai-sdk-ui', [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'go' }] }, asked]],
    ['openai-chat', chat],
  ] as const;

  test.each(
    lists.flatMap(([from, list]) =>
      (['openai-chat', 'anthropic-messages', 'bedrock-converse', 'ai-sdk-model', 'langchain'] as const)
        .filter((to) => to !== from)
        .map((to) => [from, to, list] as const),
    ),
  )('from %s to %s', (from, to, list) => {
    const { output } = convert(list, { from, to });
    expect(output).toEqual(convert(repair(list, from).output, { from, to }).output);
  });
});
