import { createSimulator } from '@rethread/simulator';
import { describe, expect, test } from 'vitest';

import { bundleCommand, createFolder, place, run, start, type Running } from './command.ts';

bundleCommand();
const folder = createFolder();

type Served = Running & { readonly url: string };

const proxyTo = async (upstream: string, ...args: readonly string[]): Promise<Served> => {
  const running = start(['proxy', '--port', '0', '--upstream', upstream, ...args], { cwd: folder });
  const [, url = ''] = await running.printed(/(http:\/\/127\.0\.0\.1:\d+)/);
  return { ...running, url };
};

const messages = [
  { role: 'user', content: 'Read it.' },
  {
    role: 'assistant',
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } }],
  },
  { role: 'user', content: 'Are you there?' },
];
const ask = (url: string): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-0123456789abcdef' },
    body: JSON.stringify({ model: 'gpt-4.1', messages }),
  });

describe('rethread proxy', () => {
  test('prints what happens to each request, and a sum at its end', async () => {
    const simulator = await createSimulator();
    const running = await proxyTo(simulator.url);
    expect((await ask(running.url)).status).toBe(200);
    await running.printed(
      /#1 {2}repaired {2}200 {2}POST \/v1\/chat\/completions {2}gpt-4\.1 .*\n {4}synthesize call-without/,
    );
    const stats = await run(['proxy', 'stats', running.url]);
    expect(JSON.parse(stats.stdout)).toMatchObject({ exchanges: 1, endings: { repaired: 1 } });
    running.signal('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\n1 requests, 1 repaired, 0 failed\n$/);
    await simulator.close();
  });

  test('writes lines of JSON, and the same to a store', async () => {
    const simulator = await createSimulator();
    const running = await proxyTo(`sim=${simulator.url}`, '--json', '--mode', 'observe', '--store', 'file:./log');
    expect((await ask(`${running.url}/sim`)).status).toBe(400);
    await running.printed(/"event":"exchange"/);
    running.signal('SIGTERM');
    const { stdout } = await running.ended;
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toMatchObject([
      { event: 'listening', mode: 'observe' },
      { event: 'exchange', ending: 'passed', verdict: 'broken' },
    ]);
    const listed = await run(['sessions', '--store', 'file:./log', '--json'], { cwd: folder });
    expect(listed.stdout).toContain('proxy-log-');
    await simulator.close();
  });

  test('that is killed is a network error for its clients, and nothing else', async () => {
    const simulator = await createSimulator({ faults: 'stall:1' });
    const running = await proxyTo(simulator.url);
    const asked = ask(running.url).then((answer) => answer.text());
    const failure = asked.catch((error: unknown) => String(error));
    await new Promise((resolve) => setTimeout(resolve, 300));
    running.signal('SIGKILL');
    expect(await failure).toMatch(/terminated|fetch failed/);
    await running.ended;
    await expect(ask(running.url)).rejects.toThrow('fetch failed');
    await simulator.close();
  });

  test.each([
    ['an address of others without a token', ['--host', '0.0.0.0'], 'needs TLS files, and a token'],
    ['an upstream that is no address', ['--upstream', 'ftp://x'], 'Use an address'],
    ['a certificate that is missing', ['--tls-cert', 'no.pem', '--tls-key', 'no.pem'], 'no.pem: no such file'],
  ])('refuses %s', async (_, args, words) => {
    const { code, stderr } = await run(['proxy', '--port', '0', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe('rethread run', () => {
  test('says what was repaired, and ends as the command does', async () => {
    const simulator = await createSimulator();
    const { path } = place(
      folder,
      'agent.mjs',
      `const body = JSON.stringify({ model: 'gpt-4.1', messages: ${JSON.stringify(messages)} });
       const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-x' };
       const answer = await fetch(process.env.MY_URL + '/chat/completions', { method: 'POST', headers, body });
       console.log(answer.status);
       process.exitCode = 5;`,
    );
    const set = `MY_URL=${simulator.url}/v1`;
    const { code, stdout, stderr } = await run(['run', '--set', set, '--', process.execPath, path]);
    expect([code, stdout]).toEqual([5, '200\n']);
    expect(stderr).toBe('rethread: 1 of 1 requests were repaired: call-without-result ×1\n');
    await simulator.close();
  });

  test('says if no request came through, or if there is no such command', async () => {
    const quiet = await run(['run', '--', process.execPath, '-e', '']);
    expect([quiet.code, quiet.stderr]).toEqual([0, expect.stringContaining('no request went through the proxy')]);
    const missing = await run(['run', '--', 'no-such-command-here']);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('there is no command')]);
  });
});

describe('rethread serve', () => {
  test('prints its document, and serves until it is ended', async () => {
    const { code, stdout } = await run(['serve', '--store', 'memory:', '--openapi']);
    expect([code, (JSON.parse(stdout) as { openapi: string }).openapi]).toEqual([0, '3.1.0']);
    const running = start(['serve', '--store', 'memory:', '--port', '0', '--json']);
    const [, url = ''] = await running.printed(/"url":"([^"]+)"/);
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    running.signal('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });

  test.each([
    ['[]', 'must be a list'],
    ['{', 'is not JSON'],
    ['[{"token":"0123456789abcdef","scopes":["all"]}]', 'must be a list'],
    ['[{"token":"short"}]', 'at least 16 characters'],
  ])('refuses tokens such as %s', async (text, words) => {
    const { path } = place(folder, 'tokens.json', text);
    const { code, stderr } = await run(['serve', '--store', 'memory:', '--port', '0', '--tokens', path]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});
