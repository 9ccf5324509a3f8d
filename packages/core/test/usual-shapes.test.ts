import { describe, expect, test } from 'vitest';
import { check, decode, RESULT_TEXTS, type Dialect } from '../src/index.ts';

/** A clean history in the shapes that nearly all messages of a dialect have. */
const HISTORIES: readonly (readonly [Dialect, readonly object[]])[] = [
  [
    'openai-agents',
    [
      { type: 'message', role: 'user', content: 'read' },
      { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'so' }] },
      { type: 'function_call', callId: 'call_1', name: 'read', status: 'completed', arguments: '{}' },
      { type: 'function_call_result', name: 'read', callId: 'call_1', status: 'completed', output: 'A' },
      { type: 'function_call', id: 'fc_2', callId: 'call_2', name: 'read', arguments: '{}' },
      { type: 'function_call_result', name: 'read', callId: 'call_2', output: { type: 'text', text: 'B' } },
    ],
  ],
  [
    'ai-sdk-ui',
    [
      { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'read' }] },
      {
        id: 'm2',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          { type: 'text', text: 'so', state: 'done' },
          { type: 'tool-read', toolCallId: 'call_1', state: 'output-available', input: { path: 'a' }, output: 'A' },
          { type: 'tool-list', toolCallId: 'call_2', state: 'output-available', input: {}, output: { files: 2 } },
        ],
      },
    ],
  ],
  [
    'ai-sdk-model',
    [
      { role: 'user', content: 'read' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'so' },
          { type: 'tool-call', toolCallId: 'call_1', toolName: 'read', input: { path: 'a' } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'call_1', toolName: 'read', output: { type: 'text', value: 'A' } },
        ],
      },
    ],
  ],
  [
    'langchain',
    [
      { type: 'human', content: 'read', additional_kwargs: {}, response_metadata: {} },
      {
        type: 'ai',
        content: 'so',
        id: 'run_1',
        tool_calls: [{ name: 'read', args: { path: 'a' }, id: 'call_1', type: 'tool_call' }],
        invalid_tool_calls: [],
      },
      { type: 'tool', content: 'A', name: 'read', tool_call_id: 'call_1' },
      { type: 'ai', content: '', tool_calls: [{ name: 'read', args: {}, id: 'call_2', type: 'tool_call' }] },
      { type: 'tool', content: 'B', name: 'read', tool_call_id: 'call_2' },
    ],
  ],
  [
    'pydantic-ai',
    [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'read', timestamp: '2026-03-01' }] },
      {
        kind: 'response',
        model_name: 'm',
        timestamp: '2026-03-01',
        parts: [
          { part_kind: 'text', content: 'so' },
          { part_kind: 'tool-call', tool_name: 'read', args: '{}', tool_call_id: 'call_1' },
        ],
      },
      {
        kind: 'request',
        parts: [{ part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'call_1' }],
      },
    ],
  ],
  [
    'gemini',
    [
      { role: 'user', parts: [{ text: 'read' }] },
      {
        role: 'model',
        parts: [
          { text: 'so' },
          { functionCall: { id: 'call_1', name: 'read', args: { path: 'a' } }, thoughtSignature: 'c2lnbmVk' },
          { functionCall: { id: 'call_2', name: 'list', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'call_1', name: 'read', response: { result: 'A' } } },
          { functionResponse: { id: 'call_2', name: 'list', response: { files: 2 } } },
        ],
      },
    ],
  ],
  [
    'bedrock-converse',
    [
      { role: 'user', content: [{ text: 'read' }] },
      {
        role: 'assistant',
        content: [{ text: 'so' }, { toolUse: { toolUseId: 'call_1', name: 'read', input: { path: 'a' } } }],
      },
      { role: 'user', content: [{ toolResult: { toolUseId: 'call_1', content: [{ text: 'A' }], status: 'success' } }] },
    ],
  ],
  [
    'mistral-chat',
    [
      { role: 'user', content: 'read' },
      {
        role: 'assistant',
        content: 'so',
        tool_calls: [{ id: 'call00001', type: 'function', function: { name: 'read', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call00001', name: 'read', content: 'A' },
    ],
  ],
  [
    'openai-responses',
    [
      { role: 'user', content: 'read' },
      { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'so' }] },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read', arguments: '{}', status: 'completed' },
      { type: 'function_call_output', call_id: 'call_1', output: 'A' },
    ],
  ],
];

/** The same value in which every object that `change` is given has been changed by it. */
function everywhere(value: unknown, change: (object: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => everywhere(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, everywhere(each, change)])));
}

/** Every place in a value where a text stands, as a function that puts something else there. */
function places(value: unknown): ((other: unknown) => unknown)[] {
  if (typeof value === 'string') return [(other) => other];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    places(each).map((put) => (other: unknown) => {
      const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
      copy[key] = put(other);
      return copy;
    }),
  );
}

describe.each(HISTORIES)('%s', (dialect, history) => {
  const verdict = (list: unknown): unknown => check(list, dialect).verdict;

  test('a history in the usual shapes is clean', () => {
    expect(check(history, dialect)).toMatchObject({ verdict: 'clean', findings: [] });
  });

  test('a key of no meaning beside the others changes nothing of what is read', () => {
    const parts = (list: unknown): unknown =>
      decode(list, dialect)?.messages.map(({ role, parts: own }) => [role, own.map(({ kind }) => kind)]);
    const longer = everywhere(history, (object) =>
      'path' in object || 'files' in object ? object : { ...object, x: 1 },
    );
    expect(parts(longer)).toEqual(parts(history));
  });

  test('half a character is noticed wherever it stands', () => {
    const sound = places(history).filter((put) => verdict(put('\ud800')) === 'clean');
    expect(sound).toEqual([]);
  });

  test('what cannot be sent is noticed wherever it stands', () => {
    const sound = places(history).filter((put) => verdict(put(() => 1)) === 'clean');
    expect(sound).toEqual([]);
  });

  test('what cannot be sent is noticed beside everything else', () => {
    const objects = places(everywhere(history, (object) => ({ ...object, mark: 'here' }))).filter((put) =>
      JSON.stringify(put('there')).includes('"mark":"there"'),
    );
    const sound = objects.filter((put) => {
      const marked = everywhere(
        put(() => 1),
        ({ mark, ...rest }) => (mark === 'here' ? rest : { ...rest, mark }),
      );
      return verdict(marked) === 'clean';
    });
    expect(sound).toEqual([]);
    expect(objects.length).toBeGreaterThan(history.length);
  });

  test('a result that was invented earlier is sound as well', () => {
    const invented = JSON.parse(
      JSON.stringify(history).replace('"A"', JSON.stringify(RESULT_TEXTS.unknown)),
    ) as unknown[];
    expect(verdict(invented)).toBe('clean');
  });
});
