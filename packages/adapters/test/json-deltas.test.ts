import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { grow, jsonOf, sharedPrefix, shrink, StoredList } from '../src/json-deltas.ts';

const names = fc.constantFrom('a', 'langchain_core', 'messages', 'AIMessage', '', 'x/y');
const serialised = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.record({
    lc: fc.constant(1),
    type: fc.constant('constructor'),
    id: fc.array(names, { maxLength: 4 }),
    kwargs: fc.oneof(
      fc.dictionary(fc.constantFrom('content', 'tool_calls', 'additional_kwargs', 'response_metadata', 'id'), value),
      fc.constant({ content: '', tool_calls: [], additional_kwargs: {}, response_metadata: {} }),
    ),
  });
const lookalike = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.record(
    { lc: names, kw: fc.dictionary(names, value), e: fc.constantFrom('ar', '') },
    { requiredKeys: ['lc', 'kw'] },
  );
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 3 }),
    serialised(tie('value')),
    lookalike(tie('value')),
  ),
}));

describe('stored channel values', () => {
  test('any JSON comes back from the short form', () => {
    fc.assert(
      fc.property(value, (given) => {
        const json: unknown = JSON.parse(JSON.stringify(given));
        expect(grow(JSON.parse(JSON.stringify(shrink(json))))).toEqual(json);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a list that grew leaves its base as it was, and a branch of it too', () => {
    const base = StoredList.from(undefined, 0, ['1', '2']);
    const longer = StoredList.from(base, 2, ['3']);
    const branch = StoredList.from(base, 2, ['4']);
    const cut = StoredList.from(longer, 1, ['5']);
    expect([base, longer, branch, cut].map(jsonOf)).toEqual(['[1,2]', '[1,2,3]', '[1,2,4]', '[1,5]']);
    expect(sharedPrefix(longer, ['1', '2', '9'])).toBe(2);
    expect(sharedPrefix(undefined, ['1'])).toBe(0);
  });
});
