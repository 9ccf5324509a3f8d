/** A source of numbers that a seed decides: the same seed gives the same files. */
export type Dice = { readonly below: (limit: number) => number; readonly pick: <T>(list: readonly [T, ...T[]]) => T };

/** A generator of 32 bits (mulberry32). */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: (list) => list[below(list.length)] ?? list[0] };
}

type Mutation = (file: Buffer, dice: Dice) => Buffer;

const linesOf = (file: Buffer): string[] => file.toString('latin1').split(/(?<=\n)/);
const fileOf = (lines: readonly string[]): Buffer => Buffer.from(lines.join(''), 'latin1');

const onLines =
  (change: (lines: string[], at: number, dice: Dice) => void): Mutation =>
  (file, dice) => {
    const lines = linesOf(file);
    change(lines, dice.below(lines.length), dice);
    return fileOf(lines);
  };

const insert = (file: Buffer, at: number, bytes: Buffer): Buffer =>
  Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)]);

/** Values that a reader may not expect where it meets them. */
const STRANGE: readonly [unknown, ...unknown[]] = [
  null,
  0,
  -1,
  '',
  'x',
  true,
  [],
  {},
  [[]],
  [null],
  { type: 'text' },
  { type: {} },
  JSON.parse('{"__proto__":{"type":"user"},"constructor":1}'),
  '\ud800',
  1e308,
];

/** What becomes of the bytes of a file, and of the values in it. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  cut: (file, dice) => file.subarray(0, dice.below(file.length + 1)),
  cutFront: (file, dice) => file.subarray(dice.below(file.length + 1)),
  flip: (file, dice) => {
    const copy = Buffer.from(file);
    for (let left = 1 + dice.below(8); left > 0 && copy.length > 0; left -= 1) {
      copy[dice.below(copy.length)] = dice.below(256);
    }
    return copy;
  },
  glue: onLines((lines, at) => void (lines[at] = (lines[at] ?? '').replace('\n', ''))),
  tear: onLines((lines, at, dice) => {
    const line = lines[at] ?? '';
    lines[at] = line.slice(0, dice.below(line.length)) + dice.pick(['', '\n']);
  }),
  duplicate: onLines((lines, at, dice) => void lines.splice(dice.below(lines.length), 0, lines[at] ?? '')),
  drop: onLines((lines, at) => void lines.splice(at, 1)),
  swap: onLines((lines, at, dice) => {
    const other = dice.below(lines.length);
    [lines[at], lines[other]] = [lines[other] ?? '', lines[at] ?? ''];
  }),
  zeros: (file, dice) => insert(file, dice.below(file.length + 1), Buffer.alloc(1 + dice.below(5000))),
  garbage: (file, dice) => {
    const bytes = Buffer.from(Array.from({ length: 1 + dice.below(40) }, () => dice.below(256)));
    return insert(file, dice.below(file.length + 1), bytes);
  },
  mark: (file) => insert(file, 0, Buffer.from([0xef, 0xbb, 0xbf])),
  crlf: (file) => Buffer.from(file.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
  deep: onLines((lines, at, dice) => {
    const depth = 1 + dice.below(20_000);
    lines.splice(at, 0, `{"type":"user","message":${'['.repeat(depth)}${']'.repeat(depth)}}\n`);
  }),
  value: onLines((lines, at, dice) => void (lines[at] = strangeLine(lines[at] ?? '', dice))),
};

/** A line with one value in it replaced, removed, or copied from elsewhere in it. */
function strangeLine(line: string, dice: Dice): string {
  if (line.includes('[[[[[[[[')) return line;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(line, 'latin1').toString('utf8'));
  } catch {
    return line;
  }
  const places: { readonly holder: object; readonly key: string }[] = [];
  const visit = (held: unknown): void => {
    if (typeof held !== 'object' || held === null) return;
    for (const key of Object.keys(held)) {
      places.push({ holder: held, key });
      visit(Reflect.get(held, key));
    }
  };
  visit(value);
  const [first, ...rest] = places;
  if (first === undefined) return line;
  const { holder, key } = dice.pick([first, ...rest]);
  const source = dice.pick([first, ...rest]);
  const change = dice.below(4);
  if (change === 0) Reflect.deleteProperty(holder, key);
  else if (change === 1) Reflect.set(holder, key, structuredClone(Reflect.get(source.holder, source.key)));
  else Reflect.set(holder, key, dice.pick(STRANGE));
  return `${Buffer.from(JSON.stringify(value)).toString('latin1')}\n`;
}

/** A file with some mutations, one after the other, and their names. */
export function mutate(file: Buffer, dice: Dice): { readonly file: Buffer; readonly names: readonly string[] } {
  const all = Object.keys(MUTATIONS) as [string, ...string[]];
  const names = Array.from({ length: 1 + dice.below(4) }, () => dice.pick(all));
  let mutated = file;
  for (const name of names) mutated = MUTATIONS[name]?.(mutated, dice) ?? mutated;
  return { file: mutated, names };
}
