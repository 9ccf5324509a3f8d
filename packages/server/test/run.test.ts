import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createSimulator } from '@rethread/simulator';
import { afterAll, describe, expect, test } from 'vitest';

import { runBehindProxy } from '../src/index.ts';
import { toolOf } from '../src/run/tools.ts';
import type { Bases, Redirection } from '../src/run/tool.ts';

const folder = mkdtempSync(join(tmpdir(), 'rethread-run-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Given = { readonly env?: Readonly<Record<string, string>>; readonly files?: Readonly<Record<string, string>> };

/** Where a tool would send its requests, and what makes it send them to `http://proxy/<name>`. */
const route = async (
  command: string,
  { env = {}, files = {} }: Given,
): Promise<{ bases: Bases; told: Redirection }> => {
  const readText = async (path: string): Promise<string | undefined> => files[path];
  const { bases, redirect } = await toolOf(command).route({ env, home: '/h', cwd: '/w', readText });
  const others = Object.fromEntries(Object.keys(bases).map((name) => [name, `http://proxy/${name}`]));
  return { bases, told: await redirect(others, folder) };
};

describe('codex', () => {
  const config = '/h/.codex/config.toml';
  const auth = '/h/.codex/auth.json';
  const custom =
    'model = "x"\nmodel_provider = "sim"\n[model_providers.other]\nbase_url = "https://other"\n[model_providers.sim]\nname = "s"\nbase_url = \'https://sim.example/v1\'\n';

  test.each([
    ['a key', {}, 'https://api.openai.com/v1'],
    [
      'a subscription',
      { files: { [auth]: '{"OPENAI_API_KEY":null,"tokens":{"id":"x"}}' } },
      'https://chatgpt.com/backend-api/codex',
    ],
    ['both', { files: { [auth]: '{"OPENAI_API_KEY":"sk-x","tokens":{"id":"x"}}' } }, 'https://api.openai.com/v1'],
    ['a variable', { env: { OPENAI_BASE_URL: 'https://v.example/v1' } }, 'https://v.example/v1'],
    ['a setting', { files: { [config]: 'openai_base_url = "https://s.example/v1"' } }, 'https://s.example/v1'],
  ] as const)('with %s', async (_, given, base) => {
    const { bases, told } = await route('/usr/bin/codex', given);
    expect(bases).toEqual({ codex: base });
    expect(told).toEqual({ args: ['-c', 'openai_base_url="http://proxy/codex"'] });
  });

  test('with a provider of its own, and with one that has no address', async () => {
    const { bases, told } = await route('codex', { files: { [config]: custom } });
    expect(bases).toEqual({ codex: 'https://sim.example/v1' });
    expect(told).toEqual({ args: ['-c', 'model_providers.sim.base_url="http://proxy/codex"'] });
    const local = await route('codex', { files: { [config]: 'model_provider = "ollama"\n' } });
    expect(local.bases).toEqual({});
  });
});

test('opencode is told for every provider that is configured or has a key', async () => {
  const text = `{
    // A comment with "quotes", and a trailing comma.
    "provider": { "my llm": { "options": { "baseURL": "https://llm.example//v1", "apiKey": "k" } }, "bare": {}, },
  }`;
  const { bases, told } = await route('opencode', {
    files: {
      '/h/.config/opencode/opencode.jsonc': text,
      '/h/.local/share/opencode/auth.json': '{"openai":{"type":"oauth"}}',
    },
    env: {
      ANTHROPIC_API_KEY: 'k',
      OPENCODE_CONFIG_CONTENT: '{"theme":"x","provider":{"anthropic":{"options":{"timeout":1}}}}',
    },
  });
  expect(bases).toEqual({ anthropic: 'https://api.anthropic.com/v1', 'provider-1': 'https://llm.example//v1' });
  expect(JSON.parse(told.env?.['OPENCODE_CONFIG_CONTENT'] ?? '')).toEqual({
    theme: 'x',
    provider: {
      anthropic: { options: { timeout: 1, baseURL: 'http://proxy/anthropic' } },
      'my llm': { options: { baseURL: 'http://proxy/provider-1' } },
    },
  });
});

test('pi gets an extension that replaces the addresses of its providers', async () => {
  const models = JSON.stringify({ providers: { local: { baseUrl: 'http://127.0.0.1:8080/v1' }, anthropic: {} } });
  const { bases, told } = await route('pi', { files: { '/h/.pi/agent/models.json': models } });
  expect(bases).toMatchObject({ anthropic: 'https://api.anthropic.com', local: 'http://127.0.0.1:8080/v1' });
  const [flag, path = ''] = told.args ?? [];
  expect(flag).toBe('--extension');
  expect(readFileSync(path, 'utf8')).toContain('pi.registerProvider("local", {"baseUrl":"http://proxy/local"});');
});

describe('tools that read variables', () => {
  test.each([
    ['claude', {}, { ANTHROPIC_BASE_URL: 'http://proxy/anthropic' }],
    ['gemini', {}, { GOOGLE_GEMINI_BASE_URL: 'http://proxy/gemini' }],
    ['qwen', { OPENAI_API_KEY: 'k' }, { OPENAI_BASE_URL: 'http://proxy/openai' }],
    ['kimi', {}, { KIMI_BASE_URL: 'http://proxy/kimi' }],
    [
      'kimi',
      { KIMI_MODEL_NAME: 'm' },
      { KIMI_BASE_URL: 'http://proxy/kimi', KIMI_MODEL_BASE_URL: 'http://proxy/model' },
    ],
  ])('%s with %j', async (command, env, expected) => {
    expect((await route(command, { env })).told.env).toEqual(expected);
  });

  test('go where they would have gone', async () => {
    const { bases } = await route('claude', { env: { ANTHROPIC_BASE_URL: 'https://gateway.example/anthropic' } });
    expect(bases).toEqual({ anthropic: 'https://gateway.example/anthropic' });
    const kimi = await route('kimi', { env: { KIMI_MODEL_NAME: 'm', KIMI_MODEL_PROVIDER_TYPE: 'anthropic' } });
    expect(kimi.bases['model']).toBe('https://api.anthropic.com');
  });
});

describe('a command behind the proxy', () => {
  const program = `
    const body = JSON.stringify({ model: 'gpt-4.1', messages: [
      { role: 'user', content: 'Read it.' },
      { role: 'assistant', tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } } ] },
      { role: 'user', content: 'Are you there?' } ] });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-x' };
    fetch(process.env.LLM_URL + '/chat/completions', { method: 'POST', headers, body })
      .then(({ status }) => process.exit(status === 200 ? 3 : 4));`;

  test('has its requests repaired, and gives its exit code', async () => {
    const simulator = await createSimulator();
    const backedUp: string[] = [];
    const outcome = await runBehindProxy([process.execPath, '-e', program], {
      variables: { LLM_URL: `${simulator.url}/v1` },
      beforeStart: async (command) => void backedUp.push(command),
    });
    expect(outcome.code).toBe(3);
    expect(outcome.statistics).toMatchObject({ exchanges: 1, endings: { repaired: 1 } });
    expect(backedUp).toEqual([process.execPath]);
    await simulator.close();
  });

  test('gives the signal that ended it as a number', async () => {
    const { code } = await runBehindProxy([process.execPath, '-e', 'process.kill(process.pid, "SIGTERM")']);
    expect(code).toBe(128 + 15);
  });

  test('does not start if it is missing, or if the work before it fails', async () => {
    await expect(runBehindProxy(['no-such-command-here'])).rejects.toThrow('ENOENT');
    const beforeStart = (): Promise<never> => Promise.reject(new Error('no room for a backup'));
    await expect(runBehindProxy([process.execPath, '-e', ''], { beforeStart })).rejects.toThrow('no room');
    await expect(runBehindProxy(['x'], { variables: { A: 'nonsense' } })).rejects.toThrow('is not a base URL');
  });
});
