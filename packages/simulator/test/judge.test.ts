import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LENIENT } from './fixtures/accepted.ts';
import { ALL_ACCEPTED, ALL_REFUSALS, UNSEEN } from './fixtures/fixtures.ts';
import type { RefusalFixture } from './fixtures/fixture.ts';
import {
  CHECKS,
  judge,
  type JudgedDialect,
  type JudgeOptions,
  type SealCheck,
  type Sealed,
} from '../src/judges/judge.ts';
import { claudeProfile } from '../src/judges/model-profile.ts';

const shared = process.env.RETHREAD_SHARED;
const options = ({ purpose, model, told }: Fixture): JudgeOptions => ({ purpose, model, ...told });
const dialects = Object.keys(CHECKS) as JudgedDialect[];

describe('a refusal names its row and gives the provider’s words', () => {
  test.each(ALL_REFUSALS.map((fixture) => [`${fixture.dialect} ${fixture.row}: ${fixture.name}`, fixture] as const))(
    '%s',
    (_, fixture) => {
      const refusals = judge(fixture.dialect, fixture.input, options(fixture));
      expect(refusals.map(({ row, text }) => ({ row, text }))).toEqual([{ row: fixture.row, text: fixture.text }]);
      expect(refusals[0]).toMatchObject(fixture.envelope ?? {});
      expect(refusals.filter(({ pointer }) => !resolves(fixture.input, pointer))).toEqual([]);
      expect(judge(fixture.dialect, fixture.accepted, options(fixture))).toEqual([]);
    },
  );
});

describe('what looks illegal and is not is accepted', () => {
  test.each(ALL_ACCEPTED.map((fixture) => [`${fixture.dialect}: ${fixture.name}`, fixture] as const))(
    '%s',
    (_, fixture) => {
      expect(judge(fixture.dialect, fixture.input, options(fixture))).toEqual([]);
    },
  );
});

test.each(LENIENT.map((fixture) => [`${fixture.dialect}: ${fixture.name}`, fixture] as const))(
  'what leniency lets pass is refused for one reason by a strict reading: %s',
  (_, fixture) => {
    expect(judge(fixture.dialect, fixture.input, { ...options(fixture), strict: true })).toHaveLength(1);
    expect(judge(fixture.dialect, fixture.input, { purpose: fixture.purpose })).toHaveLength(1);
  },
);

describe('without any one check a defect would pass', () => {
  test.each(dialects.flatMap((dialect) => CHECKS[dialect].map((check) => ({ dialect, check }))))(
    '$dialect $check',
    ({ dialect, check }) => {
      const disabled = new Set([check]);
      const own = ALL_REFUSALS.filter((fixture) => fixture.dialect === dialect && fixture.row === check);
      expect(own.length).toBeGreaterThan(0);
      for (const fixture of own) {
        expect(judge(dialect, fixture.input, { ...options(fixture), disabled })).toEqual([]);
      }
    },
  );
});

const called = (part: object): unknown[] => [{ role: 'assistant', content: [part] }];
const chatCalled = (call: unknown): unknown[] => [{ role: 'assistant', content: '', tool_calls: [call] }];
const MISSHAPEN: readonly [JudgedDialect, unknown][] = [
  ['anthropic-messages', called({ type: 'tool_use', id: 7, name: 'read', input: {} })],
  ['anthropic-messages', called({ type: 'tool_use', id: 't1', input: {} })],
  ['anthropic-messages', called({ type: 'server_tool_use', name: 'web_search', input: {} })],
  ['anthropic-messages', called({ type: 'web_search_tool_result', content: [] })],
  ['anthropic-messages', called({ type: 'text' })],
  ['anthropic-messages', [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: ['x'] }] }]],
  ['openai-chat', [{ role: 'assistant', content: '', tool_calls: {} }]],
  ['openai-chat', chatCalled('c1')],
  ['openai-chat', chatCalled({ id: 'c1', type: 'function' })],
  ['openai-chat', chatCalled({ id: 'c1', type: 'function', function: { arguments: '' } })],
  ['openai-chat', [{ role: 'user', content: ['x'] }]],
  ['openai-chat', [{ role: 'user', content: [{ type: 'text' }] }]],
  ['pydantic-ai', [{ kind: 'request' }]],
  ['pydantic-ai', [{ kind: 'request', parts: [{}] }]],
  ['pydantic-ai', [{ kind: 'request', parts: [{ part_kind: 'tool-call', tool_name: 'a', tool_call_id: 'b' }] }]],
  ['pydantic-ai', [{ kind: 'response', parts: [{ part_kind: 'tool-call', tool_call_id: 'b' }] }]],
  ['pydantic-ai', [{ kind: 'response', parts: [], tool_calls: ['b'] }]],
];

