import { describe, expect, test } from 'vitest';

import { runCorpus } from './run.ts';

const shared = process.env['RETHREAD_SHARED'];

describe.skipIf(shared === undefined)('real sessions (set RETHREAD_SHARED to run)', () => {
  test('every one is recognised and read, its repair is accepted, and it is what its tool then sent', async () => {
    const { problems, rows } = await runCorpus(shared ?? '');
    expect(problems).toEqual([]);
    expect(rows.some(({ counts }) => (counts['as sent'] ?? 0) > 0)).toBe(true);
  });
});
