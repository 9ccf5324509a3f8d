import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { addFixtures, everything, refused } from './home.ts';
import { browserPath, NARROW, startBench, type Bench } from './page.ts';

let bench: Bench;

describe.skipIf(browserPath === undefined)('the list of sessions', () => {
  beforeAll(async () => {
    bench = await startBench((home) => {
      addFixtures(home);
      home.write('everything', everything());
      home.write('refused', refused());
    });
  });
  afterEach(() => bench.closeWindows());
  afterAll(() => bench.close());

  test('has the sessions of every tool, with their verdicts, the newest first', async () => {
    const { page, complaints } = await bench.open('');
    await expect.poll(() => page.locator('a.session-line .badge:not(.badge-unread)').count()).toBe(6);
    const lines = await page.locator('a.session-line').allInnerTexts();
    for (const tool of ['Claude Code', 'Codex', 'Gemini CLI', 'pi']) {
      expect(lines.some((line) => line.includes(tool))).toBe(true);
    }
    expect(lines.find((line) => line.includes('List of sensors'))).toContain('Refused');
    expect(lines.at(-1)).toContain('pi');
    expect(complaints).toEqual([]);
  });

  test('is filtered, sorted and grouped, and the address keeps it', async () => {
    const { page } = await bench.open('');
    await page.keyboard.press('/');
    await page.keyboard.type('sensors');
    const lines = page.locator('a.session-line');
    await expect.poll(() => lines.count()).toBe(1);
    expect(page.url()).toContain('q=sensors');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect.poll(() => lines.count()).toBe(6);
    await page.getByRole('button', { name: /^Refused/ }).click();
    await expect.poll(() => lines.count()).toBe(1);
    await page.getByRole('button', { name: /^All/ }).click();
    await page.getByLabel('Group by').selectOption('tool');
    await expect
      .poll(() => page.locator('h2.group').allInnerTexts())
      .toEqual(['Claude Code 3', 'Codex 1', 'Gemini CLI 1', 'pi 1']);
    await page.getByRole('button', { name: 'Verdict', exact: true }).click();
    await page.reload();
    expect(page.url()).toContain('group=tool&sort=verdict');
    await expect.poll(() => page.locator('a.session-line').first().innerText()).toContain('Refused');
  });

  test('is walked through with the keyboard alone', async () => {
    const { page } = await bench.open('#/?sort=title');
    await expect.poll(() => page.locator('a.session-line').count()).toBe(6);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.locator('h1').filter({ hasText: 'List of sensors' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.url()).toMatch(/#\/$/);
  });

  test('says what to do where there is nothing', async () => {
    const { page } = await bench.open('#/?q=nothing-has-this-name');
    await page.getByRole('button', { name: 'Show all sessions' }).click();
    await expect.poll(() => page.locator('a.session-line').count()).toBe(6);
  });

  test('fits a small window', async () => {
    const { page } = await bench.open('', { viewport: NARROW });
    await expect.poll(() => page.locator('a.session-line').count()).toBe(6);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(NARROW.width);
  });

  test('finds words inside of sessions, and opens the record that has them', async () => {
    const { page } = await bench.open('#/search');
    await page.keyboard.type('mmPerTip');
    await page.locator('mark').first().waitFor();
    await page.locator('.hit-group a').first().click();
    await expect
      .poll(() => page.locator('.row-current').allInnerTexts())
      .toEqual([expect.stringContaining('mmPerTip')]);
  });
});

test.skipIf(browserPath === undefined)('a machine without sessions is told how to open one', async () => {
  const empty = await startBench(() => undefined);
  try {
    const { page, complaints } = await empty.open('');
    await page.getByText('rethread inspect path/to/session.jsonl').waitFor();
    expect(complaints).toEqual([]);
  } finally {
    await empty.close();
  }
});
