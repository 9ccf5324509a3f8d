import { describe, expect, test } from 'vitest';
import { judge } from '../../../simulator/src/judges/judge.ts';
import { CODECS } from '../../src/dialects/dialects.ts';
import { decode, pruneOldToolOutputs, type Dialect, type History, type ResultPart } from '../../src/index.ts';
import { agents, aiSdkModel, anthropic, bedrock, chat, gemini, langchain, pydantic, responses } from '../words.ts';

const { call, result } = responses;

type Wire = object;

const bulk = 'a line of some output\n'.repeat(200);
const picture = 'iVBORw0KGgo'.repeat(400);
const count = (text: string): number => Math.ceil(text.length / 4);
const eager = { protectTokens: 0, protectTurns: 0, minFreedTokens: 0, count };
const ask = (content: string): Wire => ({ role: 'user', content });

const chatCall = (id: string): Wire => chat.call(id);
const sdkResult = (id: string, output: unknown): Wire => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'read',
  output,
});

/** Two results in every form that a dialect has, the second of them a failure where the dialect can say so. */
const forms: readonly (readonly [Dialect, string, unknown[]])[] = [
  [
    'openai-chat',
    'a message for each result',
    [
      ask('go'),
      chat.say(chatCall('c1'), chatCall('c2')),
      chat.result('c1', bulk),
      chat.result('c2', [{ type: 'text', text: bulk }]),
    ],
  ],
  [
    'mistral-chat',
    'a message for each result',
    [
      ask('go'),
      chat.say('', chatCall('abcdefgh1'), chatCall('abcdefgh2')),
      { role: 'tool', name: 'read', tool_call_id: 'abcdefgh1', content: bulk },
      { role: 'tool', name: 'read', tool_call_id: 'abcdefgh2', content: bulk },
    ],
  ],
  [
    'openai-responses',
    'an entry for each output, also those of tools with a form of their own',
    [
      ask('go'),
      call('c1'),
      { type: 'shell_call', call_id: 'c2', action: { commands: ['ls'] } },
      result('c1', [{ type: 'input_text', text: bulk }]),
      { type: 'shell_call_output', call_id: 'c2', output: [{ stdout: bulk, stderr: 'no', outcome: { type: 'exit' } }] },
    ],
  ],
  [
    'openai-agents',
    'an item for each result',
    [
      { type: 'message', role: 'user', content: 'go' },
      agents.call('c1'),
      agents.call('c2'),
      { type: 'function_call_result', callId: 'c1', name: 'read', status: 'completed', output: bulk },
      {
        type: 'function_call_result',
        callId: 'c2',
        name: 'read',
        status: 'incomplete',
        output: { type: 'text', text: bulk },
      },
    ],
  ],
  [
    'gemini',
    'responses in one content',
    [
      gemini.user('go'),
      gemini.say(gemini.signed(gemini.call('read', {}, 'c1')), gemini.call('read', {}, 'c2')),
      gemini.user(
        {
          functionResponse: {
            id: 'c1',
            name: 'read',
            response: { result: bulk },
            parts: [{ inlineData: { mimeType: 'image/png', data: picture } }],
          },
        },
        { functionResponse: { id: 'c2', name: 'read', response: { error: bulk } } },
      ),
    ],
  ],
  [
    'bedrock-converse',
    'results with a status',
    [
      bedrock.user('go'),
      {
        role: 'assistant',
        content: ['c1', 'c2'].map((toolUseId) => bedrock.call(toolUseId)),
      },
      bedrock.user(
        bedrock.result('c1', [{ text: bulk }, { image: { format: 'png', source: { bytes: picture } } }]),
        bedrock.result('c2', [{ text: bulk }], { status: 'error' }),
      ),
    ],
  ],
  [
    'pydantic-ai',
    'a return and a retry',
    [
      pydantic.user('go'),
      {
        kind: 'response',
        parts: ['c1', 'c2'].map((id) => pydantic.call(id, 'read', '{}')),
      },
      pydantic.user(pydantic.result('c1', { rows: [bulk] }), {
        part_kind: 'retry-prompt',
        tool_name: 'read',
        content: bulk,
        tool_call_id: 'c2',
      }),
    ],
  ],
  [
    'ai-sdk-model',
    'outputs that say how they ended',
    [
      ask('go'),
      {
        role: 'assistant',
        content: ['c1', 'c2'].map((toolCallId) => aiSdkModel.call(toolCallId)),
      },
      aiSdkModel.results(
        sdkResult('c1', { type: 'json', value: { rows: [bulk] } }),
        sdkResult('c2', { type: 'error-text', value: bulk }),
      ),
    ],
  ],
  [
    'ai-sdk-ui',
    'results inside their calls',
    [
      { id: 'm1', role: 'user', parts: [anthropic.text('go')] },
      {
        id: 'm2',
        role: 'assistant',
        parts: [
          { type: 'tool-read', toolCallId: 'c1', state: 'output-available', input: {}, output: { rows: [bulk] } },
          { type: 'tool-read', toolCallId: 'c2', state: 'output-error', input: {}, errorText: bulk },
          anthropic.text('done'),
        ],
      },
    ],
  ],
  [
    'langchain',
    'messages with a status',
    [
      langchain.user('go'),
      {
        type: 'ai',
        content: '',
        tool_calls: ['c1', 'c2'].map((id) => langchain.call(id)),
      },
      { type: 'tool', content: [{ type: 'text', text: bulk }], tool_call_id: 'c1' },
      { type: 'tool', content: bulk, tool_call_id: 'c2', status: 'error' },
    ],
  ],
];

