import { expect, test } from 'vitest';
import { convert, decode, repair, RESULT_TEXTS, type Dialect, type ResultPart } from '../src/index.ts';

/** A call c1 in each dialect whose results can say that they are errors. */
const asked: readonly [Dialect, unknown[]][] = [
  [
    'anthropic-messages',
    [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'read', input: {} }] },
    ],
  ],
  [
    'bedrock-converse',
    [
      { role: 'user', content: [{ text: 'go' }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'read', input: {} } }] },
    ],
  ],
  [
    'gemini',
    [
      { role: 'user', parts: [{ text: 'go' }] },
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'read', args: {} } }] },
    ],
  ],
  [
    'pydantic-ai',
    [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'go' }] },
      { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'read', args: {}, tool_call_id: 'c1' }] },
    ],
  ],
  [
    'ai-sdk-model',
    [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} }] },
    ],
  ],
  [
    'langchain',
    [
      { type: 'human', content: 'go' },
      { type: 'ai', content: '', tool_calls: [{ name: 'read', args: {}, id: 'c1', type: 'tool_call' }] },
    ],
  ],
  [
    'openai-agents',
    [
      { role: 'user', content: 'go' },
      { type: 'function_call', callId: 'c1', name: 'read', arguments: '{}', status: 'completed' },
    ],
  ],
];

function resultsIn(output: unknown, dialect: Dialect): ResultPart[] {
  return (decode(output, dialect)?.messages ?? []).flatMap(({ parts }) =>
    parts.filter((part) => part.kind === 'result'),
  );
}

/** A result whose role the dialect does not have. */
function boom(dialect: Dialect): object {
  return { role: dialect === 'langchain' ? 'tool_result' : 'tool', tool_call_id: 'c1', content: 'boom' };
}

test.each(asked)('%s: a result in the form of another API is still an error where it says so', (dialect, history) => {
  for (const said of [{ is_error: true }, { isError: true }, { status: 'error' }, { status: 'failed' }]) {
    const { output } = repair<unknown[]>([...history, { ...boom(dialect), ...said }], dialect);
    expect([said, ...resultsIn(output, dialect)]).toMatchObject([said, { callId: 'c1', outcome: 'error' }]);
  }
});

test.each(asked)(
  '%s: a result in the form of another API is no error where it says nothing of it',
  (dialect, history) => {
    for (const said of [{}, { is_error: false }, { status: 'success' }]) {
      const { output } = repair<unknown[]>([...history, { ...boom(dialect), ...said }], dialect);
      expect(resultsIn(output, dialect)).toMatchObject([{ callId: 'c1', outcome: 'ok' }]);
    }
  },
);

test.each<[Dialect, unknown]>([
  [
    'anthropic-messages',
    { role: 'tool', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'boom', is_error: true }] },
  ],
  [
    'bedrock-converse',
    { role: 'tool', content: [{ toolResult: { toolUseId: 'c1', content: [{ text: 'boom' }], status: 'error' } }] },
  ],
  [
    'gemini',
    { role: 'tool', content: [{ functionResponse: { id: 'c1', name: 'read', response: { error: 'boom' } } }] },
  ],
  [
    'pydantic-ai',
    {
      role: 'tool',
      parts: [{ part_kind: 'retry-prompt', tool_name: 'read', content: 'boom', tool_call_id: 'c1' }],
    },
  ],
])('%s: a result in its own form under another role is what it says', (dialect, result) => {
  const history = asked.find(([each]) => each === dialect)?.[1] ?? [];
  const { output, report } = repair<unknown[]>([...history, result], dialect);
  expect(resultsIn(output, dialect)).toMatchObject([{ callId: 'c1', outcome: 'error', text: 'boom' }]);
  expect(report.repairs.map(({ rule }) => rule)).not.toContain('result-misnamed');
  expect(report.preserved.ratio).toBe(1);
});

const chat = [
  { role: 'user', content: 'go' },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'call00001', type: 'function', function: { name: 'read', arguments: '{}' } }],
  },
];

test.each<[Dialect, unknown[]]>([
  ...asked,
  ['openai-chat', chat],
  ['mistral-chat', chat],
  [
    'openai-responses',
    [
      { role: 'user', content: 'go' },
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' },
    ],
  ],
])('%s: a result that stands in for one is no success, not even after a conversion', (dialect, history) => {
  const { output } = repair<unknown[]>(history, dialect);
  expect(resultsIn(output, dialect)).toMatchObject([{ outcome: 'error', text: RESULT_TEXTS.unknown }]);
  const { output: converted } = convert(output, { from: dialect, to: 'anthropic-messages' });
  expect(resultsIn(converted, 'anthropic-messages')).toMatchObject([{ outcome: 'error', text: RESULT_TEXTS.unknown }]);
});

test('a result that stands in for one loses nothing where results cannot say how they ended', () => {
  const { output } = repair<unknown[]>(chat, 'openai-chat');
  const { output: converted, losses } = convert(output, { from: 'openai-chat', to: 'openai-responses' });
  expect((converted as unknown[]).at(-1)).toMatchObject({ output: RESULT_TEXTS.unknown });
  expect(losses).toEqual([]);
});