describe('the judge never throws', () => {
  const cyclic: unknown[] = [];
  cyclic.push({ role: 'user', content: cyclic, kind: 'request', parts: cyclic });
  const hostile = Object.defineProperty({}, 'role', {
    enumerable: true,
    get() {
      throw new Error('no');
    },
  });
  const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  const odd = [null, 7, 'x', {}, { messages: null }, [null], [[]], [hostile], cyclic, [{ role: 'user', content: 1n }]];

  test.each(dialects)('%s answers `shape` to what is not a history', (dialect) => {
    for (const input of odd) {
      expect(judge(dialect, input).map(({ row }) => row)).toContain('shape');
    }
  });

  test.each(MISSHAPEN)('%s cannot be read: %j', (dialect, input) => {
    expect(judge(dialect, input).map(({ row }) => row)).toContain('shape');
  });

  test('depth alone is no reason to refuse', () => {
    const call = { type: 'tool_use', id: 't1', name: 'read', input: { deep: nested(5000) } };
    const history = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1' }] },
    ];
    expect(judge('anthropic-messages', history)).toEqual([]);
  });

  test('a lone surrogate is found below any depth', () => {
    const deep = JSON.parse(`${'['.repeat(3000)}"\\ud83d"${']'.repeat(3000)}`) as unknown;
    const refusals = judge('openai-chat', [{ role: 'user', content: 'x', extra: deep }]);
    expect(refusals.map(({ row }) => row)).toEqual(['an-json-utf16']);
  });
});

test('a model is known by its family and number, and an unknown one is read as it is told', () => {
  const read = (model: string, strict = true): string =>
    Object.entries(claudeProfile(model, strict))
      .filter(([, value]) => value !== false)
      .map(([key, value]) => (value === true ? key : value))
      .join(' ');
  expect(
    Object.fromEntries(
      [
        'claude-sonnet-4-5-20250929',
        'claude-3-5-haiku-latest',
        'claude-3-7-sonnet@20250219',
        'us.anthropic.claude-opus-4-8-v1:0',
        'anthropic/claude-opus-4.8',
        'claude-opus-4-20250514',
        'claude-v2:1',
        'claude-sonnet-4-6',
        'claude-sonnet-5',
        'claude-sonnet-5-5',
        'claude-opus-5-5',
        'claude-fable-5-1',
        'claude-mythos',
      ].map((model) => [model, read(model)]),
    ),
  ).toEqual({
    'claude-sonnet-4-5-20250929': 'prefill 100 200000',
    'claude-3-5-haiku-latest': 'firstMustBeUser prefill 100 200000',
    'claude-3-7-sonnet@20250219': 'firstMustBeUser prefill thinkingFirst 100 200000',
    'us.anthropic.claude-opus-4-8-v1:0': 'midSystem 600 1000000',
    'anthropic/claude-opus-4.8': 'midSystem 600 1000000',
    'claude-opus-4-20250514': 'prefill 100 200000',
    'claude-v2:1': 'firstMustBeUser prefill 100 200000',
    'claude-sonnet-4-6': '600 1000000',
    'claude-sonnet-5': '600 1000000',
    'claude-sonnet-5-5': 'bindsPrefix 600 1000000',
    'claude-opus-5-5': 'midSystem bindsPrefix 600 1000000',
    'claude-fable-5-1': 'midSystem bindsPrefix 600 1000000',
    'claude-mythos': 'midSystem 600 1000000',
  });
  for (const model of ['claude-next', 'gpt-4o', 'next']) {
    expect(read(model)).toBe('firstMustBeUser thinkingFirst bindsPrefix 100 200000');
    expect(read(model, false)).toBe('prefill prefillWithTools midSystem 600 1000000');
  }
});

