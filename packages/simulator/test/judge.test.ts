import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ACCEPTED, REFUSALS, UNSEEN } from './fixtures/fixtures.ts';
import { CHECKS, judge, type JudgedDialect, type JudgeOptions } from '../src/judges/judge.ts';
import { claudeProfile } from '../src/judges/model-profile.ts';

const shared = process.env.RETHREAD_SHARED;
const options = (fixture: JudgeOptions): JudgeOptions => ({ purpose: fixture.purpose, model: fixture.model });
const dialects = Object.keys(CHECKS) as JudgedDialect[];

describe('a refusal names its row and gives the provider’s words', () => {
  test.each(REFUSALS.map((fixture) => [`${fixture.dialect} ${fixture.row}: ${fixture.name}`, fixture] as const))(
    '%s',
    (_, fixture) => {
      const refusals = judge(fixture.dialect, fixture.input, options(fixture));
      expect(refusals.map(({ row, text }) => ({ row, text }))).toEqual([{ row: fixture.row, text: fixture.text }]);
      expect(refusals.filter(({ pointer }) => !resolves(fixture.input, pointer))).toEqual([]);
      expect(judge(fixture.dialect, fixture.accepted, options(fixture))).toEqual([]);
    },
  );
});

describe('what looks illegal and is not is accepted', () => {
  test.each(ACCEPTED.map((fixture) => [`${fixture.dialect}: ${fixture.name}`, fixture] as const))(
    '%s',
    (_, fixture) => {
      expect(judge(fixture.dialect, fixture.input, options(fixture))).toEqual([]);
    },
  );
});

describe('without any one check a defect would pass', () => {
  test.each(dialects.flatMap((dialect) => CHECKS[dialect].map((check) => ({ dialect, check }))))(
    '$dialect $check',
    ({ dialect, check }) => {
      const disabled = new Set([check]);
      const own = REFUSALS.filter((fixture) => fixture.dialect === dialect && fixture.row === check);
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

test('a model is known by its family and number, and an unknown one is read strictly', () => {
  const read = (model: string): string => {
    const { firstMustBeUser, prefill, midSystem, thinkingFirst, maxImages } = claudeProfile(model);
    return [
      firstMustBeUser && 'first',
      prefill && 'prefill',
      midSystem && 'system',
      thinkingFirst && 'thinking',
      maxImages,
    ]
      .filter((word) => word !== false)
      .join(' ');
  };
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
        'claude-sonnet-5',
        'claude-opus-5-5',
        'claude-mythos',
        'claude-next',
        'gpt-4o',
      ].map((model) => [model, read(model)]),
    ),
  ).toEqual({
    'claude-sonnet-4-5-20250929': 'prefill 100',
    'claude-3-5-haiku-latest': 'first prefill 100',
    'claude-3-7-sonnet@20250219': 'first prefill thinking 100',
    'us.anthropic.claude-opus-4-8-v1:0': 'system 600',
    'anthropic/claude-opus-4.8': 'system 600',
    'claude-opus-4-20250514': 'prefill 100',
    'claude-v2:1': 'first prefill 100',
    'claude-sonnet-5': '600',
    'claude-opus-5-5': 'system 600',
    'claude-mythos': 'system 600',
    'claude-next': 'first thinking 100',
    'gpt-4o': 'first thinking 100',
  });
});

describe.skipIf(shared === undefined)('against the shared evidence', () => {
  const read = (path: string): string => {
    const file = join(shared ?? '', path);
    if (!existsSync(file)) throw new Error(`RETHREAD_SHARED is set but holds no ${path}`);
    return readFileSync(file, 'utf8');
  };

  test.each([
    ['anthropic-messages', 160],
    ['openai-chat', 111],
  ] as const)('every recorded and accepted request of %s is accepted', (dialect, expected) => {
    let count = 0;
    for (const line of read('evidence/recorded.jsonl').split('\n')) {
      if (line === '') continue;
      const { api, status, name, model, body } = JSON.parse(line) as Recorded;
      if (api !== dialect || status !== 200) continue;
      count++;
      const asHistory = judge(dialect, body.messages, { model });
      expect({ name, asRequest: judge(dialect, body), asHistory }).toEqual({ name, asRequest: [], asHistory: [] });
    }
    console.log(`${dialect}: ${count} recorded requests accepted`);
    expect(count).toBe(expected);
  });

  test('every row of the contract that providers enforce has a fixture or a reason why it cannot', () => {
    const sections = read('CONTRACTS.md')
      .split('\n## ')
      .filter((section) => /^[12]\./.test(section));
    const rows = sections
      .join('\n')
      .split('\n')
      .map((line) => line.split(' | '))
      .filter((cells) => cells.length >= 6 && /\b(HARD|VER)\b/.test(cells[4] ?? '') && !/^OK\b/.test(cells[4] ?? ''))
      .map((cells) => (cells[0] ?? '').replace('| ', ''));
    const covered = new Set([...REFUSALS, ...UNSEEN].map(({ row }) => row));
    expect(rows.length).toBeGreaterThan(60);
    expect(rows.filter((row) => !covered.has(row))).toEqual([]);
  });
});

interface Recorded {
  readonly name: string;
  readonly api: string;
  readonly model: string;
  readonly status: number;
  readonly body: { readonly messages: unknown };
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
