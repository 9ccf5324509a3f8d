import { describe, expect, test } from 'vitest';
import { repair, RESULT_TEXTS } from '../../src/index.ts';
import { WRITTEN, type Writer } from '../conversation.ts';
import { assistant, call, result, user } from '../anthropic-wire.ts';
import { chat } from '../words.ts';

const { say } = chat;

const step = ({ calls, results }: Writer, n: number, text: string): object[] => {
  const id = `call${String(n).padStart(5, '0')}`;
  return [...calls({ id }), ...results({ id, text })];
};
const long = (writer: Writer, first: string): object[] => [
  writer.user('go'),
  ...Array.from({ length: 30 }, (_, n) => step(writer, n, n === 0 ? first : `done ${String(n)}`)).flat(),
];
/** Only texts stand for results that nobody gave, so a dialect must not say in another way how a call ended. */
const textual = WRITTEN.filter(([dialect]) => !['ai-sdk-model', 'bedrock-converse', 'gemini'].includes(dialect));

test.each(textual)('%s: a real result takes the place of its placeholder, however late', (dialect, writer) => {
  const late = step(writer, 0, 'real')[1];
  const { output, report } = repair([...long(writer, RESULT_TEXTS.unknown), late], dialect);
  expect(report.repairs.map(({ rule }) => rule)).toContain('late-result');
  expect(output.slice(0, 61)).toEqual(long(writer, 'real'));
});

test.each(WRITTEN)('%s: a second answer long after the first is quoted where it stands', (dialect, writer) => {
  const late = step(writer, 0, 'again')[1];
  const { output, report } = repair([...long(writer, 'first'), late], dialect);
  expect(report).toMatchObject({ verdict: 'repaired', preserved: { ratio: 1 } });
  expect(output.slice(0, 60)).toEqual(long(writer, 'first').slice(0, 60));
  expect(JSON.stringify(output.slice(60))).toContain('[tool output] again');
});

const { unknown, aborted } = RESULT_TEXTS;

test.each([
  ['behind the real result', [user([result('c1', 'a.txt'), result('c1', unknown)])], [user([result('c1', 'a.txt')])]],
  ['behind another one', [user([result('c1', unknown), result('c1', aborted)])], [user([result('c1', unknown)])]],
  [
    'turns later',
    [user([result('c1', 'a.txt')]), assistant('One file.'), user([result('c1', unknown)])],
    [user([result('c1', 'a.txt')]), assistant('One file.')],
  ],
])('a placeholder %s goes, and nothing that anybody said goes with it', (_, behind, left) => {
  const messages = [user('list'), assistant([call('c1')])];
  for (const policy of ['preserve', 'discard'] as const) {
    const { output, report } = repair([...messages, ...behind], 'anthropic-messages', { policy });
    expect(output).toEqual([...messages, ...left]);
    expect(report.repairs.map(({ rule, loss }) => [rule, loss])).toEqual([['duplicate-result', 'none']]);
    expect(report.preserved.ratio).toBe(1);
  }
});

test('a placeholder without its call goes, and nothing that anybody said goes with it', () => {
  const { output, report } = repair([user([result('c1', unknown)]), assistant('Hello.')], {
    dialect: 'anthropic-messages',
    model: 'claude-sonnet-4-5',
  });
  expect(output).toEqual([assistant('Hello.')]);
  expect(report.repairs.map(({ rule, loss }) => [rule, loss])).toEqual([['result-without-call', 'none']]);
  expect(report.preserved.ratio).toBe(1);
});

test('evidence that is none says nothing', () => {
  const messages = [user('list'), assistant([call('c1')])];
  for (const evidence of [null, 'denied', ['denied']]) {
    const { output } = repair(messages, 'anthropic-messages', { evidence: evidence as never });
    expect(JSON.stringify(output)).toContain(unknown);
  }
});

describe('a result under the id that its call had before it was repaired', () => {
  const go = chat.user('go');
  const asked = say('', chat.call('call_long_id', 'f'));
  const late = chat.result('call_long_id', 'real');
  const answers = (output: readonly unknown[]): unknown[] =>
    output.flatMap((message) => {
      const { role, tool_call_id: id, content } = message as Record<string, unknown>;
      return role === 'tool' ? [[id, content]] : [];
    });

  test.each(['preserve', 'discard'] as const)('takes the place of its placeholder, with %s', (policy) => {
    const sent = repair([go, asked], 'mistral-chat').output;
    const [[id]] = answers(sent) as [[string]];
    for (const between of [[], [chat.user('and?')], [say('Wait.')]]) {
      const { output } = repair([...sent, ...between, late], 'mistral-chat', { policy });
      expect(answers(output)).toEqual([[id, 'real']]);
      expect(JSON.stringify(output)).not.toContain('[tool output]');
    }
  });

  test.each(['preserve', 'discard'] as const)('answers it where it was left open, with %s', (policy) => {
    const sent = repair([go, asked], 'mistral-chat', { open: 'leave' }).output;
    for (const between of [[], [go, say('Wait.')]]) {
      const { output } = repair([...sent, ...between, late], 'mistral-chat', { policy });
      expect(answers(output)).toEqual([[expect.stringMatching(/^\w{9}$/), 'real']]);
    }
  });

  test('is quoted where its call has a result already, or where there is none', () => {
    const whole = repair([go, asked, { ...late, content: 'first' }], 'mistral-chat').output;
    for (const list of [whole, [go]]) {
      expect(JSON.stringify(repair([...list, late], 'mistral-chat').output)).toContain('[tool output] real');
    }
  });
});

describe('in a chat', () => {
  const opening = [chat.user('go'), chat.say(chat.call('call_1'))];
  const said = (content: string): object => chat.result('call_1', content);

  test.each(Object.entries(RESULT_TEXTS))(
    'a late result takes the place of one that was invented: %s',
    (_, invented) => {
      const { output, report } = repair([...opening, said(invented), said('two files')], 'openai-chat');
      expect(output).toEqual([...opening, said('two files')]);
      expect(report.repairs.map(({ rule }) => rule)).toEqual(['late-result']);
    },
  );

  test('a text that only looks like one is a result like any other', () => {
    const alike = `${RESULT_TEXTS.unknown} `;
    const { output } = repair([...opening, said(alike), said('two files')], 'openai-chat');
    expect(JSON.stringify(output)).toContain(alike);
  });
});
