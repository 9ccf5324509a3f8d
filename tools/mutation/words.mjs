import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

const words = new Set(['examples', 'summary', 'title', 'evidence']);

/** The words and the examples of a rule are documentation and test data: changing them changes no behaviour. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'words', {
    shouldIgnore(path) {
      const { node } = /** @type {{ node: { type: string, key?: { name?: string } } }} */ (
        /** @type {unknown} */ (path)
      );
      const named = node.type === 'ObjectProperty' && words.has(node.key?.name ?? '');
      return named ? 'words and examples of a rule' : undefined;
    },
  }),
];