describe('the first refusal is the one the provider would answer with', () => {
  const first = (dialect: JudgedDialect, input: unknown): string | undefined =>
    judge(dialect, input, { whole: true, seals: () => 'foreign' }).map(({ row, text }) => `${row}: ${text}`)[0];
  const huge = 'x'.repeat(34_000_000);
  const call = { type: 'tool_use', id: 't1', name: 'read', input: {} };
  const thought = { type: 'thinking', thinking: '', signature: 's' };
  const body = { model: 'claude-sonnet-5', max_tokens: 1, tools: [{ name: 'read', input_schema: {} }] };

  test('for Anthropic the length, then the form, then the rules, then the seals', () => {
    const stages = [
      { role: 'assistant', content: [thought, { type: 'text', text: 'a' }] },
      { role: 'assistant', content: [call] },
      { role: 'user', content: 'a', id: 1 },
      { role: 'user', content: 'smile \ud83d' },
      { role: 'user', content: huge },
    ];
    const answers = stages.map((_, i) => first('anthropic-messages', { ...body, messages: stages.slice(0, i + 1) }));
    expect(answers.map((answer) => answer?.split(':')[0])).toEqual([
      'an-prefill',
      'an-tooluse-answered',
      'an-extra-keys',
      'an-json-utf16',
      'an-size',
    ]);
    const sealed = { ...body, messages: [...stages.slice(0, 1), { role: 'user', content: 'x' }] };
    expect(first('anthropic-messages', sealed)).toMatch(/^an-sig-valid/);
  });

  test('for OpenAI the JSON, then the form, then the pairs, then the model', () => {
    const stages = [
      { role: 'user', content: 'go' },
      { role: 'tool', tool_call_id: 'c1', content: '' },
      { role: 'user', content: null },
      { role: 'user', content: 'smile \ud83d' },
    ];
    const tools = [{ type: 'function', function: { name: 'read' } }];
    const answers = stages.map((_, i) =>
      first('openai-chat', { model: 'gpt-5.4', tools, reasoning_effort: 'low', messages: stages.slice(0, i + 1) }),
    );
    expect(answers.map((answer) => answer?.split(':')[0])).toEqual([
      'oc-reasoning-tools',
      'oc-tool-orphan',
      'oc-content-null',
      'an-json-utf16',
    ]);
  });
});

test('images and seals do not count as words', () => {
  const source = { type: 'base64', media_type: 'image/png', data: 'x'.repeat(900_000) };
  const thought = { type: 'thinking', thinking: '', signature: 'x'.repeat(900_000) };
  const messages = [
    { role: 'user', content: [{ type: 'image', source }] },
    { role: 'assistant', content: [thought, { type: 'text', text: 'a' }] },
  ];
  expect(judge('anthropic-messages', { model: 'claude-sonnet-4-5', messages })).toEqual([]);
});

test('a seal is asked about with all it may be bound to', () => {
  const asked: Sealed[] = [];
  const body = {
    model: 'claude-sonnet-5',
    messages: [
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'b', signature: 's1' },
          { type: 'text', text: 'c' },
        ],
      },
      { role: 'user', content: 'd' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'e' },
          { type: 'redacted_thinking', data: 's2' },
          { type: 'text', text: 'f' },
        ],
      },
      { role: 'user', content: 'g' },
    ],
  };
  const seals: SealCheck = (sealed) => {
    asked.push(sealed);
    return 'genuine';
  };
  expect(judge('anthropic-messages', body, { seals })).toEqual([]);
  const { messages, model } = body;
  expect(asked).toEqual([
    {
      seal: 's1',
      content: 'b',
      list: messages,
      message: 1,
      model,
      body,
      before: [],
      previous: undefined,
      latest: false,
    },
    {
      seal: 's2',
      content: undefined,
      list: messages,
      message: 3,
      model,
      body,
      before: [{ type: 'text', text: 'e' }],
      previous: 's1',
      latest: true,
    },
  ]);
});

test('a turn of very many calls with as many words behind them is judged in time that grows with its length', () => {
  const count = 40_000;
  const calls = Array.from({ length: count }, (_, i) => ({ type: 'tool_use', id: `t${i}`, name: 'read', input: {} }));
  const words = Array.from({ length: count }, () => ({ type: 'text', text: 'x' }));
  const started = performance.now();
  const refusals = judge('anthropic-messages', [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [...calls, ...words] },
  ]);
  expect(refusals.map(({ row }) => row)).toEqual(['an-tooluse-suffix', 'an-tooluse-answered']);
  expect(performance.now() - started).toBeLessThan(2000);
});

