/** The JSON text of a value. Lists keep one text per element, so that a grown list shares those of its base. */
export type StoredValue = { readonly kind: 'whole'; readonly json: string } | StoredList;

/**
 * A list as its base plus new elements. A list that only grows shares one array with all its bases, so a thousand
 * steps take the memory of the last one.
 */
export class StoredList {
  readonly kind = 'list';
  readonly length: number;
  /** The first `length` entries are this list; later ones belong to lists that grew from it. */
  readonly #shared: string[];

  private constructor(shared: string[], length: number) {
    this.#shared = shared;
    this.length = length;
  }

  static from(base: StoredList | undefined, keep: number, add: readonly string[]): StoredList {
    const before = base === undefined ? [] : base.#shared;
    const grows = base !== undefined && keep === base.length && before.length === keep;
    const shared = grows ? before : before.slice(0, keep);
    for (const text of add) shared.push(text);
    return new StoredList(shared, shared.length);
  }

  texts(): readonly string[] {
    return this.#shared.length === this.length ? this.#shared : this.#shared.slice(0, this.length);
  }
}

/** How many elements at the front are the same. */
export function sharedPrefix(base: StoredList | undefined, texts: readonly string[]): number {
  if (base === undefined) return 0;
  const before = base.texts();
  const most = Math.min(base.length, texts.length);
  let count = 0;
  while (count < most && before[count] === texts[count]) count += 1;
  return count;
}

export const jsonOf = (value: StoredValue): string =>
  value.kind === 'whole' ? value.json : `[${value.texts().join(',')}]`;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names before those of message classes; a leading slash stands for them. */
const MESSAGES = 'langchain_core/messages/';

/** Fields that are empty in most messages, and the letters that stand for them. */
const EMPTY: readonly (readonly [letter: string, name: string, json: string])[] = [
  ['t', 'tool_calls', '[]'],
  ['i', 'invalid_tool_calls', '[]'],
  ['a', 'additional_kwargs', '{}'],
  ['r', 'response_metadata', '{}'],
];

/** Serialised LangChain objects in few bytes: `{lc: 'a/b/C', kw: {…}, e: 'ar'}`. A lookalike is wrapped. */
export function shrink(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shrink);
  if (!isFields(value)) return value;
  const { lc, type, id, kwargs } = value;
  const inside = (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, shrink(each)]));
  const isObject = lc === 1 && type === 'constructor' && isFields(kwargs) && Object.keys(value).length === 4;
  if (isObject && Array.isArray(id) && id.length > 0 && id.every((name) => /^[^/]+$/.test(String(name)))) {
    const name = id.join('/');
    const short = name.startsWith(MESSAGES) ? `/${name.slice(MESSAGES.length)}` : name;
    const empty = EMPTY.filter(([, key, json]) => JSON.stringify(kwargs[key]) === json);
    const kw = inside(kwargs);
    for (const [, key] of empty) Reflect.deleteProperty(kw, key);
    return { lc: short, kw, ...(empty.length === 0 ? {} : { e: empty.map(([letter]) => letter).join('') }) };
  }
  return isShrunk(value) ? { lc: '', kw: inside(value) } : inside(value);
}

const isShrunk = (value: Fields): boolean =>
  typeof value['lc'] === 'string' &&
  isFields(value['kw']) &&
  (typeof value['e'] === 'string' ? Object.keys(value).length === 3 : Object.keys(value).length === 2);

/** Undoes `shrink`. */
export function grow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(grow);
  if (!isFields(value)) return value;
  const inside = (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, grow(each)]));
  const { lc, kw, e } = value;
  if (!isShrunk(value)) return inside(value);
  const empty = EMPTY.filter(([letter]) => typeof e === 'string' && e.includes(letter));
  const kwargs = inside(kw as Fields);
  if (lc === '') return kwargs;
  for (const [, key, json] of empty) Object.assign(kwargs, { [key]: JSON.parse(json) as unknown });
  const id = String(lc).replace(/^\//, MESSAGES).split('/');
  return { lc: 1, type: 'constructor', id, kwargs };
}
