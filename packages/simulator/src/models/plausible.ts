import { isObject, type JsonObject } from '../judges/docket.ts';
import { pick, type Chance } from './chance.ts';

const WORDS = ['amber', 'brook', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'harbor', 'island', 'juniper'] as const;
const DEPTH = 6;

/** Text by what its name suggests it is for. */
const BY_NAME: readonly (readonly [RegExp, readonly [string, ...string[]]])[] = [
  [/path|file/i, ['src/main.ts', 'README.md', 'docs/über uns.md', 'a/b/c.txt']],
  [/url|uri|link/i, ['https://example.com/', 'https://example.com/a?b=c&d=%20']],
  [/command|cmd/i, ['ls -la', 'echo "a\\"b"', "printf 'x\\n'"]],
  [/query|search|question/i, ['what changed since yesterday?', 'naïve café 🙂', 'rate limits']],
  [/city|location|place/i, ['Lisbon', 'Zürich', '東京']],
  [/id$/i, ['a1', '42', '0f-9c']],
];

const BY_FORMAT: ReadonlyMap<unknown, string> = new Map([
  ['date', '2026-03-01'],
  ['date-time', '2026-03-01T12:00:00Z'],
  ['time', '12:00:00'],
  ['email', 'someone@example.com'],
  ['uri', 'https://example.com/'],
  ['uuid', '00000000-0000-4000-8000-000000000001'],
]);

interface Place {
  readonly name: string;
  readonly root: JsonObject;
  readonly depth: number;
}

/** Some input that fits a tool's JSON schema as far as its types, bounds and choices go. */
export function plausibleInput(schema: JsonObject, next: Chance): JsonObject {
  const value = plausible(schema, { name: '', root: schema, depth: 0 }, next);
  return isObject(value) ? value : {};
}

function plausible(schema: unknown, place: Place, next: Chance): unknown {
  if (!isObject(schema) || place.depth > DEPTH) return word(next);
  if (schema.const !== undefined) return schema.const;
  const choices = schema.enum ?? schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices) && choices.length > 0) {
    const chosen: unknown = pick(choices as [unknown, ...unknown[]], next);
    return schema.enum === undefined ? plausible(chosen, deeper(place), next) : chosen;
  }
  if (typeof schema.$ref === 'string') return plausible(resolve(place.root, schema.$ref), deeper(place), next);
  if (Array.isArray(schema.allOf) && schema.allOf.length > 0) return plausible(schema.allOf[0], deeper(place), next);
  switch (typeOf(schema)) {
    case 'object':
      return plausibleObject(schema, place, next);
    case 'array':
      return plausibleList(schema, place, next);
    case 'integer':
      return Math.floor(plausibleNumber(schema, next));
    case 'number':
      return plausibleNumber(schema, next);
    case 'boolean':
      return next() < 0.5;
    case 'null':
      return null;
    default:
      return plausibleText(schema, place, next);
  }
}

const deeper = (place: Place, name: string = place.name): Place => ({ ...place, name, depth: place.depth + 1 });
const word = (next: Chance): string => pick(WORDS, next);

/** Gemini writes types in capitals; a list of types means one of them. */
function typeOf({ type, properties }: JsonObject): string {
  const first: unknown = Array.isArray(type) ? type[0] : type;
  if (typeof first === 'string') return first.toLowerCase();
  return properties === undefined ? 'string' : 'object';
}

function resolve(root: JsonObject, reference: string): unknown {
  let at: unknown = root;
  for (const key of reference.replace(/^#\/?/, '').split('/')) at = isObject(at) ? at[key] : undefined;
  return at;
}

function plausibleObject(schema: JsonObject, place: Place, next: Chance): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const made: Record<string, unknown> = {};
  for (const key of Object.keys(properties)) {
    if (!required.includes(key) && (place.depth >= DEPTH - 1 || next() < 0.5)) continue;
    made[key] = plausible(properties[key], deeper(place, key), next);
  }
  return made;
}

function plausibleList(schema: JsonObject, place: Place, next: Chance): unknown[] {
  const least = typeof schema.minItems === 'number' ? schema.minItems : 0;
  const most = typeof schema.maxItems === 'number' ? schema.maxItems : least + 2;
  const length = Math.min(most, least + Math.floor(next() * 3));
  return Array.from({ length }, () => plausible(schema.items, deeper(place), next));
}

function plausibleNumber({ minimum, maximum, exclusiveMinimum }: JsonObject, next: Chance): number {
  const least = typeof minimum === 'number' ? minimum : typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : 0;
  const most = typeof maximum === 'number' ? maximum : Math.max(least, 0) + 100;
  return least + Math.floor(next() * (most - least));
}

function plausibleText({ format, minLength, maxLength }: JsonObject, { name }: Place, next: Chance): string {
  const known = BY_FORMAT.get(format);
  if (known !== undefined) return known;
  const named = BY_NAME.find(([pattern]) => pattern.test(name));
  const text = named === undefined ? `${word(next)} ${word(next)}` : pick(named[1], next);
  const most = typeof maxLength === 'number' ? maxLength : Infinity;
  return text.padEnd(typeof minLength === 'number' ? Math.min(minLength, 10_000) : 0, 'x').slice(0, most);
}
