const user = { role: 'user', content: 'Hello.' };
const fail = (): never => {
  throw new Error('no');
};
const traps = { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail, getOwnPropertyDescriptor: fail };
const revoked = (target: object): object => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};

/** Values that throw when somebody looks at them. */
export const throwing: readonly (readonly [string, object])[] = [
  ['a revoked list', revoked([])],
  ['a revoked object', revoked({})],
  ['a list that throws', new Proxy([user], traps)],
  ['an object that throws', new Proxy({}, traps)],
];

/** The same, each alone in a list. */
export const throwingInLists: readonly (readonly [string, object])[] = throwing.map(([name, value]) => [
  `${name} in a list`,
  [value],
]);
