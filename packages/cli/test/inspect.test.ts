import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { bundleCommand, createFolder, run, start } from './command.ts';

bundleCommand();
const folder = createFolder();

const session = join(folder, 'session.jsonl');
writeFileSync(
  session,
  `${JSON.stringify({
    type: 'user',
    uuid: 'u1',
    parentUuid: null,
    sessionId: 's1',
    isSidechain: false,
    message: { role: 'user', content: 'Hello' },
  })}\n`,
);

const env = { HOME: folder };

test('the installed command serves its page on loopback, and a signal ends it', async () => {
  const command = start(['inspect', '--no-open', session], { env });
  const [url] = await command.printed(/http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]{32}/);
  const entered = await fetch(url, { redirect: 'manual' });
  expect(entered.status).toBe(303);
  const headers = { cookie: entered.headers.get('set-cookie')?.split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' };
  const ask = async (path: string): Promise<string> => (await fetch(new URL(path, url), { headers })).text();
  expect(await ask('/')).toContain('<div id="app">');
  const { first } = JSON.parse(await ask('/api/about')) as { readonly first: string };
  expect(await ask(`/api/${first}/overview`)).toContain('"title":"Hello"');
  command.signal('SIGINT');
  expect((await command.ended).code).toBe(0);
});

test.each([
  [['inspect', 'no/such/file.jsonl'], /no such file/],
  [['inspect', '--port', 'none'], /--port/],
])('%j says what is wrong', async (args, words) => {
  const { code, stderr } = await run(args, { env });
  expect(code).toBe(2);
  expect(stderr).toMatch(words);
});
