import { describe, expect, test } from 'vitest';
import { check, type TargetInput } from '../../src/index.ts';
import type { RefusalFixture } from '../../../simulator/test/fixtures/fixture.ts';
import { REFUSALS } from '../../../simulator/test/fixtures/fixtures.ts';

function targetOf({ dialect, purpose, model }: RefusalFixture): TargetInput {
  return { dialect, purpose, ...(model === undefined ? {} : { model }) };
}

/** Some texts are known to the last letter, some in part; where none is on record any finding will do. */
function says({ text, known }: RefusalFixture, providerError: string | undefined): boolean {
  if (known === 'none') return true;
  if (providerError === undefined) return false;
  return known === 'whole' ? providerError === text : providerError.includes(text) || text.startsWith(providerError);
}

/** About the endpoint that was chosen, not about the list: nothing in a history can answer it. */
const BESIDE_THE_LIST = new Set(['oc-reasoning-tools']);

describe('rows of the contracts', () => {
  for (const fixture of REFUSALS.filter(({ row }) => !BESIDE_THE_LIST.has(row))) {
    const title = `${fixture.dialect} ${fixture.row}: ${fixture.name}`;
    test(`${title} is found in the words of the provider`, () => {
      const found = check(fixture.input, targetOf(fixture)).findings.filter((each) => each.severity !== 'wasteful');
      expect(found).not.toEqual([]);
      const words = found.map((finding) => finding.providerError);
      if (!words.some((text) => says(fixture, text))) expect(words).toContain(fixture.text);
    });
    test(`${title}; the nearest accepted one is not`, () => {
      const { findings } = check(fixture.accepted, targetOf(fixture));
      expect(findings.filter((each) => each.severity === 'rejected')).toEqual([]);
    });
  }
});
