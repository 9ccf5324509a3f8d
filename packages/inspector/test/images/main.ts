import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { root } from '../../../../tools/node.mjs';
import { addFixtures, everything, long, refused } from '../home.ts';
import { browserPath, NARROW, startBench, WIDE, type Bench } from '../page.ts';

const folder = join(root, 'docs/images');

type Shot = {
  readonly name: string;
  readonly session?: string;
  readonly tab?: string;
  readonly keys?: readonly string[];
  readonly ready: string;
  readonly theme?: 'dark';
  readonly isNarrow?: true;
};

/** The views that the documents show. */
const SHOTS: readonly Shot[] = [
  { name: 'inspector-sessions', ready: 'a.session-line' },
  { name: 'inspector-timeline', session: 'rain gauge', keys: ['J', 'J', 'J'], ready: '.batch-parallel' },
  { name: 'inspector-refused', session: 'List of sensors', keys: ['n'], ready: '.finding-refused' },
  { name: 'inspector-request', session: 'List of sensors', tab: 'request', ready: '.sent-changed', theme: 'dark' },
  { name: 'inspector-charts', session: 'Question 1', tab: 'charts', ready: 'figure canvas' },
  {
    name: 'inspector-narrow',
    session: 'rain gauge',
    keys: ['J', 'J', 'J'],
    ready: '.batch',
    theme: 'dark',
    isNarrow: true,
  },
];

async function openSession(page: Page, { session, tab = 'timeline' }: Shot): Promise<void> {
  if (session === undefined) return;
  const href = await page.locator('a.session-line', { hasText: session }).first().getAttribute('href');
  await page.evaluate(`location.hash = ${JSON.stringify((href ?? '').replace('timeline', tab))}`);
}

async function take(bench: Bench, shot: Shot): Promise<void> {
  const viewport = shot.isNarrow === true ? NARROW : WIDE;
  const { page } = await bench.open('', { viewport, colorScheme: shot.theme ?? 'light' });
  await page.locator('a.session-line .badge:not(.badge-unread)').nth(6).waitFor();
  await openSession(page, shot);
  await page
    .locator(shot.session === undefined ? shot.ready : '.session-body')
    .first()
    .waitFor();
  await page.waitForTimeout(400);
  for (const key of shot.keys ?? []) await page.keyboard.press(key);
  await page.locator(shot.ready).first().waitFor();
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(folder, `${shot.name}.png`) });
  await page.context().close();
}

if (browserPath === undefined) {
  process.exitCode = 1;
} else {
  mkdirSync(folder, { recursive: true });
  const bench = await startBench((home) => {
    addFixtures(home);
    for (const [name, session] of [
      ['everything', everything()],
      ['refused', refused()],
      ['long', long(400)],
    ] as const) {
      home.write(name, session, 1);
    }
  });
  for (const shot of SHOTS) await take(bench, shot);
  await bench.close();
}
