import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { manual, manualPath } from './manual.ts';

test('the manual page is what the commands say; npm run pages writes it anew', () => {
  expect(readFileSync(manualPath, 'utf8')).toBe(manual());
});
