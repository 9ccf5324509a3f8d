import { describe, expect, test } from 'vitest';
import { check, repair, type TargetInput } from '../../src/index.ts';
import { judge, type JudgedDialect } from '../../../simulator/src/judges/judge.ts';
import type { AcceptedFixture, RefusalFixture } from '../../../simulator/test/fixtures/fixture.ts';
import { ALL_ACCEPTED, REFUSALS } from '../../../simulator/test/fixtures/fixtures.ts';
import { GEMINI } from '../../../simulator/test/fixtures/gemini.ts';
import { OPENAI_RESPONSES } from '../../../simulator/test/fixtures/openai-responses.ts';

type Fixture = RefusalFixture<JudgedDialect>;

const targetOf = ({ dialect, purpose, model }: Fixture | AcceptedFixture<JudgedDialect>): TargetInput => ({
  dialect,
  purpose,
  ...(model === undefined ? {} : { model }),
});
const refused = (input: unknown, target: TargetInput): unknown[] =>
  check(input, target).findings.filter(({ severity }) => severity === 'rejected');

/** Some texts are known to the last letter, some in part; where none is on record any finding will do. */
function says({ text, known }: Fixture, providerError: string | undefined): boolean {
  if (known === 'none') return true;
  if (providerError === undefined) return false;
  return known === 'whole' ? providerError === text : providerError.includes(text) || text.startsWith(providerError);
}

/** About the endpoint, or about two fields of the request that exclude each other: no history can answer these. */
const BESIDE_THE_LIST = new Set(['oc-reasoning-tools', 'a response and a conversation to go on from']);
/** What the whole request weighs, or that there is no list, is for the caller to change. */
const BEYOND_REPAIR = new Set([
  'one message too many',
  'a body one byte too long',
  'a body that is too long in bytes though not in characters',
  'a list that is not one',
]);
/** A history does not show what a server remembers, nor whether a seal is genuine. */
const SEEN: readonly Fixture[] = [...REFUSALS, ...GEMINI, ...OPENAI_RESPONSES].filter(
  ({ row, name, told }) => told === undefined && !BESIDE_THE_LIST.has(row) && !BESIDE_THE_LIST.has(name),
);

const titled = SEEN.map((fixture) => [`${fixture.dialect} ${fixture.row}: ${fixture.name}`, fixture] as const);

test.each(titled.filter(([, { name }]) => !BEYOND_REPAIR.has(name)))('%s is mended', (_title, fixture) => {
  const { dialect, purpose, model } = fixture;
  const { output } = repair(fixture.input, targetOf(fixture));
  expect(judge(dialect, output, { purpose, model })).toEqual([]);
  expect(refused(output, targetOf(fixture))).toEqual([]);
});

describe.each(titled)('%s', (_title, fixture) => {
  const { input, accepted } = fixture;
  const target = targetOf(fixture);

  test('is found in the words of the provider', () => {
    const found = check(input, target).findings.filter((each) => each.severity !== 'wasteful');
    expect(found).not.toEqual([]);
    const words = found.map((finding) => finding.providerError);
    if (!words.some((text) => says(fixture, text))) expect(words).toContain(fixture.text);
  });

  test('is not found in the nearest accepted one', () => {
    expect(refused(accepted, target)).toEqual([]);
  });
});

/** The provider takes these, and they are put in order all the same. */
const PUT_IN_ORDER = new Set(['an output before its call', 'two results for one call', 'an empty response']);
/** The rules are stricter here than the provider. */
const REFUSED_ALL_THE_SAME = new Set([
  'a name of two hundred emoji',
  'a reference to a tool of an MCP server declared as a whole',
  'all the ways to write a message',
]);
const ACCEPTED = ALL_ACCEPTED.filter(({ told }) => told === undefined);

test.each(ACCEPTED.map((fixture) => [fixture.dialect, fixture.name, fixture] as const))(
  '%s: %s is accepted and left alone',
  (_dialect, name, fixture) => {
    const { output } = repair(fixture.input, targetOf(fixture));
    expect(refused(fixture.input, targetOf(fixture)).length > 0).toBe(REFUSED_ALL_THE_SAME.has(name));
    expect(output === fixture.input).toBe(!PUT_IN_ORDER.has(name) && !REFUSED_ALL_THE_SAME.has(name));
  },
);
