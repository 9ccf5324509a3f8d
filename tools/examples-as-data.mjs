import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

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
      const data = asSource(known.get(String(id.value.value))?.examples());
      if (data !== undefined) places.push({ start: examples.value.start, end: examples.value.end, data });
    },
  }).visit(parseSync(path, source).program);
  return places.reduceRight(
    (text, { start, end, data }) => `${text.slice(0, start)}() => ${data}${text.slice(end)}`,
    source,
  );
}

/** @param {unknown} examples What is neither JSON nor a big integer stays as it is written. */
function asSource(examples) {
  try {
    const data = JSON.stringify(examples, toMark);
    const literal = data.replaceAll(/"\\u0000(-?\d+n)"/gu, '$1');
    return literal === data ? `JSON.parse(${JSON.stringify(data)})` : literal;
  } catch {
    return undefined;
  }
}

/** @param {string} _key @param {unknown} value */
function toMark(_key, value) {
  if (typeof value === 'bigint') return `\0${String(value)}n`;
  const strange = typeof value === 'function' || typeof value === 'symbol' || Number.isNaN(value);
  if (strange) throw new TypeError('JSON would change this value');
  return value;
}
