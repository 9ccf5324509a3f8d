import { describe, expect, test } from 'vitest';
import { check, decode, RESULT_TEXTS, type Dialect } from '../../src/index.ts';
import { agents, aiSdkModel, bedrock, chat, gemini, langchain, pydantic, responses } from '../words.ts';

const { call, say, text, user } = chat;

/** A clean history in the shapes that nearly all messages of a dialect have. */
const HISTORIES: readonly (readonly [Dialect, readonly object[]])[] = [
  [
    'openai-agents',
    [
      { type: 'message', role: 'user', content: 'read' },
      { type: 'message', role: 'assistant', status: 'completed', content: [responses.outputText('so')] },
      agents.call('call_1'),
      { type: 'function_call_result', name: 'read', callId: 'call_1', status: 'completed', output: 'A' },
      { type: 'function_call', id: 'fc_2', callId: 'call_2', name: 'read', arguments: '{}' },
      { type: 'function_call_result', name: 'read', callId: 'call_2', output: text('B') },
    ],
  ],
  [
    'ai-sdk-ui',
    [
      { id: 'm1', role: 'user', parts: [text('read')] },
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
      user('read'),
      aiSdkModel.say('so', aiSdkModel.call('call_1', 'read', { path: 'a' })),
      aiSdkModel.results(aiSdkModel.returned('call_1', 'A')),
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
        tool_calls: [langchain.call('call_1', 'read', { path: 'a' })],
        invalid_tool_calls: [],
      },
      langchain.result('call_1', 'A'),
      { type: 'ai', content: '', tool_calls: [langchain.call('call_2')] },
      langchain.result('call_2', 'B'),
    ],
  ],
  [
    'pydantic-ai',
    [
      pydantic.user({ part_kind: 'user-prompt', content: 'read', timestamp: '2026-03-01' }),
      {
        kind: 'response',
        model_name: 'm',
        timestamp: '2026-03-01',
        parts: [{ part_kind: 'text', content: 'so' }, pydantic.call('call_1', 'read', '{}')],
      },
      pydantic.user(pydantic.result('call_1', 'A')),
    ],
  ],
  [
    'gemini',
    [
      gemini.user('read'),
      gemini.say(
        'so',
        gemini.signed(gemini.call('read', { path: 'a' }, 'call_1'), 'c2lnbmVk'),
        gemini.call('list', {}, 'call_2'),
      ),
      gemini.user(gemini.result('read', 'A', 'call_1'), {
        functionResponse: { id: 'call_2', name: 'list', response: { files: 2 } },
      }),
    ],
  ],
  [
    'bedrock-converse',
    [
      bedrock.user('read'),
      bedrock.say('so', bedrock.call('call_1', 'read', { path: 'a' })),
      bedrock.user(bedrock.result('call_1', 'A', { status: 'success' })),
    ],
  ],
  [
    'mistral-chat',
    [
      user('read'),
      say('so', call('call00001')),
      { role: 'tool', tool_call_id: 'call00001', name: 'read', content: 'A' },
    ],
  ],
  [
    'openai-responses',
    [
      user('read'),
      { type: 'message', id: 'msg_1', role: 'assistant', content: [responses.outputText('so')] },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read', arguments: '{}', status: 'completed' },
      responses.result('call_1', 'A'),
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
