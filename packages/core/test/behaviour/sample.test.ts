import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as core from '../../src/index.ts';
import * as resume from '../../src/resume/index.ts';
import { answerTo, type Line } from './sample.ts';

const folder = new URL('../behaviour/sample/', import.meta.url);
const lines = readdirSync(folder)
  .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line) as Line);

/** After a change that is meant: `npm run behaviour -- --record`, and say in the commit what is answered otherwise. */
test.for(lines.map((line) => [line.id, line] as const))('%s is answered as on record', async ([, line]) => {
  const { answer, ...asked } = line;
  const now = await answerTo({ ...core, resume }, asked);
  expect(now, `after a change that is meant: npm run behaviour -- --record\n${JSON.stringify(asked, null, 2)}`).toEqual(
    answer,
  );
});

test('the sample has cases of every dialect', () => {
  const recorded = new Set(lines.map(({ dialect }) => dialect));
  expect([...recorded].sort()).toEqual([...new Set(core.rules().flatMap((rule) => rule.dialects))].sort());
});
