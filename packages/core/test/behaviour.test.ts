import { expect, test } from 'vitest';
import recorded from './behaviour.json' with { type: 'json' };
import { shelves } from './behaviour.ts';

const known: Readonly<Record<string, string>> = recorded;

/** After a change that is meant: `npm run behaviour`, and say in the commit which histories are repaired otherwise. */
test.for(shelves.map(({ name, digest }) => [name, digest] as const))(
  '%s are treated as on record',
  ([name, digest]) => {
    expect(digest()).toBe(known[name]);
  },
);

test('nothing is on record that is not tested', () => {
  expect(Object.keys(known)).toEqual(shelves.map(({ name }) => name));
});
