import { isObject, type Refusal } from '../judges/docket.ts';

const MAX_STRING = 10_485_760;

/** A value in a body, and the way to it. */
interface Found {
  readonly value: unknown;
  readonly key: string | number;
  readonly parent: Found | undefined;
}

/** OpenAI measures each string of a request; only a body that could hold one that is too long is searched. */
export function longString(value: unknown, bodyBytes: number): Refusal | undefined {
  if (bodyBytes <= MAX_STRING) return undefined;
  const found = search(value);
  if (found === undefined) return undefined;
  const place = paramOf(found);
  const text =
    `Invalid '${place}': string too long. Expected a string with maximum length ${MAX_STRING}, ` +
    `but got a string with length ${String(found.value).length} instead.`;
  return { row: 'size', pointer: pointerOf(found), text, code: 'string_above_max_length', param: place };
}

/** The first string that is too long. What is open is kept in a list, so that no nesting is too deep for it. */
function search(body: unknown): Found | undefined {
  const open: Found[] = [{ value: body, key: '', parent: undefined }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { value } = at;
    if (typeof value === 'string' && value.length > MAX_STRING) return at;
    if (Array.isArray(value)) {
      for (let i = value.length - 1; i >= 0; i--) open.push({ value: value[i], key: i, parent: at });
    } else if (isObject(value)) {
      for (const key of Object.keys(value).reverse()) open.push({ value: value[key], key, parent: at });
    }
  }
  return undefined;
}

function wayTo(found: Found): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at = found; at.parent !== undefined; at = at.parent) keys.unshift(at.key);
  return keys;
}

const pointerOf = (found: Found): string =>
  wayTo(found)
    .map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');

function paramOf(found: Found): string {
  let place = '';
  for (const key of wayTo(found)) {
    if (typeof key === 'number') place += `[${key}]`;
    else place += place === '' ? key : `.${key}`;
  }
  return place;
}
