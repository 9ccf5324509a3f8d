import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

// All mutants take hours. A share of the functions, the same ones every time, tells the score in minutes.
const oneIn = Number(process.env['RETHREAD_MUTATE_ONE_IN'] ?? 1);

/** @typedef {{ type: string, start: number, end: number }} Node */
/** @typedef {{ node: Node, getFunctionParent(): unknown, isFunction(): boolean }} Path */

const leaves = new Set(['StringLiteral', 'BooleanLiteral', 'RegExpLiteral', 'TemplateLiteral', 'UnaryExpression']);

/** Functions that stand in no other, and what tables outside of them hold, chosen by where they stand. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'share', {
    shouldIgnore(path) {
      const place = /** @type {Path} */ (/** @type {unknown} */ (path));
      const { type, start, end } = place.node;
      const isUnit = place.isFunction() || leaves.has(type);
      if (oneIn <= 1 || !isUnit || place.getFunctionParent() !== null) return undefined;
      return (start * 31 + end) % oneIn === 0 ? undefined : `not in the share of one in ${oneIn}`;
    },
  }),
];
