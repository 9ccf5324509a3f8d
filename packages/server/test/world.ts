import { createSimulator, type Simulator, type SimulatorOptions } from '@rethread/simulator';
import { afterEach } from 'vitest';

import { createProxy, type ProxyOptions, type RepairingProxy } from '../src/index.ts';

export type World = { readonly simulator: Simulator; readonly proxy: RepairingProxy };

export type Opens = <T extends AsyncDisposable>(one: T) => T;

/** Closes after each test what was opened in it, the newest first. */
export function usesOpened(): Opens {
  const opened: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
  });
  return (one) => {
    opened.unshift(one);
    return one;
  };
}

/** A simulator, and a proxy in front of it. */
export async function openWorld(
  opens: Opens,
  options: Partial<ProxyOptions> = {},
  simulated: SimulatorOptions = {},
): Promise<World> {
  const simulator = opens(await createSimulator({ keepBodies: true, seed: 1, ...simulated }));
  const proxy = opens(await createProxy({ upstreams: { sim: simulator.url }, ...options }));
  return { simulator, proxy };
}

export const key = 'sk-ant-test-key-0123456789';

const tools = [{ name: 'read', input_schema: { type: 'object' } }];

export const user = (content: unknown): object => ({ role: 'user', content });

export const callOf = (id: string): object => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'read', input: {} }],
});

export const healthy = { model: 'claude-sonnet-4-5', max_tokens: 100, tools, messages: [user('Hi. 🙂')] };

/** A request with a call that nothing answers. */
export const broken = { ...healthy, messages: [user('Read it.'), callOf('toolu_1'), user('Are you there?')] };

export const headers = { 'content-type': 'application/json', 'x-api-key': key, 'anthropic-version': '2023-06-01' };

export function post(url: string, body: unknown, more: RequestInit = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body), ...more });
}
