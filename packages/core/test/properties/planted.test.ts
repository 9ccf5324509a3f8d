import { expect, test } from 'vitest';
import { check } from '../../src/index.ts';
import type { Defect } from '../fuzz/draft.ts';
import { aimOf, defectsOf, dialects, healthy, inputOf } from '../fuzz/histories.ts';
import { seedAt, startRandom } from '../fuzz/random.ts';
import { judge } from '../../../simulator/src/judges/judge.ts';

const seed = 2;
const histories = 100;

interface Verdicts {
  planted: number;
  refusedByJudge: number;
  rejectedByRules: number;
}

/** Plants one defect in many healthy histories and counts who notices it. */
function survey(dialect: (typeof dialects)[number], defect: Defect): Verdicts {
  const verdicts = { planted: 0, refusedByJudge: 0, rejectedByRules: 0 };
  for (let index = 0; index < histories; index += 1) {
    const random = startRandom(seedAt(seed, index));
    const draft = healthy(dialect, random);
    if (!defect.plant(draft, random)) continue;
    verdicts.planted += 1;
    if (judge(dialect, inputOf(draft), aimOf(draft)).length > 0) verdicts.refusedByJudge += 1;
    if (check(inputOf(draft), aimOf(draft)).findings.some(({ severity }) => severity === 'rejected')) {
      verdicts.rejectedByRules += 1;
    }
  }
  return verdicts;
}

for (const dialect of dialects) {
  test(`${dialect}: the rules and the judge accept every healthy history (seed ${seed})`, () => {
    for (let index = 0; index < 1000; index += 1) {
      const draft = healthy(dialect, startRandom(seedAt(seed, index)));
      expect(judge(dialect, inputOf(draft), aimOf(draft)), `history ${index}`).toEqual([]);
      expect(check(inputOf(draft), aimOf(draft)).verdict, `history ${index}`).toBe('clean');
    }
  });

  test.each(defectsOf(dialect).map((defect) => [defect.name, defect] as const))(
    `${dialect}: the rules and the judge say the same about "%s"`,
    (_name, defect) => {
      const verdicts = survey(dialect, defect);
      expect(verdicts.planted, 'the defect finds a place').toBeGreaterThan(0);
      expect(verdicts.rejectedByRules, 'as many refused by the rules').toBe(verdicts.refusedByJudge);
      if (defect.breaks === 'always') expect(verdicts.refusedByJudge).toBe(verdicts.planted);
      if (defect.breaks === 'never') expect(verdicts.refusedByJudge).toBe(0);
    },
  );
}
