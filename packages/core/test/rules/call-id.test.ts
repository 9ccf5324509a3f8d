import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLegalId, NINE_ID, PLAIN_ID } from '../../src/model/call-id.ts';
import type { Profile } from '../../src/model/profile.ts';

const ids = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[a-zA-Z0-9_-]{0,12}$/),
  fc.stringMatching(/^[a-zA-Z0-9]{8,10}$/),
  fc.constantFrom('', 'abcdefgh\n', 'abcdefghi\n', 'call_1\n', 'Ａbcdefghi', 'abcdefgh\u0000'),
);

test('ids are judged as their patterns and their longest length judge them', () => {
  fc.assert(
    fc.property(ids, (id) => {
      const profile = { idMax: 40 } as Profile;
      expect(isLegalId(id, { ...profile, idPattern: PLAIN_ID })).toBe(id.length <= 40 && PLAIN_ID.test(id));
      expect(isLegalId(id, { ...profile, idPattern: NINE_ID })).toBe(NINE_ID.test(id));
    }),
    { numRuns: 3_000 },
  );
});
