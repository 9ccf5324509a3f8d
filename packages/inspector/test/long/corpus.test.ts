import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { fileRef, startInspector } from '@rethread/inspector';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { makeHome, type Home } from '../home.ts';
import { browserPath, launch, watch } from '../page.ts';

const shared = process.env['RETHREAD_SHARED'];
/** With 8, every eighth session is opened. */
const oneIn = Number(process.env['RETHREAD_ONE_IN'] ?? 1);
const isWanted = process.env['RETHREAD_LONG'] !== undefined && shared !== undefined && browserPath !== undefined;

let browser: Browser;
let home: Home;

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(jsonl?|zst|db|sqlite)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

describe.skipIf(!isWanted)('every session of the corpus (npm run e2e -- inspector)', () => {
  beforeAll(async () => {
    browser = await launch();
    home = makeHome();
  });
  afterAll(async () => {
    await browser.close();
    home.remove();
  });

  test('opens in every view, without an error in the console', async () => {
    const files = ['corpus', 'corpus-made'].flatMap((name) => filesBelow(join(shared ?? '', name)));
    const failures: string[] = [];
    let opened = 0;
    for (const [index, file] of files.entries()) {
      if (index % oneIn !== 0) continue;
      const copy = join(home.folder, String(index), basename(dirname(file)), basename(file));
      mkdirSync(dirname(copy), { recursive: true });
      cpSync(file, copy);
      const first = await fileRef(copy);
      if (first === undefined || first.tool === 'unknown') continue;
      failures.push(...(await look(first)).map((complaint) => `${basename(file)}: ${complaint}`));
      opened += 1;
    }
    console.log(`${opened} sessions opened`);
    expect(failures).toEqual([]);
    expect(opened).toBeGreaterThan(300 / oneIn);
  });
});

/** Opens every view of a session, and gives what went wrong. */
async function look(first: NonNullable<Awaited<ReturnType<typeof fileRef>>>): Promise<readonly string[]> {
  const inspector = await startInspector({ version: '0.0.0-test', home: home.folder, first });
  const page = await browser.newPage();
  const complaints = watch(page, inspector.port);
  try {
    await page.goto(inspector.url);
    await page.locator('.row, .empty').first().waitFor();
    for (const keys of ['gr', 'gc', 'gd', 'gt']) {
      for (const key of keys) await page.keyboard.press(key);
      await page.locator('.session-body').waitFor();
      await page.waitForTimeout(60);
    }
    if ((await page.locator('[role=alert]').count()) > 0) return [...complaints, 'the page says that it failed'];
    return [...complaints];
  } catch (error) {
    const shown = await page.locator('#app').innerText();
    return [...complaints, `${String(error).slice(0, 300)} ${shown.slice(0, 300)}`];
  } finally {
    await page.close();
    await inspector.close();
  }
}
