import { DIALECTS } from '@rethread/core';

const names: ReadonlySet<unknown> = new Set(DIALECTS);
const valid = `valid dialects: ${DIALECTS.map((name) => JSON.stringify(name)).join(', ')}`;

/** Describes the value without its content. */
export function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** The reason a value is not a dialect name; undefined if it is one. */
export function dialectFault(dialect: unknown): string | undefined {
  if (typeof dialect !== 'string') return `the dialect is ${shown(dialect)}; ${valid}`;
  return names.has(dialect) ? undefined : `unknown dialect ${JSON.stringify(dialect.slice(0, 100))}; ${valid}`;
}
