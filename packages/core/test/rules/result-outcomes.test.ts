import { expect, test } from 'vitest';
import { convert, decode, repair, RESULT_TEXTS, type Dialect, type ResultPart } from '../../src/index.ts';
import { WRITTEN } from '../conversation.ts';
import { aiSdkModel, bedrock, chat } from '../words.ts';

const { call, say, user } = chat;

const ID = 'call00001';

/** A call in each dialect, and those whose results can say that they are errors. */
const every = WRITTEN.map(
  ([dialect, { user, calls }]) => [dialect, [user('go'), ...calls({ id: ID })]] as [Dialect, object[]],
);
const asked = every.filter(([dialect]) => !/chat|responses/.test(dialect));

function resultsIn(output: unknown, dialect: Dialect): ResultPart[] {
  return (decode(output, dialect)?.messages ?? []).flatMap(({ parts }) =>
    parts.filter((part) => part.kind === 'result'),
  );
}

/** A result whose role the dialect does not have. */
function boom(dialect: Dialect): object {
  return { role: dialect === 'langchain' ? 'tool_result' : 'tool', tool_call_id: ID, content: 'boom' };
}

test.each(asked)('%s: a result in the form of another API is still an error where it says so', (dialect, history) => {
  for (const said of [{ is_error: true }, { isError: true }, { status: 'error' }, { status: 'failed' }]) {
    const { output } = repair<unknown[]>([...history, { ...boom(dialect), ...said }], dialect);
    expect([said, ...resultsIn(output, dialect)]).toMatchObject([said, { callId: ID, outcome: 'error' }]);
  }
});

test.each(asked)(
  '%s: a result in the form of another API is no error where it says nothing of it',
  (dialect, history) => {
    for (const said of [{}, { is_error: false }, { status: 'success' }]) {
      const { output } = repair<unknown[]>([...history, { ...boom(dialect), ...said }], dialect);
      expect(resultsIn(output, dialect)).toMatchObject([{ callId: ID, outcome: 'ok' }]);
    }
  },
);

test.each<[Dialect, unknown]>([
  ['anthropic-messages', aiSdkModel.results({ type: 'tool_result', tool_use_id: ID, content: 'boom', is_error: true })],
  ['bedrock-converse', aiSdkModel.results(bedrock.result(ID, 'boom', { status: 'error' }))],
  ['gemini', aiSdkModel.results({ functionResponse: { id: ID, name: 'read', response: { error: 'boom' } } })],
  [
    'pydantic-ai',
    {
      role: 'tool',
      parts: [{ part_kind: 'retry-prompt', tool_name: 'read', content: 'boom', tool_call_id: ID }],
    },
  ],
])('%s: a result in its own form under another role is what it says', (dialect, result) => {
  const history = asked.find(([each]) => each === dialect)?.[1] ?? [];
  const { output, report } = repair<unknown[]>([...history, result], dialect);
  expect(resultsIn(output, dialect)).toMatchObject([{ callId: ID, outcome: 'error', text: 'boom' }]);
  expect(report.repairs.map(({ rule }) => rule)).not.toContain('result-misnamed');
  expect(report.preserved.ratio).toBe(1);
});

test.each(every)(
  '%s: a result that stands in for one is no success, not even after a conversion',
  (dialect, history) => {
    const { output } = repair<unknown[]>(history, dialect);
    expect(resultsIn(output, dialect)).toMatchObject([{ outcome: 'error', text: RESULT_TEXTS.unknown }]);
    const { output: converted } = convert(output, { from: dialect, to: 'anthropic-messages' });
    expect(resultsIn(converted, 'anthropic-messages')).toMatchObject([
      { outcome: 'error', text: RESULT_TEXTS.unknown },
    ]);
  },
);

test('a result that stands in for one loses nothing where results cannot say how they ended', () => {
  const { output } = repair<unknown[]>([user('go'), say('', call(ID))], 'openai-chat');
  const { output: converted, losses } = convert(output, { from: 'openai-chat', to: 'openai-responses' });
  expect((converted as unknown[]).at(-1)).toMatchObject({ output: RESULT_TEXTS.unknown });
  expect(losses).toEqual([]);
});
