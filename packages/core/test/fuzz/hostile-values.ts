import { setOwn } from './hostile.ts';

/** A value that code written for JSON does not expect. */
export interface HostileValue {
  readonly name: string;
  make(): unknown;
}

class Wrapped {
  readonly role = 'user';
  readonly content = 'from a class';
  get type(): string {
    return 'text';
  }
}

function refuse(): never {
  throw new Error('hostile');
}

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}

function cycle(): unknown {
  const ring: Record<string, unknown> = { role: 'user', type: 'text', part_kind: 'text' };
  ring['content'] = [ring];
  ring['self'] = ring;
  return ring;
}

function throwing(...keys: string[]): unknown {
  const value = {};
  for (const key of keys) Object.defineProperty(value, key, { enumerable: true, get: refuse });
  return value;
}

/** Every trap of the proxy throws, including the ones that Object.keys and Array.isArray rely on. */
function angryProxy(target: object): unknown {
  return new Proxy(target, {
    get: refuse,
    has: refuse,
    ownKeys: refuse,
    getOwnPropertyDescriptor: refuse,
    getPrototypeOf: refuse,
  });
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
}

/**
 * Gives another value at each read. No output that holds it can be called sound, because the next reader sees
 * something else; it must only not be able to throw us off.
 */
export function shifting(): unknown {
  const answers: unknown[] = ['user', 'assistant', 7, null, 'tool'];
  let reads = 0;
  const next = (): unknown => answers[(reads += 1) % answers.length];
  return Object.defineProperties(
    {},
    { role: { enumerable: true, get: next }, content: { enumerable: true, get: next } },
  );
}

function sparse(): unknown {
  const list: unknown[] = [];
  list[5] = { type: 'text', text: 'far' };
  return list;
}

/** Values that are small and quick to walk, to be put in every place of a history. */
export const hostileValues: readonly HostileValue[] = [
  { name: 'a cycle', make: cycle },
  {
    name: 'a list that holds itself',
    make: () => {
      const list: unknown[] = [];
      list.push(list);
      return list;
    },
  },
  { name: 'getters that throw', make: () => throwing('role', 'content', 'type', 'kind', 'parts', 'part_kind', 'id') },
  { name: 'a toJSON that throws', make: () => ({ role: 'user', content: 'hi', toJSON: refuse }) },
  { name: 'a toString that throws', make: () => ({ toString: refuse, valueOf: refuse, [Symbol.toPrimitive]: refuse }) },
  { name: 'a proxy that throws', make: () => angryProxy({}) },
  { name: 'a list proxy that throws', make: () => angryProxy([]) },
  { name: 'a revoked proxy', make: revoked },
  {
    name: 'own __proto__ key',
    make: () => JSON.parse('{"role":"user","content":"hi","__proto__":{"polluted":true}}') as unknown,
  },
  {
    name: 'own constructor key',
    make: () => JSON.parse('{"constructor":{"prototype":{"polluted":true}},"type":"text","text":"hi"}') as unknown,
  },
  {
    name: 'own __proto__ deep',
    make: () => {
      const value = { type: 'text', text: 'hi' };
      setOwn(value, '__proto__', [{ polluted: true }]);
      return value;
    },
  },
  { name: 'NaN', make: () => NaN },
  { name: 'Infinity', make: () => -Infinity },
  { name: 'negative zero', make: () => -0 },
  { name: 'a BigInt', make: () => 7n },
  { name: 'a symbol', make: () => Symbol('s') },
  { name: 'a function', make: () => refuse },
  { name: 'a date', make: () => new Date(0) },
  { name: 'an invalid date', make: () => new Date(NaN) },
  { name: 'a map', make: () => new Map([['role', 'user']]) },
  { name: 'a set', make: () => new Set(['user']) },
  { name: 'a regular expression', make: () => /x/g },
  { name: 'a boxed string', make: () => Object('boxed') as unknown },
  { name: 'bytes', make: () => new Uint8Array(8) },
  { name: 'a promise', make: () => Promise.resolve('later') },
  { name: 'an error', make: () => new Error('kept as a value') },
  { name: 'a sparse list', make: sparse },
  { name: 'a frozen object', make: () => Object.freeze({ role: 'user', content: 'frozen' }) },
  { name: 'a class instance', make: () => new Wrapped() },
  {
    name: 'an object without prototype',
    make: () => Object.assign(Object.create(null) as object, { role: 'user', content: 'bare' }),
  },
  {
    name: 'an object with an inherited role',
    make: () => Object.create({ role: 'user', content: 'inherited' }) as unknown,
  },
  { name: 'symbol keys', make: () => ({ role: 'user', content: 'hi', [Symbol('k')]: 1 }) },
  { name: 'undefined', make: () => undefined },
  { name: 'null', make: () => null },
  { name: 'an empty object', make: () => ({}) },
  { name: 'a numeric string key', make: () => ({ 0: { role: 'user', content: 'hi' }, length: 1 }) },
];

/** Values that a walk without a limit never comes back from. */
export const deepValues: readonly HostileValue[] = [
  { name: 'lists 100 000 deep', make: () => nested(100_000, (inner) => [inner]) },
  { name: 'objects 100 000 deep', make: () => nested(100_000, (inner) => ({ content: inner })) },
  {
    name: 'results 100 000 deep',
    make: () => nested(100_000, (inner) => [{ type: 'tool_result', tool_use_id: 'a', content: inner }]),
  },
];

/** Values that are costly by size; each is tried in few places. */
export const hugeValues: readonly HostileValue[] = [
  { name: 'a string of 100 MB', make: () => 'x'.repeat(100_000_000) },
  {
    name: 'an object of 100 000 keys',
    make: () => Object.fromEntries(Array.from({ length: 100_000 }, (_, key) => [`k${key}`, key])),
  },
];
