import { isFields, type Fields } from './draft.ts';
import type { Random } from './random.ts';

const numbered = /\b((?:toolu|srvtoolu|call|rs|fc|msg|ws|mcp|tsc|sig|data)_?)(\d+)\b/g;
const bulky = /^(?:output|row|failure) \d+$/;

/** A copy with ids of its own and outputs of the size that outputs have. */
export function grown(value: unknown, offset: number, random: Random): unknown {
  if (typeof value === 'string') {
    if (bulky.test(value)) return `${value} ${'a line of output\n'.repeat(random.below(40))}`;
    return value.replaceAll(numbered, (_, name: string, digits: string) => `${name}${Number(digits) + offset}`);
  }
  if (Array.isArray(value)) return value.map((each) => grown(each, offset, random));
  if (!isFields(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const copy: Fields = {};
  for (const key of Object.keys(value)) copy[key] = grown(value[key], offset, random);
  return copy;
}
