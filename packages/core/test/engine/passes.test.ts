import { describe, expect, test } from 'vitest';
import { repair, type RepairOptions, type Repaired, type TargetInput } from '../../src/index.ts';
import { WRITERS } from '../conversation.ts';
import { aiSdkModel, anthropic, bedrock, chat, gemini } from '../words.ts';

const { say, system, text, user } = anthropic;

/** One defect of a call, or all of them at once. */
type Defects = { readonly id?: boolean; readonly name?: boolean; readonly input?: boolean };

const SENT = [
  'anthropic-messages',
  'bedrock-converse',
  'gemini',
  'mistral-chat',
  'openai-chat',
  'openai-responses',
] as const;
type Sent = (typeof SENT)[number];

const EVERY: Defects = { id: true, name: true, input: true };

/** A batch of calls with these defects, and its results. */
function spoken(dialect: Sent, count: number, { id, name, input }: Defects): Repaired<unknown> {
  const { user: asking, calls, results } = WRITERS[dialect];
  const ids = Array.from({ length: count }, (_, n) =>
    id && dialect !== 'gemini' ? `functions.read:${String(n)}${'x'.repeat(60)}` : `call${String(n).padStart(5, '0')}`,
  );
  const sound = [
    asking('read'),
    ...calls(...ids.map((each, n) => ({ id: each, tool: name ? '' : 'read', input: { path: n } }))),
    ...results(...ids.map((each, n) => ({ id: each, text: `output ${n}` }))),
  ];
  const list = input ? '[$1$2]' : '$&';
  const text = JSON.stringify(sound).replaceAll(/"\{\\"path\\":(\d+)\}"|\{"path":(\d+)\}/g, list);
  const target = dialect === 'gemini' ? { dialect, model: 'gemini-2.5-flash' } : { dialect };
  return repair(JSON.parse(text), target);
}

describe.each(SENT)('in %s', (dialect) => {
  test('a call with many defects is mended in the round that one defect takes', () => {
    for (const one of [{ id: true }, { name: true }, { input: true }]) {
      expect(spoken(dialect, 1, EVERY).report.passes).toBe(Math.max(2, spoken(dialect, 1, one).report.passes));
    }
  });

  test('so is each call of a batch, and its result stays with it', () => {
    const { output, report } = spoken(dialect, 8, EVERY);
    expect(report).toMatchObject({ verdict: 'repaired', passes: 2, preserved: { ratio: 1 } });
    for (let number = 0; number < 8; number += 1) expect(JSON.stringify(output)).toContain(`"output ${number}"`);
    expect(JSON.stringify(output)).not.toContain('interrupted');
  });
});

const use = (fields: object): object => ({ type: 'tool_use', id: 'a.b', name: 'read', input: {}, ...fields });
const output = (fields: object): object => ({ type: 'tool_result', tool_use_id: 'a.b', content: 'A', ...fields });
const exchange = (call: object, result: object): unknown[] => [user('read'), say(call), user(result)];
const LEGAL = 'a_b_0shep8g0jwmkif';

