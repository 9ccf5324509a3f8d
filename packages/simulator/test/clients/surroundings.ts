import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';

import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/index.ts';

/** The only key the simulator of a test accepts. */
export const KEY = 'sk-simulated-key-0001';

/** The official clients read keys, base URLs and headers from variables with these names. */
const READ_BY_CLIENTS = /^(?:AI_GATEWAY|ANTHROPIC|GEMINI|GOOGLE|OPENAI|VERCEL)_|^AI_SDK_/;

/** Takes away what the clients would read from the environment, until the tests of the file are over. */
export function useScrubbedEnvironment(): void {
  const kept: Record<string, string | undefined> = {};
  beforeAll(() => {
    for (const name of Object.keys(process.env).filter((each) => READ_BY_CLIENTS.test(each))) {
      kept[name] = process.env[name];
      delete process.env[name];
    }
  });
  afterAll(() => {
    for (const [name, value] of Object.entries(kept)) process.env[name] = value;
  });
}

/** Sockets, servers and timers that keep this process alive. */
const openResources = (): string[] =>
  process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP') || name === 'Timeout');

/** What is open beyond the baseline. */
function leftOver(baseline: readonly string[]): string[] {
  const left = openResources();
  for (const name of baseline) {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** The same, once what only needs a moment to close has had it. */
async function leftOverAtLast(baseline: readonly string[]): Promise<string[]> {
  for (let tries = 0; tries < 200 && leftOver(baseline).length > 0; tries += 1) await pause(10);
  return leftOver(baseline);
}

/**
 * A simulator of its own for each test, with nothing for clients to read in the environment. After each test it is
 * closed, and then the process must hold no socket, server or timer that it did not hold before.
 */
export function useSimulator(options: SimulatorOptions = {}): () => Simulator {
  let simulator: Simulator;
  let before: readonly string[];
  useScrubbedEnvironment();
  beforeEach(async () => {
    before = openResources();
    simulator = await createSimulator({ key: KEY, ...options });
  });
  afterEach(async () => {
    expect(leftOver(before), 'a simulator that listens is seen').toContain('TCPServerWrap');
    await simulator.close();
    expect(await leftOverAtLast(before), 'what is open after close()').toEqual([]);
  });
  return () => simulator;
}

/** What a promise was rejected with; one that is fulfilled fails the test. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** Everything an async iterable yields before it ends or throws, and what it throws. */
export async function drain<T>(stream: AsyncIterable<T>): Promise<{ seen: T[]; error: unknown }> {
  const seen: T[] = [];
  try {
    for await (const each of stream) seen.push(each);
    return { seen, error: undefined };
  } catch (error) {
    return { seen, error };
  }
}
