import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { call, createSimulator, reply, type Simulator, type SimulatorOptions } from '@rethread/simulator';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { freshDatabase } from '../packages/store/test/postgres-server.ts';
import { root } from './node.mjs';
import { packed } from './packed.ts';

const names = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'));

let equipped = '';
beforeAll(async () => {
  ({ equipped } = await packed());
}, 300_000);

let folder = '';
let simulator: Simulator;
beforeEach(async () => {
  folder = mkdtempSync(join(equipped, 'examples-'));
  for (const name of names) copyFileSync(join(root, 'examples', name), join(folder, name));
  simulator = await createSimulator({ keepBodies: true } satisfies SimulatorOptions);
});
afterEach(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true });
});

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const { anthropic, openai } = simulator.baseUrls;
  const keys = {
    ANTHROPIC_API_KEY: 'any',
    OPENAI_API_KEY: 'any',
    ANTHROPIC_BASE_URL: anthropic,
    OPENAI_BASE_URL: openai,
  };
  return spawn(process.execPath, args, { cwd: folder, env: { ...keys, ...env }, stdio: 'pipe' });
}

/** What a program has printed when its text matches, or when it ends. */
function printed(child: ChildProcess, until?: RegExp): Promise<string> {
  let [text, errors] = ['', ''];
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (some: string) => {
      text += some;
      if (until?.test(text) === true) resolve(text);
    });
    child.stderr?.setEncoding('utf8').on('data', (some: string) => (errors += some));
    child.on('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`exit ${code}: ${text}${errors}`))));
  });
}

const refused = (): unknown[] => simulator.verdicts.flatMap(({ refusals }) => refusals);

describe('every example', () => {
  test('is shorter than 80 lines, and the README links to it', () => {
    const page = readFileSync(join(root, 'README.md'), 'utf8');
    const linesOf = (name: string): number => readFileSync(join(root, 'examples', name), 'utf8').split('\n').length - 1;
    expect(names.filter((name) => linesOf(name) >= 80)).toEqual([]);
    expect(names.filter((name) => !page.includes(`(examples/${name})`))).toEqual([]);
  });

  test('compiles in the project of a user', async () => {
    const compilerOptions = { strict: true, noEmit: true, target: 'es2024', module: 'nodenext', skipLibCheck: true };
    const options = { ...compilerOptions, lib: ['es2024', 'esnext.disposable'], types: ['node'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
    expect(await printed(start([join(root, 'node_modules/typescript/bin/tsc'), '-p', '.', '--pretty', 'false']))).toBe(
      '',
    );
  });
});

test('two-providers: the second provider gets the history of the first, repaired', async () => {
  simulator.script(reply('Let me look.', call('ls', {})), 'You asked for the files.');
  const text = await printed(start(['two-providers.ts']));
  expect(text).toContain('Claude: Let me look. tool_use');
  expect(text).toMatch(/repaired: .*no result was recorded/);
  expect(text).toContain('GPT: You asked for the files.');
  expect(refused()).toEqual([]);
});

test('openai-agents: a run that was killed after its tool goes on without it', async () => {
  simulator.script(reply('I pay it back.', call('refund', { order: '7' })), 'Done.');
  simulator.inject('stall:0@2');
  const child = start(['openai-agents.ts', 'Refund order 7.']);
  await printed(child, /I pay it back/);
  while (simulator.verdicts.length < 2) await new Promise((resolve) => void setTimeout(resolve, 5));
  child.kill('SIGKILL');
  simulator.script('Order 7 is paid back.');
  expect(await printed(start(['openai-agents.ts', 'Refund order 7.']))).toContain('Order 7 is paid back.');
  const sent = JSON.stringify(simulator.verdicts.at(-1)?.body);
  expect(sent.match(/Refund order 7/g)).toHaveLength(1);
  expect(sent).toContain('paid back 7');
  expect(refused()).toEqual([]);
});

test('langgraph-approval: asks, and another process deploys after the answer', async () => {
  simulator.script(reply('Now.', call('deploy', { to: 'prod' })), 'It is live.');
  expect(await printed(start(['langgraph-approval.ts']))).toBe('Run deploy?\n');
  expect(await printed(start(['langgraph-approval.ts']))).toBe('Run deploy?\n');
  expect(await printed(start(['langgraph-approval.ts', 'yes']))).toBe('It is live.\n');
  expect(JSON.stringify(simulator.verdicts.at(-1)?.body)).toContain('deployed to prod');
  expect(refused()).toEqual([]);
});

describe('ai-sdk-chat', () => {
  const question = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Refund order 7.' }] };
  const serve = async (): Promise<{ readonly child: ChildProcess; readonly url: string }> => {
    const child = start(['ai-sdk-chat.ts'], { PORT: '0' });
    const [, port] = /port (\d+)/.exec(await printed(child, /port \d+/)) ?? [];
    return { child, url: `http://127.0.0.1:${port}/api/chat` };
  };
  const post = (url: string, body: object): Promise<Response> =>
    fetch(url, { method: 'POST', body: JSON.stringify({ id: 'c1', ...body }) });

  test('goes on in a new process after kill -9, and shows what the user had seen', async () => {
    simulator.script(reply('I pay it back.', call('refund', { order: '7' })), 'Done.');
    simulator.inject('stall:0@2');
    const first = await serve();
    const gone = post(first.url, { message: question }).then((response) => response.text());
    while (simulator.verdicts.length < 2) await new Promise((resolve) => void setTimeout(resolve, 5));
    first.child.kill('SIGKILL');
    await gone.catch(() => '');
    const second = await serve();
    const shown = await (await fetch(`${second.url}/c1`)).text();
    expect(shown).toContain('I pay it back.');
    expect(shown).toContain('order 7 is paid back');
    expect((await fetch(`${second.url}/c1/stream`)).status).toBe(204);
    simulator.script('It is paid back.');
    expect(await (await post(second.url, {})).text()).toContain('It is paid back.');
    expect(refused()).toEqual([]);
    second.child.kill('SIGKILL');
  });
});

test('worker-fleet: workers share the tickets, and each is answered once', async () => {
  const env = { DATABASE_URL: await freshDatabase() };
  const titles = ['Ticket 1', 'Ticket 2', 'Ticket 3'];
  await printed(start(['worker-fleet.ts', 'add', ...titles], env));
  const texts = await Promise.all([1, 2].map(() => printed(start(['worker-fleet.ts', 'work'], env))));
  const lines = texts.join('').split('\n').filter(Boolean);
  // A worker that comes second prints the recorded answer; it does not ask again.
  expect([...new Set(lines.map((line) => line.slice(0, 8)))].sort()).toEqual(titles);
  expect(simulator.verdicts).toHaveLength(3);
  expect(refused()).toEqual([]);
});
