import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { fileRef, renderStatic } from '@rethread/inspector';
import { expect, test } from 'vitest';

import { everything, makeHome, refused } from './home.ts';
import { browserPath, launch, watch } from './page.ts';
import { payloads } from './payloads.ts';
import { addHostileSessions } from './hostile-sessions.ts';

async function render(path: string): Promise<string> {
  const ref = await fileRef(path);
  if (ref === undefined) throw new Error('the session was not written');
  return renderStatic(ref, { version: '0.0.0-test' });
}

test.skipIf(browserPath === undefined)(
  'a session becomes one file that needs no server and asks for nothing',
  async () => {
    const home = makeHome();
    const browser = await launch();
    try {
      for (const text of [everything(), refused()]) {
        const file = join(home.folder, 'session.html');
        writeFileSync(file, await render(home.write('session', text)));
        const page = await browser.newPage();
        const requests: string[] = [];
        page.on('request', (request) => requests.push(request.url()));
        const complaints = watch(page, 0);
        await page.goto(pathToFileURL(file).href);
        await page.locator('.row .pair').first().waitFor();
        await page.keyboard.press('g');
        await page.keyboard.press('r');
        await page.locator('.sent-pair').first().waitFor();
        await page.keyboard.press('g');
        await page.keyboard.press('c');
        await page.locator('figure canvas').first().waitFor();
        expect(requests).toEqual([pathToFileURL(file).href]);
        expect(complaints.filter((each) => !each.startsWith('request: file:'))).toEqual([]);
        await page.close();
      }
    } finally {
      await browser.close();
      home.remove();
    }
  },
);

test.skipIf(browserPath === undefined)('nothing in a session can end the data or the script of the file', async () => {
  const home = makeHome();
  addHostileSessions(home, payloads(12));
  const browser = await launch();
  try {
    const file = join(home.folder, 'session.html');
    const path = join(home.folder, '.claude/projects/-project/5e551011-0000-4000-8000-000000000001.jsonl');
    writeFileSync(file, await render(path));
    for (const bypassCSP of [false, true]) {
      const context = await browser.newContext({ bypassCSP });
      const page = await context.newPage();
      const complaints = watch(page, 0);
      await page.goto(pathToFileURL(file).href);
      await page.locator('.row:not(.row-waiting)').first().waitFor();
      expect(await page.evaluate('window.ran')).toBeUndefined();
      expect(complaints.filter((each) => !each.startsWith('request: file:'))).toEqual([]);
      await context.close();
    }
  } finally {
    await browser.close();
    home.remove();
  }
});
