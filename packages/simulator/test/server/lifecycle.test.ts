import { describe, expect, test } from 'vitest';

import { createSimulator, type Verdict } from '../../src/index.ts';
import { APIS, least, post } from './client.ts';

describe('the log of verdicts', () => {
  test('has an entry for every request, written before its answer', async () => {
    await using simulator = await createSimulator({ now: () => 42 });
    await post(simulator, 'anthropic-messages');
    const broken = { ...least('openai-chat'), messages: [{ role: 'tool', tool_call_id: 'x', content: 'y' }] };
    await post(simulator, 'openai-chat', { body: broken, stream: true });
    await post(simulator, 'gemini', { path: '/v1beta/models/gemini-2.5-pro:generateContent?key=secret' });
    expect(simulator.verdicts).toMatchObject([
      {
        n: 1,
        at: 42,
        api: 'anthropic-messages',
        method: 'POST',
        path: '/v1/messages',
        status: 200,
        accepted: true,
        refusals: [],
        model: 'claude-sonnet-4-5',
        streaming: false,
      },
      {
        n: 2,
        api: 'openai-chat',
        status: 400,
        accepted: false,
        refusals: [{ row: 'oc-tool-orphan', pointer: '/messages/0' }],
        streaming: true,
      },
      { n: 3, api: 'gemini', path: '/v1beta/models/gemini-2.5-pro:generateContent', model: 'gemini-2.5-pro' },
    ]);
    expect(simulator.verdicts[0]).not.toHaveProperty('body');
    expect(JSON.stringify(simulator.verdicts)).not.toContain('secret');
  });

  test('calls listeners until they are taken away', async () => {
    const heard: Verdict[] = [];
    const later: number[] = [];
    await using simulator = await createSimulator({ onVerdict: (verdict) => heard.push(verdict) });
    await post(simulator, 'openai-chat');
    const stop = simulator.onVerdict(({ n }) => later.push(n));
    await post(simulator, 'openai-chat');
    stop();
    await post(simulator, 'openai-chat');
    expect(heard).toEqual(simulator.verdicts);
    expect(later).toEqual([2]);
  });

  test('keeps bodies when it is told to', async () => {
    await using simulator = await createSimulator({ keepBodies: true });
    await post(simulator, 'openai-chat');
    expect(simulator.verdicts[0]?.body).toEqual(least('openai-chat'));
  });

  test('keeps nothing when it is told to, and still calls listeners', async () => {
    let heard = 0;
    await using simulator = await createSimulator({ keepVerdicts: 0, onVerdict: () => heard++ });
    await post(simulator, 'openai-chat');
    await post(simulator, 'openai-chat');
    expect([simulator.verdicts, heard]).toEqual([[], 2]);
  });

  test('forgets the oldest when there are too many', async () => {
    await using simulator = await createSimulator({ keepVerdicts: 4 });
    for (let n = 0; n < 7; n++) await post(simulator, 'openai-chat');
    expect(simulator.verdicts.map(({ n }) => n)).toEqual([5, 6, 7]);
  });
});

describe('a simulator', () => {
  test('listens on loopback and names a base URL for each client', async () => {
    await using simulator = await createSimulator();
    expect(simulator.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const { url } = simulator;
    expect(simulator.baseUrls).toEqual({ anthropic: url, openai: `${url}/v1`, gemini: url });
  });

  test('takes the port it is given, and says when it is taken', async () => {
    await using first = await createSimulator();
    const port = Number(new URL(first.url).port);
    await expect(createSimulator({ port })).rejects.toThrow('EADDRINUSE');
  });

  test('closes at once in the middle of answers, and leaves no socket and no timer behind', async () => {
    const open = (): string[] =>
      process
        .getActiveResourcesInfo()
        .filter((name) => name === 'TCPServerWrap' || name === 'TCPSocketWrap' || name === 'Timeout');
    const before = open();
    const simulator = await createSimulator();
    const pending = ['stall', 'stall:0', 'drip:60000'].flatMap((fault) =>
      APIS.map(async (api) => {
        const response = await post(simulator, api, { stream: true, headers: { 'x-simulate': fault } });
        return response.text().then(
          () => 'whole',
          () => 'broken',
        );
      }),
    );
    await expect.poll(() => simulator.verdicts.length).toBe(pending.length);
    await simulator.close();
    expect(new Set(await Promise.all(pending))).toEqual(new Set(['broken']));
    await expect.poll(() => open().length).toBeLessThanOrEqual(before.length);
    await expect(post(simulator, 'openai-chat')).rejects.toThrow('fetch failed');
  });

  test('may be closed twice', async () => {
    const simulator = await createSimulator();
    await Promise.all([simulator.close(), simulator.close()]);
    await expect(simulator.close()).resolves.toBeUndefined();
  });

  test('answers many at once, each its own', async () => {
    await using simulator = await createSimulator({
      model: ({ body }) => ({ parts: [{ kind: 'text', text: JSON.stringify(body.messages) }] }),
    });
    const words = Array.from({ length: 60 }, (_, n) => `words ${n}`);
    const answers = await Promise.all(
      words.map(async (word) => (await post(simulator, 'openai-chat', { body: least('openai-chat', word) })).text()),
    );
    for (const [n, answer] of answers.entries()) expect(answer).toContain(`words ${n}\\`);
  });
});
