import { expect, test } from 'vitest';
import { repair, type RepairOptions, type TargetInput } from '../src/index.ts';

type Given = readonly [name: string, history: unknown, target: TargetInput];

const chatCall = (id: string): object => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } });
const use = (id: string): object => ({ type: 'tool_use', id, name: 'read', input: {} });
const text = (words: string): object => ({ type: 'text', text: words });
const shell = {
  type: 'local_shell_call',
  id: 'lsh_1',
  call_id: 'c1',
  action: { type: 'exec', command: ['ls'], env: {} },
};

/** An answer that was stored twice: by a retry, or as snapshots of one stream. */
function twice(): unknown[] {
  const answer = { role: 'assistant', content: 'reading', tool_calls: [chatCall('c1')] };
  const question = { role: 'user', content: 'read it' };
  return [question, answer, answer, { role: 'tool', tool_call_id: 'c1', content: 'A' }];
}

const HISTORIES: readonly Given[] = [
  ['an answer stored twice', twice(), 'openai-chat'],
  ['an answer stored twice', twice(), 'mistral-chat'],
  ['an answer stored twice', twice(), 'langchain'],
  [
    'an answer stored twice',
    [
      { role: 'user', content: 'read it' },
      { role: 'assistant', content: [text('reading'), use('t1')] },
      { role: 'assistant', content: [text('reading'), use('t1')] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'A' }] },
    ],
    'anthropic-messages',
  ],
  [
    'calls of one id on both sides of a message that says nothing',
    [
      { role: 'user', content: 'read it' },
      { role: 'assistant', content: [use('t1')] },
      { role: 'user' },
      { role: 'assistant', content: [text('again'), use('t1')] },
      { role: 'user', content: 'well?' },
    ],
    'anthropic-messages',
  ],
  [
    'a call of a local shell stored again at the end',
    [
      { role: 'user', content: 'read it' },
      shell,
      { type: 'local_shell_call_output', id: 'c1', output: 'A' },
      { role: 'user', content: 'and?' },
      shell,
    ],
    'openai-responses',
  ],
  [
    'snapshots of a stream',
    [
      { role: 'user', content: 'read both' },
      { role: 'assistant', content: 'rea' },
      { role: 'assistant', content: 'readi', tool_calls: [chatCall('c1')] },
      { role: 'assistant', content: 'reading', tool_calls: [chatCall('c1'), chatCall('c2')] },
      { role: 'tool', tool_call_id: 'c1', content: 'A' },
      { role: 'tool', tool_call_id: 'c2', content: 'B' },
    ],
    'openai-chat',
  ],
  [
    'a failed result with content that only succeeds',
    [
      { role: 'user', content: [{ text: 'read it' }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'read', input: {} } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 'c1', content: [{ x: 1 }], status: 'error' } }] },
    ],
    { dialect: 'bedrock-converse', model: 'anthropic.claude-opus-5-5-v1:0' },
  ],
  [
    'a custom tool where arguments are objects',
    [
      { role: 'user', content: 'read it' },
      {
        role: 'assistant',
        tool_calls: [
          { id: 'c1', type: 'custom', custom: { name: 'shell' } },
          { id: 'c2', custom: { name: 'shell' } },
          { id: 'c3', custom: { name: 'shell' }, function: { name: 'shell' } },
        ],
      },
    ],
    { dialect: 'openai-chat', model: 'template/glm-4.7' },
  ],
  [
    'a call of ours with the id of one of the provider',
    [
      { role: 'user', content: 'search' },
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'a' } },
          { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
          use('srvtoolu_1'),
        ],
      },
      { role: 'user', content: 'well?' },
    ],
    'anthropic-messages',
  ],
  [
    'a picture that is nowhere, and one under the key of a file',
    [
      {
        role: 'user',
        content: [
          { type: 'input_image', image: {} },
          { type: 'input_image', file: 'a' },
          { type: 'input_file', file: {} },
        ],
      },
    ],
    'openai-agents',
  ],
];

const CHOICES: readonly RepairOptions[] = [{}, { open: 'leave' }, { policy: 'discard' }];

test.each(HISTORIES)('%s is mended, and no turn is left out', (_name, history, target) => {
  for (const options of CHOICES) {
    const { report } = repair(history, target, options);
    expect(['clean', 'repaired', 'waiting']).toContain(report.verdict);
    expect(report.findings.map(({ rule }) => rule)).not.toContain('passes-exhausted');
    if (options.policy === undefined) expect(report.preserved.ratio).toBe(1);
  }
});