const resultsIn = (list: readonly unknown[], dialect: Dialect): ResultPart[] =>
  decode(list, dialect)?.messages.flatMap(({ parts }) => parts.filter((part) => part.kind === 'result')) ?? [];

describe.each(forms)('%s, %s', (dialect, _, list) => {
  const { output, results } = pruneOldToolOutputs(list, { ...eager, target: dialect });

  test('both results are emptied, with their ids and outcomes kept, and the judge takes it', () => {
    expect(judge(dialect, list, { purpose: 'history' })).toEqual([]);
    expect(judge(dialect, output, { purpose: 'history' })).toEqual([]);
    expect(results).toBe(2);
    expect(JSON.stringify(output)).not.toContain('a line of some output');
    const kept = ({ callId, outcome }: ResultPart): unknown => [callId, outcome];
    expect(resultsIn(output, dialect).map(kept)).toEqual(resultsIn(list, dialect).map(kept));
  });

  test('pruning again finds nothing, and a history that was read is pruned to the same', () => {
    expect(pruneOldToolOutputs(output, { ...eager, target: dialect }).output).toBe(output);
    const history = decode(list, dialect) as History;
    const pruned = pruneOldToolOutputs(history, { ...eager }).output;
    expect(pruned.messages.map(({ wire }) => wire)).toEqual(output);
    expect(pruned.messages[0]).toBe(history.messages[0]);
    expect(pruneOldToolOutputs(history, { ...eager, pins: history.messages }).output).toBe(history);
  });
});

describe('results that cannot say anything else', () => {
  const shot = { type: 'computer_screenshot', image_url: `data:image/png;base64,${picture}` };
  test.each<[string, Dialect, unknown[]]>([
    [
      'a screenshot',
      'openai-responses',
      [
        ask('go'),
        { type: 'computer_call', call_id: 'c1', action: { type: 'screenshot' } },
        { type: 'computer_call_output', call_id: 'c1', output: shot },
      ],
    ],
    [
      'the output of a shell in a form of its own',
      'openai-responses',
      [
        ask('go'),
        { type: 'shell_call', call_id: 'c1', action: { commands: [] } },
        { type: 'shell_call_output', call_id: 'c1', output: bulk },
      ],
    ],
    [
      'a refusal to run',
      'ai-sdk-model',
      [
        ask('go'),
        aiSdkModel.say(aiSdkModel.call('c1')),
        aiSdkModel.results(sdkResult('c1', { type: 'execution-denied', reason: bulk })),
      ],
    ],
    [
      'a result of an earlier version of the framework',
      'ai-sdk-model',
      [
        ask('go'),
        aiSdkModel.say({ type: 'tool-call', toolCallId: 'c1', toolName: 'read', args: {} }),
        aiSdkModel.results({ type: 'tool-result', toolCallId: 'c1', toolName: 'read', result: bulk }),
      ],
    ],
    [
      'a refusal to run, in the interface',
      'ai-sdk-ui',
      [
        { id: 'm1', role: 'user', parts: [anthropic.text('go')] },
        {
          id: 'm2',
          role: 'assistant',
          parts: [
            {
              type: 'tool-read',
              toolCallId: 'c1',
              state: 'output-denied',
              input: {},
              approval: { id: 'a', approved: false, reason: bulk },
            },
          ],
        },
      ],
    ],
  ])('%s stays', (_, dialect, list) => {
    expect(pruneOldToolOutputs(list, { ...eager, target: dialect }).output).toBe(list);
  });
});

describe('results that say something else', () => {
  const bare: ResultPart = { kind: 'result', callId: 'c1', outcome: 'ok', text: 'x', server: false, characters: 1 };

  test.each(Object.entries(CODECS))('%s leaves what has no form, and what the provider made, as it is', (_, codec) => {
    expect(codec.retell(bare, 'y')).toBeUndefined();
    expect(codec.retell({ ...bare, server: true, wire: { type: 'tool_result' } }, 'y')).toBeUndefined();
  });

  test('the older spelling of a response is kept', () => {
    const wire = { function_response: { name: 'read', response: { result: 'x' }, parts: [] } };
    expect(CODECS.gemini.retell({ ...bare, wire }, 'y')?.wire).toEqual({
      function_response: { name: 'read', response: { result: 'y' } },
    });
  });

  test('a patch that was applied, and an edited result, are written anew', () => {
    const wire = { type: 'apply_patch_call_output', call_id: 'c1', status: 'completed', output: 'x' };
    const told = CODECS['openai-responses'].retell({ ...bare, wire, edited: true }, 'y');
    expect(told).toEqual({ ...bare, wire: { ...wire, output: 'y' }, text: 'y', characters: 1 });
  });
});
