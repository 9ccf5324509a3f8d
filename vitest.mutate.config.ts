import { mergeConfig } from 'vitest/config';

import base from './vitest.config.ts';

/** Mutants are judged by the tests of the core alone: the house rules and the pages say nothing about behaviour. */
export default mergeConfig(base, {
  test: { exclude: ['tools/**', 'bench/**', 'packages/cli/**', 'packages/core/test/browser.test.ts'] },
});
