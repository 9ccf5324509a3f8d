import { describe, expect, test } from 'vitest';
import { isDialect, type Dialect } from '../../src/model/dialect.ts';
import { examplesOf } from '../../src/examples.ts';
import { contractOf } from '../../src/target.ts';
import { PROFILES } from '../../src/dialects/profiles.ts';
import { check, repair } from '../../src/index.ts';
import type { Example } from '../../src/model/rule.ts';
import { judge } from '../../../simulator/src/judges/judge.ts';
import { disagreementIn, KNOWN_DISAGREEMENTS } from '../fuzz/disagreements.ts';
import { request, response } from '../pydantic-wire.ts';

const rejected = (input: unknown, dialect: Dialect): string[] =>
  check(input, dialect)
    .findings.filter(({ severity }) => severity === 'rejected')
    .map(({ rule }) => rule);
const rows = (input: unknown, dialect: Dialect): string[] => judge(dialect, input).map(({ row }) => row);

const model = 'claude-sonnet-4-5';
const claude = (content: unknown): object => ({ model, max_tokens: 1, messages: [{ role: 'user', content }] });
const image = (data: string): object => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });
const images = (count: number): object => claude(Array.from({ length: count }, () => image('aGk=')));
/** Sent to a model with a window so wide that only the size of the body can be too much. */
const bytes = (count: number): object => ({ ...claude([image('a'.repeat(count))]), model: 'claude-sonnet-5' });
const words = (characters: number): object => claude('word '.repeat(characters / 5));
const messages = (count: number): object => ({
  model,
  max_tokens: 1,
  messages: Array.from({ length: count }, () => ({ role: 'user', content: 'hi' })),
});
const tools = (count: number): object => ({
  model: 'gpt-4.1',
  messages: [{ role: 'user', content: 'hi' }],
  tools: Array.from({ length: count }, (_, i) => ({ type: 'function', function: { name: `tool_${i}` } })),
});

type Limit = readonly [rule: string, row: string, dialect: Dialect, beyond: object, within: object];

/** Rules whose examples override a limit, which the judge cannot be told, at the limit that providers have. */
const LIMITS: readonly Limit[] = [
  ['too-many-images', 'an-images', 'anthropic-messages', images(101), images(100)],
  ['too-many-messages', 'an-count', 'anthropic-messages', messages(100_001), messages(100_000)],
  ['request-too-large', 'an-size', 'anthropic-messages', bytes(34_000_000), bytes(33_000_000)],
  ['prompt-too-long', 'an-context', 'anthropic-messages', words(8_000_100), words(700_000)],
  ['too-many-tools', 'oc-name', 'openai-chat', tools(129), tools(128)],
];

/** Rules that hold only where a caller says so, and which the provider does not enforce today. */
const ON_DEMAND: ReadonlyMap<string, string> = new Map([
  [
    'same-role-run in anthropic-messages',
    'the API joins neighbours of one role; only early versions and some proxies refuse them',
  ],
]);

const isBroken = (example: Example): example is Extract<Example, { after: unknown }> => 'after' in example;

/** Whether the judge refuses some example of a rule and accepts what becomes of it. */
function isShown(dialect: Dialect, examples: readonly Example[]): boolean {
  return examples
    .filter((example) => example.dialect === dialect && example.profile === undefined)
    .filter(isBroken)
    .some((example) => {
      const options = { model: example.model };
      return judge(dialect, example.before, options).length > 0 && judge(dialect, example.after, options).length === 0;
    });
}

describe('every rule of severity rejected', () => {
  const held = Object.keys(PROFILES)
    .filter(isDialect)
    .flatMap((dialect) =>
      contractOf(dialect)
        .rules.filter(({ severity, severityIn }) => (severityIn?.[dialect] ?? severity) === 'rejected')
        .map((rule) => ({ title: `${rule.id} in ${dialect}`, dialect, rule })),
    );

  test.each(held)('$title is also the judge’s', ({ title, dialect, rule }) => {
    const limited = LIMITS.some(([id, , where]) => id === rule.id && where === dialect);
    expect(isShown(dialect, examplesOf(rule.id))).toBe(!limited && !ON_DEMAND.has(title));
  });
});

describe('a limit is the same for the rules and the judge', () => {
  test.each(LIMITS)('%s: %s', (...[rule, row, dialect, beyond, within]) => {
    expect(rejected(beyond, dialect)).toEqual([rule]);
    expect(rows(beyond, dialect)).toEqual([row]);
    expect(rejected(within, dialect)).toEqual([]);
    expect(rows(within, dialect)).toEqual([]);
    // Images and tools can be left out; against the length of a history only compaction helps, and the report says so.
    const { output, report } = repair(beyond, dialect);
    expect(rows(output, dialect)).toEqual(report.verdict === 'repaired' ? [] : [row]);
    expect(report.verdict).toBe(rule === 'too-many-images' || rule === 'too-many-tools' ? 'repaired' : 'broken');
  });
});

describe('where the judge and the rules differ', () => {
  test('what is probably too long is refused by the judge alone, which counts four characters a token', () => {
    const probably = words(1_000_000);
    expect(rows(probably, 'anthropic-messages')).toEqual(['an-context']);
    // Text of forty characters a token does not exist, so the rules speak only of what fits by no count at all.
    expect(check(probably, 'anthropic-messages').verdict).toBe('clean');
  });

  test('an image of nine megabytes is too long for neither', () => {
    const heavy = claude([image('a'.repeat(9_000_000))]);
    expect(rows(heavy, 'anthropic-messages')).toEqual([]);
    expect(rejected(heavy, 'anthropic-messages')).toEqual([]);
  });

  const empty = [request({ part_kind: 'user-prompt', content: 'hi' }), response()];

  test('an empty response that ends a request is degraded by the rules, refused by the judge, and mended', () => {
    const target = { dialect: 'pydantic-ai', purpose: 'request' } as const;
    const { findings, verdict } = check(empty, target);
    expect(findings.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual(['empty-response degraded']);
    expect(verdict).toBe('broken');
    const found = judge('pydantic-ai', empty, target).map(({ row }) => row);
    expect(found).toEqual(['py-history']);
    expect(disagreementIn({ dialect: 'pydantic-ai', findings, rows: found })?.explained).toBe(
      'an empty response at the end of a request',
    );
    expect(judge('pydantic-ai', repair(empty, target).output, target)).toEqual([]);
  });

  test('nothing else is explained away', () => {
    const finding = { severity: 'rejected' as const, at: { message: 0, pointer: '' }, explain: '' };
    const unknown = [
      disagreementIn({ dialect: 'pydantic-ai', findings: [], rows: ['py-history'] }),
      disagreementIn({ dialect: 'pydantic-ai', findings: [{ ...finding, rule: 'result-displaced' }], rows: [] }),
      disagreementIn({ dialect: 'openai-chat', findings: [], rows: ['oc-answered', 'oc-answered'] }),
    ];
    expect(unknown).toEqual([
      { detail: 'the rules refuse nothing, the judge py-history', explained: undefined },
      { detail: 'the rules refuse result-displaced, the judge nothing', explained: undefined },
      { detail: 'the rules refuse nothing, the judge oc-answered', explained: undefined },
    ]);
    expect(KNOWN_DISAGREEMENTS).toHaveLength(1);
  });
});
