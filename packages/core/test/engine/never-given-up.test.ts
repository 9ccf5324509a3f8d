import { expect, test } from 'vitest';
import { repair, type RepairOptions, type TargetInput } from '../../src/index.ts';
import { anthropic, bedrock, chat, responses } from '../words.ts';

const { call, result, say, user } = chat;

type Given = readonly [name: string, history: unknown, target: TargetInput];

const chatCall = (id: string): object => call(id);
const use = (id: string): object => anthropic.call(id);
const text = (words: string): object => ({ type: 'text', text: words });
const shell = {
  type: 'local_shell_call',
  id: 'lsh_1',
  call_id: 'c1',
  action: { type: 'exec', command: ['ls'], env: {} },
};

/** An answer that was stored twice: by a retry, or as snapshots of one stream. */
function twice(): unknown[] {
  const answer = say('reading', chatCall('c1'));
  const question = user('read it');
  return [question, answer, answer, result('c1', 'A')];
}

const HISTORIES: readonly Given[] = [
  ['an answer stored twice', twice(), 'openai-chat'],
  ['an answer stored twice', twice(), 'mistral-chat'],
  ['an answer stored twice', twice(), 'langchain'],
  [
    'an answer stored twice',
    [
      user('read it'),
      say(text('reading'), use('t1')),
      say(text('reading'), use('t1')),
      anthropic.user(anthropic.result('t1', 'A')),
    ],
    'anthropic-messages',
  ],
  [
    'calls of one id on both sides of a message that says nothing',
    [user('read it'), say(use('t1')), { role: 'user' }, say(text('again'), use('t1')), user('well?')],
    'anthropic-messages',
  ],
  [
    'a call of a local shell stored again at the end',
    [user('read it'), shell, { type: 'local_shell_call_output', id: 'c1', output: 'A' }, user('and?'), shell],
    'openai-responses',
  ],
  [
    'snapshots of a stream',
    [
      user('read both'),
      say('rea'),
      say('readi', chatCall('c1')),
      say('reading', chatCall('c1'), chatCall('c2')),
      result('c1', 'A'),
      result('c2', 'B'),
    ],
    'openai-chat',
  ],
  [
    'a failed result with content that only succeeds',
    [
      bedrock.user('read it'),
      bedrock.say(bedrock.call('c1')),
      bedrock.user(bedrock.result('c1', [{ x: 1 }], { status: 'error' })),
    ],
    { dialect: 'bedrock-converse', model: 'anthropic.claude-opus-5-5-v1:0' },
  ],
  [
    'a custom tool where arguments are objects',
    [
      user('read it'),
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
      user('search'),
      anthropic.say(
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'a' } },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
        use('srvtoolu_1'),
      ),
      user('well?'),
    ],
    'anthropic-messages',
  ],
  [
    'a picture that is nowhere, and one under the key of a file',
    [
      responses.user(
        { type: 'input_image', image: {} },
        { type: 'input_image', file: 'a' },
        { type: 'input_file', file: {} },
      ),
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
