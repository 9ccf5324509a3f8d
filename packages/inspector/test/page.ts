import { startInspector, type Inspector } from '@rethread/inspector';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

import { findChromium } from './chromium.ts';
import { makeHome, type Home } from './home.ts';

/** The program that the tests drive; undefined where there is none. */
export const browserPath: string | undefined = await findChromium();

export const launch = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: browserPath ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

/** A home, the server on it, and a browser. */
export type Bench = {
  readonly home: Home;
  readonly inspector: Inspector;
  /** Opens the page in a window of its own, at a place in it. */
  open(place: string, options?: BrowserContextOptions): Promise<Watched>;
  /** Closes the windows that are open: a page that follows a session keeps the server at work. */
  closeWindows(): Promise<void>;
  close(): Promise<void>;
};

/** A page, and what it did that it should not. */
export type Watched = {
  readonly page: Page;
  /** Errors in the console, failed scripts, and requests to anywhere else. */
  readonly complaints: readonly string[];
};

export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 390, height: 844 };

export async function startBench(fill: (home: Home) => void): Promise<Bench> {
  const home = makeHome();
  fill(home);
  const inspector = await startInspector({ version: '0.0.0-test', home: home.folder });
  const browser = await launch();
  return {
    home,
    inspector,
    async open(place, options = {}) {
      const context = await browser.newContext({ viewport: WIDE, ...options });
      context.setDefaultTimeout(15_000);
      const page = await context.newPage();
      const complaints = watch(page, inspector.port);
      await page.goto(`${inspector.url}${place}`);
      return { page, complaints };
    },
    async closeWindows() {
      for (const context of browser.contexts()) await context.close();
    },
    async close() {
      await browser.close();
      await inspector.close();
      home.remove();
    },
  };
}

export function watch(page: Page, port: number): readonly string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isOurs = url.host === `127.0.0.1:${port}` || url.protocol === 'blob:';
    if (!isOurs) complaints.push(`request: ${request.url().slice(0, 200)}`);
  });
  return complaints;
}
