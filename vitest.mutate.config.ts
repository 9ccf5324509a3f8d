import { mergeConfig } from 'vitest/config';

import base from './vitest.config.ts';

const slow = ['browser', 'fuzz', 'properties', 'prefix-stability', 'determinism', 'hold'];

/**
 * Mutants are judged by the tests of the core alone: the house rules and the pages say nothing about behaviour. Tests
 * that take minutes are left out, because each mutant that survives would run them all.
 */
export default mergeConfig(base, {
  test: {
    exclude: ['tools/**', 'bench/**', 'packages/{cli,simulator}/**', `packages/core/test/{${slow.join(',')}}.test.ts`],
  },
});
