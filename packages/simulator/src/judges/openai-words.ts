import type { Said } from './docket.ts';

/** The words of OpenAI for a value of the wrong type or none, at the place it calls `param`. */
export function wrongType(param: string, value: unknown, expected: string): Said {
  if (value === undefined) {
    return { text: `Missing required parameter: '${param}'.`, code: 'missing_required_parameter', param };
  }
  const text = `Invalid type for '${param}': expected ${expected}, but got ${nameType(value)} instead.`;
  return { text, code: 'invalid_type', param };
}

export function emptyArray(param: string): Said {
  const expected = 'Expected an array with minimum length 1, but got an empty array instead.';
  return { text: `Invalid '${param}': empty array. ${expected}`, code: 'empty_array', param };
}

export function nameType(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
