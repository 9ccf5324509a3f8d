import { describe, expect, test } from 'vitest';

import { breaches } from './edges.ts';
import { sources } from './sources.ts';

const breach = (path: string, specifier: string): number => breaches([{ path, imports: [specifier] }]).length;

test('every import follows the edges of the design', () => {
  expect(breaches(sources())).toEqual([]);
});

describe('an import against the design is noticed', () => {
  test.each([
    ['packages/core/src/engine/loop.ts', 'node:fs'],
    ['packages/core/src/engine/loop.ts', 'lodash'],
    ['packages/core/src/engine/loop.ts', 'rethread'],
    ['packages/core/src/engine/loop.ts', '../prepare.ts'],
    ['packages/core/src/dialects/a.ts', '../rules/b.ts'],
    ['packages/core/src/rules/a.ts', '../dialects/b.ts'],
    ['packages/core/src/rules/a.ts', '../compaction/b.ts'],
    ['packages/core/src/compaction/a.ts', '../dialects/b.ts'],
    ['packages/core/src/rules/a.ts', '../engine/b.ts'],
    ['packages/core/src/model/a.ts', '../dialects/b.ts'],
    ['packages/core/src/pairs/a.ts', '../engine/b.ts'],
    ['packages/core/src/dialects/a.ts', '../pairs/b.ts'],
    ['packages/core/src/project.ts', './engine/b.ts'],
    ['packages/core/src/index.ts', './resume/index.ts'],
    ['packages/core/src/rules/late-result.ts', './late-result.examples.ts'],
    ['packages/core/src/explain.ts', './rules/examples.ts'],
    ['packages/cli/src/main.ts', '../../core/src/index.ts'],
    ['packages/store/src/file.ts', '@rethread/agent'],
    ['packages/simulator/src/simulator.ts', '@rethread/core'],
    ['packages/simulator/src/simulator.ts', '@rethread/core/resume'],
    ['packages/simulator/src/simulator.ts', 'rethread'],
    ['packages/simulator/src/simulator.ts', '../../core/src/index.ts'],
    ['packages/simulator/src/simulator.ts', '../../core/test/anthropic-wire.ts'],
    ['packages/simulator/src/judges/pairs.ts', '@rethread/core'],
    ['packages/simulator/src/judges/pairs.ts', '../../../core/src/index.ts'],
    ['packages/simulator/src/judges/pairs.ts', '../apis/api.ts'],
    ['packages/simulator/src/judges/pairs.ts', 'node:crypto'],
    ['packages/core/src/repair.ts', '@rethread/simulator'],
    ['packages/core/src/repair.ts', '@rethread/adapters/fetch'],
    ['packages/adapters/src/fetch.ts', '@rethread/simulator'],
    ['packages/adapters/src/fetch.ts', 'rethread'],
    ['packages/adapters/src/fetch.ts', '../../core/src/index.ts'],
    ['packages/core/src/repair.ts', '../../simulator/src/index.ts'],
  ])('%s imports %s', (path, specifier) => {
    expect(breach(path, specifier)).toBe(1);
  });
});

describe('an import along the design is allowed', () => {
  test.each([
    ['packages/core/src/prepare.ts', './engine/loop.ts'],
    ['packages/core/src/prepare.ts', './compaction/plan.ts'],
    ['packages/core/src/engine/loop.ts', '../rules/rule.ts'],
    ['packages/core/src/engine/loop.ts', './edit.ts'],
    ['packages/core/src/engine/loop.ts', '../pairs/step.ts'],
    ['packages/core/src/resume/index.ts', '../engine/loop.ts'],
    ['packages/core/src/resume/index.ts', '../prepare.ts'],
    ['packages/core/src/rules/late-result.examples.ts', './late-result.ts'],
    ['packages/cli/src/main.ts', '@rethread/core'],
    ['packages/cli/src/main.ts', '@rethread/core/resume'],
    ['packages/cli/src/main.ts', 'node:fs'],
    ['packages/agent/src/loop.ts', '@rethread/store'],
    ['packages/cli/src/main.ts', '@rethread/simulator'],
    ['packages/adapters/src/fetch.ts', '@rethread/core'],
    ['packages/adapters/src/langchain.ts', 'langchain'],
    ['packages/simulator/src/simulator.ts', './judges/judge.ts'],
    ['packages/simulator/src/simulator.ts', 'node:http'],
    ['packages/simulator/src/judges/pairs.ts', './docket.ts'],
    ['packages/core/test/rules/examples.test.ts', '../../../simulator/src/index.ts'],
  ])('%s imports %s', (path, specifier) => {
    expect(breach(path, specifier)).toBe(0);
  });
});
