import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { addHostileSessions } from './hostile-sessions.ts';
import { browserPath, startBench, type Bench } from './page.ts';
import { payloads } from './payloads.ts';

/** `npm run e2e -- inspector` takes all of them. */
const COUNT = Number(process.env['RETHREAD_PAYLOADS'] ?? 8);

let bench: Bench;

/** Scrolls to the end of what is shown, unfolding everything on the way. */
async function readAll(page: Page): Promise<void> {
  for (let step = 0; step < COUNT * 12; step += 1) {
    const isDone = await page.evaluate(`(() => {
      for (const each of document.querySelectorAll('details:not([open])')) each.open = true;
      const list = document.querySelector('.virtual, .session-body');
      if (list === null) return true;
      const before = list.scrollTop;
      list.scrollTop += list.clientHeight * 0.9;
      return list.scrollTop === before;
    })()`);
    if (isDone === true) break;
    await page.waitForTimeout(15);
  }
}

describe.skipIf(browserPath === undefined)('what stands in a session is text, whatever it is', () => {
  beforeAll(async () => {
    bench = await startBench((home) => addHostileSessions(home, payloads(COUNT)));
  });
  afterEach(() => bench.closeWindows());
  afterAll(() => bench.close());

  test.each([
    ['with the policy of the server', false],
    ['without it', true],
  ])('no script runs, and nothing is asked of another host, %s', async (_, bypassCSP) => {
    const { page, complaints } = await bench.open('', { bypassCSP });
    await expect.poll(() => page.locator('a.session-line .badge:not(.badge-unread)').count()).toBe(4);
    const hrefs = await hrefsOf(page);
    expect(hrefs).toHaveLength(4);
    for (const href of hrefs) {
      for (const tab of ['timeline', 'request', 'details', 'charts']) {
        await page.evaluate(`location.hash = ${JSON.stringify(href.replace('timeline', tab))}`);
        await page.locator('.session-body').waitFor();
        await readAll(page);
      }
    }
    await page.evaluate("location.hash = '#/search?q=window.ran'");
    await page.locator('.hit-group').first().waitFor();
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(
      await page.evaluate(
        `document.querySelectorAll('#app script, #app iframe, #app a[href^="j"], #app [onerror]').length`,
      ),
    ).toBe(0);
    expect(complaints).toEqual([]);
  });
});

test.skipIf(browserPath === undefined)('the alarm of these tests goes off where markup is made of a text', async () => {
  const empty = await startBench(() => undefined);
  try {
    const { page, complaints } = await empty.open('', { bypassCSP: true });
    await page.evaluate(`document.body.innerHTML = '<img src="http://attacker.example/x" onerror="window.ran=1">'`);
    await expect.poll(() => page.evaluate('window.ran')).toBe(1);
    expect(complaints.join()).toContain('attacker.example');
  } finally {
    await empty.close();
  }
});

const hrefsOf = async (page: Page): Promise<string[]> =>
  (await page.evaluate(
    "[...document.querySelectorAll('a.session-line')].map((line) => line.getAttribute('href'))",
  )) as string[];