test('a key that does not belong on a message is pointed to', () => {
  const found = judge('anthropic-messages', [{ role: 'user', content: 'hi', 'a/b': 1, id: 'm1' }]);
  expect(found.map(({ pointer }) => pointer)).toEqual(['/0/a~1b', '/0/id']);
});

test('what lies beside the list is pointed to where it cannot be written', () => {
  const beside = { system: 'x', metadata: { a: [{ 'b\ud83d': 1 }] } };
  const body = { model: 'claude-sonnet-5', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }], ...beside };
  expect(judge('anthropic-messages', body, { whole: true }).map(({ pointer }) => pointer)).toEqual([
    '/metadata/a/0/b\ud83d',
  ]);
});

describe.skipIf(shared === undefined)('against the shared evidence', () => {
  const read = (path: string): string => {
    const file = join(shared ?? '', path);
    if (!existsSync(file)) throw new Error(`RETHREAD_SHARED is set but holds no ${path}`);
    return readFileSync(file, 'utf8');
  };

  const recorded = (api: string): Recorded[] =>
    read('evidence/recorded.jsonl')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Recorded)
      .filter((request) => request.api === api);

  test.each([
    ['anthropic-messages', 160, 'messages'],
    ['openai-chat', 111, 'messages'],
    ['openai-responses', 151, 'input'],
    ['gemini', 241, 'contents'],
    ['bedrock-converse', 108, 'messages'],
    ['mistral-chat', 29, 'messages'],
  ] as const)('every recorded and accepted request of %s is accepted', (dialect, expected, list) => {
    const accepted = recorded(dialect).filter(({ status }) => status === 200);
    for (const { name, model, body } of accepted) {
      const asRequest = judge(dialect, body, { model, whole: true });
      const history = body[list];
      // What goes on from a stored response is no history without it.
      const stored = body.previous_response_id ?? body.conversation;
      const asHistory = Array.isArray(history) && stored === undefined ? judge(dialect, history, { model }) : [];
      expect({ name, asRequest, asHistory }).toEqual({ name, asRequest: [], asHistory: [] });
    }
    console.log(`${dialect}: ${accepted.length} recorded requests accepted`);
    expect(accepted).toHaveLength(expected);
  });

  test('the recorded refusal of a role is repeated to the letter', () => {
    const refused = recorded('openai-chat').filter(({ error }) => error?.error.code === 'unsupported_value');
    for (const { body, error } of refused) {
      const { message, code, param } = error?.error ?? {};
      expect(judge('openai-chat', body, { whole: true })).toMatchObject([{ text: message, code, param }]);
    }
    expect(refused).toHaveLength(1);
  });

  test('every row of the contract that providers enforce has a fixture or a reason why it cannot', () => {
    const sections = read('CONTRACTS.md')
      .split('\n## ')
      .filter((section) => /^[1-4]\./.test(section));
    const rows = sections
      .join('\n')
      .split('\n')
      .map((line) => line.split(' | '))
      .filter((cells) => cells.length >= 6 && /\b(HARD|VER)\b/.test(cells[4] ?? '') && !/^OK\b/.test(cells[4] ?? ''))
      .map((cells) => (cells[0] ?? '').replace('| ', ''));
    const covered = new Set([...ALL_REFUSALS, ...UNSEEN].map(({ row }) => row));
    expect(rows.length).toBeGreaterThan(60);
    expect(rows.filter((row) => !covered.has(row))).toEqual([]);
  });
});

type Fixture = Pick<RefusalFixture<JudgedDialect>, 'purpose' | 'model' | 'told'>;

interface Recorded {
  readonly name: string;
  readonly api: string;
  readonly model: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly error?: {
    readonly error: { readonly message?: string; readonly code?: string | null; readonly param?: string };
  };
}

/** Whether the pointer leads to a place in the input; the last step may name a key that is missing there. */
function resolves(input: unknown, pointer: string): boolean {
  const steps = pointer.split('/').slice(1);
  let value = input;
  for (const [i, step] of steps.entries()) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null) return false;
    if (!(key in value)) return i === steps.length - 1;
    value = (value as Record<string, unknown>)[key];
  }
  return true;
}
