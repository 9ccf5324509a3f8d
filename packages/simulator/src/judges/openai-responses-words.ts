import type { Said } from './docket.ts';

/** The API's words for what is wrong with one field, each with the code and the place its envelope carries. */
export const missing = (param: string): Said => ({
  text: `Missing required parameter: '${param}'.`,
  code: 'missing_required_parameter',
  param,
});

export function wrongType(param: string, expected: string, value: unknown): Said {
  return {
    text: `Invalid type for '${param}': expected ${expected}, but got ${nameType(value)} instead.`,
    code: 'invalid_type',
    param,
  };
}

/** What is absent is missing; what is there and of another type is named by its type. */
export function missingOrWrongType(param: string, expected: string, value: unknown): Said {
  return value === undefined ? missing(param) : wrongType(param, expected, value);
}

export const emptyString = (param: string): Said => ({
  text: `Invalid '${param}': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
  code: 'empty_string',
  param,
});

export function longString(param: string, max: number, given: string): Said {
  return {
    text:
      `Invalid '${param}': string too long. Expected a string with maximum length ${max}, ` +
      `but got a string with length ${[...given].length} instead.`,
    code: 'string_above_max_length',
    param,
  };
}

export function longArray(param: string, max: number, length: number): Said {
  return {
    text:
      `Invalid '${param}': array too long. Expected an array with maximum length ${max}, ` +
      `but got an array with length ${length} instead.`,
    code: 'array_above_max_length',
    param,
  };
}

export function unsupported(param: string, value: unknown, supported: readonly string[]): Said {
  return {
    text: `Invalid value: '${String(value)}'. Supported values are: ${enumerate(supported)}.`,
    code: 'invalid_value',
    param,
  };
}

/** For what is wrong between items rather than in one of them. */
export const ofInput = (text: string): Said => ({ text, code: null, param: 'input' });

function enumerate(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  if (quoted.length <= 2) return quoted.join(' and ');
  return `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1) ?? ''}`;
}

function nameType(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal';
  return `a ${typeof value}`;
}
