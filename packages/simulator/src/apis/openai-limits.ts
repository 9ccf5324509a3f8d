import { isObject, type Refusal } from '../judges/docket.ts';

const MAX_STRING = 10_485_760;

/** OpenAI measures each string of a request; only a body that could hold one that is too long is searched. */
export function longString(value: unknown, bodyBytes: number): Refusal | undefined {
  return bodyBytes <= MAX_STRING ? undefined : search(value, '', '');
}

function search(value: unknown, pointer: string, place: string): Refusal | undefined {
  if (typeof value === 'string' && value.length > MAX_STRING) {
    const text =
      `Invalid '${place}': string too long. Expected a string with maximum length ${MAX_STRING}, ` +
      `but got a string with length ${value.length} instead.`;
    return { row: 'size', pointer, text, code: 'string_above_max_length', param: place };
  }
  if (Array.isArray(value)) {
    for (const [i, entry] of value.entries()) {
      const found = search(entry, `${pointer}/${i}`, `${place}[${i}]`);
      if (found !== undefined) return found;
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const found = search(value[key], `${pointer}/${key}`, place === '' ? key : `${place}.${key}`);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
