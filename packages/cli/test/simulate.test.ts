import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

import { describe, expect, test } from 'vitest';

import { type RunOptions, type Running, bundleCommand, createFolder, place, run, start } from './command.ts';

bundleCommand();
const folder = createFolder();

type Served = Running & { readonly url: string };

async function serve(args: readonly string[], options?: RunOptions): Promise<Served> {
  const running = start(['simulate', '--port', '0', ...args], options);
  const [, url = ''] = await running.printed(/(http:\/\/127\.0\.0\.1:\d+)/);
  return { ...running, url };
}

const asking = { model: 'gpt-4.1', messages: [{ role: 'user', content: 'hi' }] };

function chat(url: string, body: unknown = asking, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer k', ...headers },
    body: JSON.stringify(body),
  });
}

async function stop(running: Served): Promise<{ code: number | null; stdout: string; stderr: string }> {
  running.signal('SIGINT');
  return running.ended;
}

test('the start tells every client its variables', async () => {
  const running = await serve([]);
  await running.printed(/\n\n/);
  const { url } = running;
  const { code, stdout, stderr } = await stop(running);
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.split('\n');
  expect(lines[0]).toBe(`Listening on ${url}. Ctrl-C ends it.`);
  for (const setting of [
    `ANTHROPIC_BASE_URL=${url}`,
    `ANTHROPIC_BASE_URL=${url}/v1`,
    `OPENAI_BASE_URL=${url}/v1`,
    `GOOGLE_GEMINI_BASE_URL=${url}`,
    'ANTHROPIC_API_KEY=any-key',
    'OPENAI_API_KEY=any-key',
    'GEMINI_API_KEY=any-key',
  ])
    expect(lines.some((line) => line.endsWith(` export ${setting}`))).toBe(true);
});

describe('verdicts', () => {
  test('are printed as they are given, with the row, the place and the words', async () => {
    const running = await serve([]);
    expect((await chat(running.url)).status).toBe(200);
    await running.printed(/#1 {2}accepted {2}200 {2}openai-chat {2}POST \/v1\/chat\/completions {2}gpt-4\.1\n/);
    const messages = [{ role: 'tool', tool_call_id: 'a', content: 'b' }];
    expect((await chat(running.url, { ...asking, messages })).status).toBe(400);
    await running.printed(/#2 {2}refused {3}400 .*\n {4}oc-tool-orphan at \/messages\/0\n {6}.*'tool_calls'/);
    const { code, stdout } = await stop(running);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n1 accepted, 1 refused\n$/);
    expect(stdout).not.toContain('\u001B');
  });

  test('are coloured where that is wanted', async () => {
    const running = await serve([], { env: { FORCE_COLOR: '1' } });
    await chat(running.url);
    const { stdout } = await running.printed(/#1.*\n/).then(() => stop(running));
    expect(stdout).toContain('\u001B[32maccepted\u001B[39m');
    const plain = await serve([], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
    await chat(plain.url);
    expect((await plain.printed(/#1.*\n/).then(() => stop(plain))).stdout).not.toContain('\u001B');
  });

  test('are lines of JSON for machines', async () => {
    const running = await serve(['--json', '--faults', 'empty@1']);
    await chat(running.url);
    await chat(running.url, { ...asking, messages: [] });
    await running.printed(/"n":2.*\n/);
    const { stdout } = await stop(running);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { event: 'listening', url: running.url, baseUrls: { openai: `${running.url}/v1` } },
      { event: 'verdict', n: 1, accepted: true, status: 200, fault: 'empty', refusals: [] },
      { event: 'verdict', n: 2, accepted: false, status: 400, refusals: [{ pointer: '/messages' }] },
    ]);
  });

  test('cannot send control characters to the terminal', async () => {
    const running = await serve([]);
    const messages = [{ role: '\u001B[2J\u009B1m', content: 'x' }];
    await chat(running.url, { model: 'gpt\u001B]0;gone\u0007\u202E', messages });
    await fetch(`${running.url}/v1/%1b[2J`, { method: 'POST', headers: { 'x-api-key': '\u009B' } });
    await running.printed(/#2.*\n.*\n/);
    const { stdout } = await stop(running);
    expect(stdout).toContain(String.raw`gpt\x1b]0;gone\x07\u202e`);
    expect(stdout).toMatch(/^[\n\x20-\x7e]*$/);
  });
});

describe('Ctrl-C', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('as %s ends it at once, in the middle of answers', async (signal) => {
    const running = await serve(['--faults', 'stall']);
    const sockets: Socket[] = [];
    for (let n = 0; n < 3; n++) {
      const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
      const body = JSON.stringify({ ...asking, stream: true });
      const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer k\r\n`;
      socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`);
      await once(socket, 'data');
      sockets.push(socket);
    }
    const closed = Promise.all(sockets.map((socket) => once(socket.resume(), 'close')));
    const asked = performance.now();
    running.signal(signal);
    const { code, stdout } = await running.ended;
    expect(performance.now() - asked).toBeLessThan(2000);
    await closed;
    expect(code).toBe(0);
    expect(stdout).toMatch(/3 accepted, 0 refused\n$/);
  });
});

describe('the answers', () => {
  test('come from a script', async () => {
    const call = { kind: 'call', tool: 'ls', input: { path: '.' }, id: 'call_1' };
    const script = ['Hello.', { parts: ['Looking.', call], usage: { input: 7 } }, { failure: 'no more', status: 418 }];
    const { path } = place(folder, 'script.json', JSON.stringify(script));
    const running = await serve(['--script', path]);
    const answers: unknown[] = [];
    for (let n = 0; n < 4; n++) answers.push(await (await chat(running.url)).json());
    await stop(running);
    expect(answers).toMatchObject([
      { choices: [{ message: { content: 'Hello.' } }] },
      {
        choices: [
          { finish_reason: 'tool_calls', message: { tool_calls: [{ id: 'call_1', function: { name: 'ls' } }] } },
        ],
        usage: { prompt_tokens: 7 },
      },
      { error: { message: 'no more' } },
      { error: { message: expect.stringContaining('the script has run out') } },
    ]);
  });

  test('call tools only when that is asked for', async () => {
    const tools = [{ type: 'function', function: { name: 'ls', parameters: { type: 'object', properties: {} } } }];
    const body = { ...asking, tools, tool_choice: 'required' };
    const callsOf = async (args: readonly string[]): Promise<unknown> => {
      const running = await serve(args);
      const answer = (await (await chat(running.url, body)).json()) as { choices: [{ message: object }] };
      await stop(running);
      return 'tool_calls' in answer.choices[0].message;
    };
    expect(await callsOf([])).toBe(false);
    expect(await callsOf(['--call-tools'])).toBe(true);
  });

  test('are given to those with the key, which is not repeated', async () => {
    const running = await serve(['--key', 'open-sesame']);
    expect((await chat(running.url)).status).toBe(401);
    expect((await chat(running.url, asking, { authorization: 'Bearer open-sesame' })).status).toBe(200);
    const { stdout } = await stop(running);
    expect(stdout).toContain('Every client has to send the key');
    expect(stdout).not.toContain('sesame');
  });

  test('follow the faults, the leniency and the trust that were asked for', async () => {
    const first = { role: 'assistant', content: 'Hello.' };
    const signed = [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'x', signature: 'EqQBabc' },
          { type: 'text', text: 'y' },
        ],
      },
      { role: 'user', content: 'go on' },
    ];
    const ask = async (url: string, model: string, messages: readonly unknown[]): Promise<number> => {
      const headers = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };
      const body = JSON.stringify({ model, max_tokens: 9, messages });
      return (await fetch(`${url}/v1/messages`, { method: 'POST', headers, body })).status;
    };
    const strict = await serve(['--faults', '529@3', '--strict']);
    const loose = await serve(['--lenient', '--trust']);
    const statuses: number[] = [];
    for (const { url } of [strict, loose]) {
      statuses.push(await ask(url, 'my-model', [first, ...signed.slice(0, 1)]));
      statuses.push(await ask(url, 'claude-sonnet-4-5', signed));
      statuses.push(await ask(url, 'claude-sonnet-4-5', signed.slice(0, 1)));
    }
    await Promise.all([stop(strict), stop(loose)]);
    expect(statuses).toEqual([400, 400, 529, 200, 200, 200]);
  });
});