describe('both ends of a pair get their id in one round', () => {
  const cases: readonly (readonly [name: string, given: unknown[]])[] = [
    ['half a character in the arguments', exchange(use({ input: { path: '\ud800' } }), output({}))],
    ['half a character in the result', exchange(use({}), output({ content: 'A \ud800' }))],
    ['a refused key of the call', exchange(use({ index: 0 }), output({}))],
    ['a refused key of the result', exchange(use({}), output({ index: 0 }))],
    ['a refused key of the message', [{ role: 'user', content: 'read', note: 1 }, ...exchange(use({}), output({}))]],
    ['content that a result cannot hold', exchange(use({}), output({ content: 7 }))],
  ];
  test.each(cases)('with %s', (_name, given) => {
    const { output: mended, report } = repair(given, 'anthropic-messages');
    expect(report.repairs.map(({ rule }) => rule)).not.toContain('result-misnamed');
    expect(report.passes).toBeLessThanOrEqual(3);
    const ids = JSON.stringify(mended).match(/"(?:tool_use_)?id":"[^"]*"/g);
    expect(ids).toEqual([`"id":"${LEGAL}"`, `"tool_use_id":"${LEGAL}"`]);
  });

  test('and from the same id, where mending it changes that first', () => {
    const call = chat.call('a\ud800');
    const given = [user('read'), { role: 'assistant', content: null, tool_calls: [call] }, chat.result('a\ud800', 'A')];
    const made = repair(given, 'mistral-chat').report.repairs.map(({ rule }) => rule);
    expect(made).toEqual(['lone-surrogate', 'lone-surrogate', 'call-id-malformed', 'call-id-malformed']);
  });

  test('so that a result in the way of nothing is not quoted', () => {
    const given = [
      user('read'),
      chat.say(chat.call('tool-use-23', 'read', '{"a":"\ud800"}')),
      { role: 'tool', tool_call_id: 'tool-use-23', content: 'output', name: 'é' },
      say('done'),
    ];
    const { output: mended } = repair(given, 'mistral-chat');
    expect(mended[2]).toEqual({ role: 'tool', tool_call_id: 'jn1y2hsgy', content: 'output', name: '_' });
    expect(mended).toHaveLength(4);
  });
});

