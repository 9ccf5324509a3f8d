import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { addFixtures, everything, refused } from './home.ts';
import { browserPath, NARROW, startBench, WIDE, type Bench } from './page.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let bench: Bench;

type Violation = { readonly id: string; readonly impact: string; readonly nodes: readonly { readonly html: string }[] };

const VIEWS: readonly (readonly [name: string, hash: string, ready: string])[] = [
  ['the list', '#/?group=tool', 'a.session-line'],
  ['the search', '#/search?q=gauge', 'mark'],
  ['the timeline', 'timeline', '.row .pair'],
  ['the next request', 'request', '.sent-pair'],
  ['the charts', 'charts', 'figure canvas'],
  ['the details', 'details', 'dl'],
];

describe.skipIf(browserPath === undefined)('axe finds nothing serious', () => {
  beforeAll(async () => {
    bench = await startBench((home) => {
      addFixtures(home);
      home.write('everything', everything());
      home.write('refused', refused());
    });
  });
  afterEach(() => bench.closeWindows());
  afterAll(() => bench.close());

  test.each([
    ['wide and light', WIDE, 'light'],
    ['wide and dark', WIDE, 'dark'],
    ['narrow and light', NARROW, 'light'],
    ['narrow and dark', NARROW, 'dark'],
  ] as const)('%s', async (_, viewport, colorScheme) => {
    // axe is a script of ours that the policy of the server would not let in.
    const { page } = await bench.open('', { viewport, colorScheme, bypassCSP: true });
    await expect.poll(() => page.locator('a.session-line .badge:not(.badge-unread)').count()).toBe(6);
    const href = await page.locator('a.session-line', { hasText: 'List of sensors' }).getAttribute('href');
    await page.evaluate(axe);
    for (const [name, hash, ready] of VIEWS) {
      const place = hash.startsWith('#') ? hash : (href ?? '').replace('timeline', hash);
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
      await page.locator(ready).first().waitFor();
      const violations = (await page.evaluate(
        "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
      )) as Violation[];
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect([name, serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)]).toEqual([name, []]);
    }
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('listbox').waitFor();
    const violations = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Violation[];
    expect(
      violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id),
    ).toEqual([]);
  });
});
