import { appendFileSync } from 'node:fs';

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { ClaudeLog, everything, long, refused, text } from './home.ts';
import { browserPath, NARROW, startBench, type Bench, type Watched } from './page.ts';

let bench: Bench;
let growing: string;

/** Opens a session by a part of its title, with the keyboard. */
async function openSession(title: string, ...options: Parameters<Bench['open']>[1][]): Promise<Watched> {
  const opened = await bench.open(`#/?q=${encodeURIComponent(title)}`, ...options);
  const { page } = opened;
  await expect.poll(() => page.locator('a.session-line').count()).toBe(1);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.locator('.row:not(.row-waiting)').first().waitFor();
  return opened;
}

const current = (page: Page) => page.locator('.row-current');

describe.skipIf(browserPath === undefined)('a session', () => {
  beforeAll(async () => {
    bench = await startBench((home) => {
      home.write('everything', everything());
      home.write('refused', refused());
      home.write('long', long(400));
      growing = home.write('growing', new ClaudeLog().user('It grows.').answer([text('First answer')]).text);
    });
  });
  afterEach(() => bench.closeWindows());
  afterAll(() => bench.close());

  test('shows calls beside their results, reasoning folded, differences, colours, and what broke off', async () => {
    const { page, complaints } = await openSession('rain gauge');
    const batch = page.locator('.batch-parallel').first();
    expect(await batch.locator('.pair').count()).toBe(2);
    expect(await batch.locator('.pair-ok').innerText()).toContain('mmPerTip = 0.2');
    expect(await batch.locator('.pair-error .ansi-red').innerText()).toBe('FAIL');
    const [left, right] = await Promise.all([0, 1].map((at) => batch.locator('.pair').nth(at).boundingBox()));
    expect(left?.y).toBe(right?.y);
    expect(await page.locator('.reasoning').first().getAttribute('open')).toBeNull();
    await page.keyboard.press('o');
    await page.getByText('I should look at the driver and at its tests.').nth(1).waitFor();
    expect(await page.locator('.diff-added').first().innerText()).toContain('Math.round');
    await page.keyboard.press('G');
    await page.locator('.pair-open').getByText('No result was recorded.').waitFor();
    await page.locator('.mark-interruption').first().waitFor();
    expect(complaints).toEqual([]);
  });

  test('greys what the next request does not contain, and says why', async () => {
    const { page } = await openSession('rain gauge');
    const before = page.locator('.row-unsent').filter({ hasText: 'Before the compaction' });
    await before.getByText('Not in the next request: A summary stands for it.').waitFor();
    await page.locator('.mark-compaction').waitFor();
    expect(await page.locator('.sidebar').innerText()).toContain('Compacted');
  });

  test('shows a picture when it is asked for', async () => {
    const { page, complaints } = await openSession('rain gauge');
    await page.getByRole('button', { name: 'Show the picture' }).click();
    const picture = page.locator('img.picture');
    await picture.waitFor();
    await expect.poll(() => page.evaluate("document.querySelector('img.picture').naturalWidth")).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('says what would be refused in the words of the provider, and explains the rule', async () => {
    const { page } = await openSession('sensors');
    await page.keyboard.press('n');
    const finding = current(page).locator('.finding-refused').first();
    await finding.getByText('String should match pattern').waitFor();
    await finding.getByRole('button', { name: /^Rule/ }).click();
    await page.getByRole('dialog').getByText('rethread explain call-id-malformed').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    await page.getByText('No further finding.').waitFor();
    expect(await current(page).count()).toBe(1);
  });

  test('shows what would be sent beside what is stored, and the repair', async () => {
    const { page, complaints } = await openSession('sensors');
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: /Repaired, it would accept/ }).waitFor();
    const changed = page.locator('.sent-changed').first();
    await changed.waitFor();
    await changed.getByRole('button', { name: 'Compare the JSON' }).click();
    await changed.locator('.diff-removed').filter({ hasText: 'functions.list:0' }).first().waitFor();
    await page.getByLabel('Provider API').selectOption('openai-chat');
    await page.getByText('Converted, the provider would accept this request.').waitFor();
    expect(page.url()).toContain('dialect=openai-chat');
    expect(complaints).toEqual([]);
  });

  test('draws charts, each with a table that says the same', async () => {
    const { page, complaints } = await openSession('rain gauge');
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.locator('canvas').first().waitFor();
    const charts = page.locator('figure.chart');
    const shown = await charts.count();
    expect(shown).toBe(5);
    await charts.first().getByText('Show as a table').click();
    await charts.first().getByRole('row').nth(1).waitFor();
    expect(await charts.filter({ hasText: 'Tools' }).getByRole('row').count()).toBe(4);
    expect(complaints).toEqual([]);
  });

  // A key was lost once in a run of all tests, and never in a run of this one; why is not known yet.
  test('is walked through with the keyboard: rows, turns, ends, and a link to a row', { retry: 2 }, async () => {
    const { page } = await openSession('Question 1');
    for (const _ of [1, 2, 3]) await page.keyboard.press('J');
    await current(page).filter({ hasText: 'Question 3' }).waitFor();
    await page.keyboard.press('j');
    await current(page).filter({ hasText: 'I look.' }).waitFor();
    await page.keyboard.press('k');
    await current(page).filter({ hasText: 'Question 3' }).waitFor();
    await expect.poll(() => page.url()).toContain('e=8');
    await page.keyboard.press('G');
    await current(page).filter({ hasText: 'Answer 400' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('g');
    await current(page).filter({ hasText: 'Question 1' }).waitFor();
  });

  test('opens at the record that its address names', async () => {
    const { page } = await openSession('Question 1');
    await page.keyboard.press('G');
    await expect.poll(() => page.url()).toContain('e=1599');
    await page.reload();
    await current(page).filter({ hasText: 'Answer 400' }).waitFor();
  });

  test('grows while it is looked at', async () => {
    const { page } = await openSession('It grows');
    await page.getByText('First answer').waitFor();
    const more = new ClaudeLog()
      .user('It grows.')
      .answer([text('First answer')])
      .user('Go on.')
      .answer([text('Second answer')]);
    appendFileSync(growing, more.text.split('\n').slice(2).join('\n'));
    await page.getByText('Second answer').waitFor();
    expect(await page.locator('.badge-live').innerText()).toBe('Live');
  });

  test('has help, a palette and two themes', async () => {
    const { page } = await openSession('rain gauge', { colorScheme: 'dark' });
    const theme = () => page.evaluate('document.documentElement.dataset.theme');
    expect(await theme()).toBe('dark');
    await page.keyboard.press('T');
    expect(await theme()).toBe('light');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('sensors');
    await page.keyboard.press('Enter');
    await page.locator('h1').filter({ hasText: 'List of sensors' }).waitFor();
  });

  test('is printed without what only a screen has', async () => {
    const { page } = await openSession('rain gauge');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.top').isVisible()).toBe(false);
    expect(await page.locator('.minimap').isVisible()).toBe(false);
    expect(await page.locator('.sidebar').getByText('A call has no result').isVisible()).toBe(true);
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
    expect(height).toBeGreaterThan(800);
  });

  test('fits a small window', async () => {
    const { page } = await openSession('rain gauge', { viewport: NARROW });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(NARROW.width);
  });
});