describe('rules go on from each other', () => {
  test('for a result with many defects', () => {
    const given = [
      gemini.user('read'),
      gemini.say(gemini.call('read', {}, 'c1')),
      gemini.user({ functionResponse: { id: 'c1', response: 'A' }, thoughtSignature: '?' }),
    ];
    const { output: mended, report } = repair(given, { dialect: 'gemini', model: 'gemini-2.5-flash' });
    expect(mended[2]).toEqual(gemini.user(gemini.result('read', 'A', 'c1')));
    expect(report.passes).toBe(2);
  });

  test('in the order of the contract, but that ids wait for nobody', () => {
    const call = chat.call('tool-use-23');
    const content = [text('x\udc00'), { type: 'image_url', image_url: 'https://example.org' }];
    const given = [
      user('read'),
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'tool-use-23', content, name: 'é' },
    ];
    const made = repair(given, 'mistral-chat').report.repairs.map(({ rule }) => rule);
    expect(made.slice(0, 3)).toEqual(['lone-surrogate', 'call-id-malformed', 'call-id-malformed']);
    expect(made.indexOf('part-refused')).toBeLessThan(made.indexOf('result-name-malformed'));
  });

  test('but a result that got another id is not asked for its call', () => {
    const toolCallId = 'x'.repeat(80);
    const result = { type: 'tool-result', toolCallId, output: { type: 'text', value: 'A' } };
    const given = [aiSdkModel.say(aiSdkModel.call(toolCallId)), aiSdkModel.results(result)];
    expect(JSON.stringify(repair(given, 'ai-sdk-model').output)).not.toContain('unknown_tool');
  });

  test('and calls that share an id are renamed and closed in one round', () => {
    const both = [use({ id: 'c1', input: true }), use({ id: 'c1' })];
    const given = [user('read'), { role: 'assistant', content: both }];
    const { output: mended, report } = repair(given, 'anthropic-messages');
    expect(report.passes).toBe(2);
    expect(JSON.stringify(mended).match(/tool_use_id":"[^"]*/g)).toEqual(['tool_use_id":"c1', 'tool_use_id":"c1_2']);
  });
});

test('what is made of an unreadable message is read before the list is walked again', () => {
  const given = [{ role: 'function', parts: [{ function_call: { name: 'f', args: {} }, text: 'said' }] }];
  const { report } = repair(given, { dialect: 'gemini', model: 'gemini-2.5-flash' });
  const made = report.repairs.map(({ rule }) => rule);
  expect(made.slice(0, 3)).toEqual(['role-foreign', 'data-twice', 'part-in-wrong-role']);
  expect(report.passes).toBe(4);
});

/** Histories on which every kind of loss was reported that came from a round for each defect. */
const CHAINS: readonly (readonly [name: string, given: unknown, target: TargetInput, options: RepairOptions])[] = [
  [
    'two calls of one id that are nothing but an id',
    [
      { role: 'user', content: [{ type: 'tool_use' }, '__proto__'] },
      user(
        { type: 'tool_use', id: 'a.b', refusal: 'said' },
        { type: 'tool_use', id: 'a.b', refusal: '' },
        { type: 'web_search_tool_result', name: 'x\udc00' },
      ),
    ],
    'anthropic-messages',
    {},
  ],
  [
    'a call behind sealed reasoning, and a request at the end',
    [
      say({ type: 'redacted_thinking', data: 'more' }, { type: 'tool_use', refusal: 'x\udc00' }),
      { role: 'user', content: [{ type: 'server_tool_use' }, ''] },
      system({ type: 'future' }),
    ],
    'anthropic-messages',
    { next: 'user', policy: 'discard' },
  ],
  [
    'calls in a system message',
    [{ role: 'system', content: [{ toolUse: { toolUseId: 'a.b' } }, { toolUse: { toolUseId: 'a.b' } }, 'tool_use'] }],
    { dialect: 'bedrock-converse', model: 'qwen.qwen3-32b-v1:0' },
    { next: 'user' },
  ],
  [
    'calls in a system message, for a model that takes no status',
    [bedrock.system({ toolUse: { toolUseId: 'a.b' } }, { toolUse: { toolUseId: 'a.b' } }, { cachePoint: {} })],
    { dialect: 'bedrock-converse', model: 'us.writer.palmyra-x4-v1:0' },
    {},
  ],
  [
    'an empty response, and two things in one part',
    [
      { parts: [{ functionResponse: {}, thoughtSignature: 7 }, gemini.text('x\udc00')] },
      { role: 'function', parts: [{ toolCall: {}, functionCall: {} }] },
      gemini.system('x\udc00'),
    ],
    { dialect: 'gemini', model: 'models/gemini-4-pro' },
    { open: 'leave' },
  ],
  [
    'two things in one part, of another role',
    {
      contents: [
        { role: 'function', parts: [{ function_call: {}, text: 'said' }, { functionCall: {} }] },
        gemini.system({ toolCall: {} }),
        gemini.say({ inlineData: {}, functionResponse: {} }, { functionResponse: {}, thoughtSignature: 'not base64!' }),
      ],
    },
    { dialect: 'gemini', model: 'gemini-3-flash-preview' },
    {},
  ],
  [
    'sound beside two calls of one id',
    [
      {
        role: 'assistant',
        content: [{ type: 'input_audio', signature: 'x\udc00' }],
        tool_calls: [{ id: 'a' }, { id: 'a' }],
      },
      { role: 'developer', content: ['user'] },
    ],
    'mistral-chat',
    { next: 'user' },
  ],
];

test.each(CHAINS)('%s: mended in eight passes, and once and for all', (...[, given, target, options]) => {
  const once = repair(given, target, options);
  expect(['repaired', 'waiting']).toContain(once.report.verdict);
  expect(once.report.passes).toBeLessThanOrEqual(8);
  expect(repair(once.output, target, options).changed).toBe(false);
});

test('as many images as may be cost one walk more, and not one for each round', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } };
  const given = (count: number): unknown[] => [
    user('look', ...Array.from({ length: count }, () => image)),
    say(use({ id: 'c1' })),
    user('well?'),
    say('a moment'),
    user(image, output({ tool_use_id: 'c1', content: 7 })),
    system('be brief'),
  ];
  const few = repair(given(1), 'anthropic-messages').report.passes;
  expect(repair(given(100), 'anthropic-messages').report.passes).toBeLessThanOrEqual(few + 1);
});