describe('what it cannot start with is told in a sentence', () => {
  test('a port that is taken', async () => {
    const running = await serve([]);
    const { port } = new URL(running.url);
    const { code, stdout, stderr } = await run(['simulate', '--port', port]);
    await stop(running);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(`rethread: port ${port} is taken; choose another with --port, or any free one with --port 0\n`);
  });

  test.each([
    [['--port', '70000'], 'A whole number from 0 to 65535 is needed.'],
    [['--faults', 'fire'], "unknown fault 'fire'"],
    [['--faults', 'cut-bytes'], "'cut-bytes' needs a number; write cut-bytes:n"],
    [['--seed', '-1'], 'A whole number from 0 to'],
    [['--key', ''], 'An empty key would keep every client out'],
    [['--strict', '--lenient'], "option '--lenient' cannot be used with option '--strict'"],
    [['--script', 'x', '--call-tools'], "option '--call-tools' cannot be used with option '--script <file>'"],
    [['--script', 'nowhere.json'], 'nowhere.json cannot be read: no such file'],
    [['--host', '192.0.2.1', '--port', '0'], '192.0.2.1 is no address of this machine'],
  ])('%j', async (args, reason) => {
    const { code, stdout, stderr } = await run(['simulate', ...args], { cwd: folder });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(reason);
  });

  test.each([
    [{}, 'is no script: it needs to be a list of replies'],
    [[7], 'reply 1 needs to be a text or an object'],
    [['a', { parts: [{ kind: 'song' }] }], 'reply 2, part 1 needs to be a text, or an object whose kind is text'],
    [[{ parts: [{ kind: 'call', name: 'ls' }] }], 'reply 1, part 1 has the key name; it may have tool, input, id'],
    [[{ parts: [{ kind: 'call' }] }], 'reply 1, part 1 lacks the key tool'],
    [[{ parts: [], stop: 'later' }], 'reply 1 cannot have this value as stop'],
    [[{ parts: ['Searching'], stop: 'pause' }], 'line 1 of the script cannot be said: a reply that pauses ends with'],
    [[{ failure: 'x', status: 200 }], 'reply 1 cannot have this value as status'],
    [[{ parts: [], usage: { input: -1 } }], 'reply 1 cannot have this value as usage'],
  ])('the script %j', async (script, reason) => {
    const { code, stderr } = await run(['simulate', '--port', '0', '--script', '-'], { input: JSON.stringify(script) });
    expect(code).toBe(2);
    expect(stderr).toContain(`rethread: standard input`);
    expect(stderr).toContain(reason);
  });
});
