import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

import { parseSync, Visitor } from 'oxc-parser';

/** @typedef {{ id: string, examples: () => unknown } & Record<string, unknown>} Rule */
/** @typedef {{ start: number, end: number, text: string }} Place What is to stand there instead. */

/** The files in which a rule is written down. */
export const ruleFiles = /contracts[\\/](rules[\\/][^\\/]+|doctor-rules)\.ts$/;

/** @param {string} path The rules that a file exports, alone or in a list, by id. */
export async function rulesIn(path) {
  /** @type {Record<string, unknown>} */
  const module = await import(pathToFileURL(path).href);
  return new Map(
    Object.entries(module).flatMap(([name, value]) =>
      [value].flat().flatMap((rule) => (isRule(rule) ? [/** @type {const} */ ([rule.id, { name, rule }])] : [])),
    ),
  );
}

/** @param {any} value @returns {value is Rule} */
const isRule = (value) => typeof value?.id === 'string' && typeof value.examples === 'function';

/**
 * The source of a file with properties of its rules written anew: `replace` gives the text of the whole property, an
 * empty one to leave it out, or undefined for one that stays.
 *
 * @param {string} path
 * @param {(rule: Rule, property: string) => string | undefined} replace
 */
export async function rewriteRules(path, replace) {
  const [source, rules] = await Promise.all([readFile(path, 'utf8'), rulesIn(path)]);
  /** @type {Place[]} */
  const places = [];
  new Visitor({
    ObjectExpression({ properties }) {
      const named = properties.filter((each) => each.type === 'Property');
      const keys = new Map(named.map((each) => [each.key.type === 'Identifier' ? each.key.name : '', each]));
      const id = keys.get('id')?.value;
      const rule = id?.type === 'Literal' && keys.has('examples') ? rules.get(String(id.value))?.rule : undefined;
      if (rule === undefined) return;
      for (const [name, { start, end }] of keys) {
        const text = replace(rule, name);
        const comma = text === '' ? /^\s*,/.exec(source.slice(end)) : null;
        if (text !== undefined) places.push({ start, end: end + (comma?.[0].length ?? 0), text });
      }
    },
  }).visit(parseSync(path, source).program);
  return rewrite(source, places);
}

/**
 * @param {string} source
 * @param {readonly Place[]} places In the order of the source.
 */
export const rewrite = (source, places) =>
  places.reduceRight((all, { start, end, text }) => `${all.slice(0, start)}${text}${all.slice(end)}`, source);

/**
 * Examples are most of a rule's text, and few programs ask for them. Code has to be read by the engine at every start,
 * whether it runs or not; a string is only skipped. So examples are published as JSON.
 *
 * @param {Rule} rule What is neither JSON nor a big integer stays as it is written.
 */
export function examplesOf(rule) {
  try {
    const data = JSON.stringify(rule.examples(), toMark);
    const literal = data.replaceAll(/"\\u0000(-?\d+n)"/gu, '$1');
    return `examples: () => ${literal === data ? `JSON.parse(${JSON.stringify(data)})` : literal}`;
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
