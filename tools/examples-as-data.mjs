import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

import { parseSync, Visitor } from 'oxc-parser';

/** @typedef {{ id: string, examples: () => unknown }} Exemplified */

/**
 * Examples are most of a rule's text, and few programs ask for them. Code has to be read by the engine at every start,
 * whether it runs or not; a string is only skipped. So the published files hold the examples as JSON.
 *
 * @type {import('esbuild').Plugin}
 */
export const examplesAsData = {
  name: 'examples-as-data',
  setup(building) {
    building.onLoad({ filter: /contracts[\\/](rules[\\/][^\\/]+|doctor-rules)\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      /** @type {Record<string, Exemplified | Exemplified[]>} */
      const module = await import(pathToFileURL(path).href);
      const known = new Map(
        Object.values(module)
          .flatMap((found) => [found].flat())
          .map((rule) => [rule.id, rule]),
      );
      return { contents: withData(path, source, known), loader: 'ts' };
    });
  },
};

/**
 * @param {string} path
 * @param {string} source
 * @param {ReadonlyMap<string, Exemplified>} known
 */
function withData(path, source, known) {
  /** @type {{ start: number, end: number, data: string }[]} */
  const places = [];
  new Visitor({
    ObjectExpression({ properties }) {
      const [id, examples] = ['id', 'examples'].map((name) =>
        properties.find((each) => each.type === 'Property' && each.key.type === 'Identifier' && each.key.name === name),
      );
      if (id?.type !== 'Property' || id.value.type !== 'Literal' || examples?.type !== 'Property') return;
      const data = asJson(known.get(String(id.value.value))?.examples());
      if (data !== undefined) places.push({ start: examples.value.start, end: examples.value.end, data });
    },
  }).visit(parseSync(path, source).program);
  return places.reduceRight(
    (text, { start, end, data }) =>
      `${text.slice(0, start)}() => JSON.parse(${JSON.stringify(data)})${text.slice(end)}`,
    source,
  );
}

/** @param {unknown} examples What JSON cannot carry stays code. */
function asJson(examples) {
  try {
    const data = JSON.stringify(examples);
    return isDeepStrictEqual(JSON.parse(data), examples) ? data : undefined;
  } catch {
    return undefined;
  }
}
