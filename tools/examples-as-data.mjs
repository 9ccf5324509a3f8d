import { examplesOf, rewriteRules, ruleFiles } from './rule-source.mjs';

/** @type {import('esbuild').Plugin} */
export const examplesAsData = {
  name: 'examples-as-data',
  setup(building) {
    building.onLoad({ filter: ruleFiles }, async ({ path }) => ({
      contents: await rewriteRules(path, (rule, name) => (name === 'examples' ? examplesOf(rule) : undefined)),
      loader: 'ts',
    }));
  },
};
