import assert from 'node:assert/strict';
import { expect, test } from 'vitest';
import { repair, type Dialect } from '../../src/index.ts';
import type { Defect } from '../fuzz/draft.ts';
import { aimOf, defectsOf, dialects, healthy, inputOf } from '../fuzz/histories.ts';
import { seedAt, startRandom } from '../fuzz/random.ts';
import { ratioExceptions } from '../fuzz/ratio-exceptions.ts';

const seed = Number(process.env['RETHREAD_SEED'] ?? 20261115);
const excepted = new Set(ratioExceptions.flatMap(({ defects }) => defects));

/** The smallest share of content kept over many histories with one defect each, and what was lost then. */
interface Kept {
  readonly ratio: number;
  readonly lost: readonly string[];
  readonly input?: string;
}

/** Signed reasoning is bound to what stands before it, so any repair may cost it: an exception of its own. */
const hasReasoning = (input: unknown): boolean =>
  /"(?:(?:redacted_)?thinking|reasoningContent)"/.test(JSON.stringify(input));

function leastKept(dialect: Dialect, defect: Defect): Kept {
  let least: Kept = { ratio: 1, lost: [] };
  for (let index = 0; index < 100; index += 1) {
    const random = startRandom(seedAt(seed, index));
    const draft = healthy(dialect, random);
    if (hasReasoning(draft.messages) || !defect.plant(draft, random)) continue;
    const { report } = repair(inputOf(draft), aimOf(draft));
    if (report.preserved.ratio >= least.ratio) continue;
    const lossy = report.repairs.filter(({ loss }) => loss === 'lossy');
    const lost = lossy.map(({ rule, note }) => `${rule}: ${note}`);
    least = { ratio: report.preserved.ratio, lost, input: JSON.stringify(inputOf(draft)) };
  }
  return least;
}

const planted = dialects.flatMap((dialect) =>
  defectsOf(dialect).map((defect) => ({ dialect, defect, name: defect.name })),
);

test.each(planted.filter(({ name }) => !excepted.has(name)))(
  '$dialect: nothing is lost on $name',
  ({ dialect, defect }) => {
    expect(leastKept(dialect, defect)).toEqual({ ratio: 1, lost: [] });
  },
);

test.each(ratioExceptions)('content may be lost on $name, because $why; the report then says what', ({ defects }) => {
  const found = planted.filter(({ name }) => defects.includes(name));
  assert.deepEqual(new Set(found.map(({ name }) => name)), new Set(defects), 'every name is the name of a defect');
  const losses = found.map(({ dialect, defect }) => leastKept(dialect, defect)).filter(({ ratio }) => ratio < 1);
  expect(losses.filter(({ lost }) => lost.length === 0)).toEqual([]);
});
