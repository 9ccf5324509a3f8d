import { describe, expect, test } from 'vitest';

import {
  call,
  createSimulator,
  reply,
  scripted,
  seeded,
  type ApiName,
  type Model,
  type Simulator,
} from '../../src/index.ts';
import { APIS, least, post, postEvents, postJson } from './client.ts';
import { toolsFor, type Conversation, talk } from './talk.ts';

describe('a script', () => {
  test('is said line by line, and its end is a clear error that is not worth a retry', async () => {
    await using simulator = await createSimulator();
    simulator.script('one', () => reply('two'));
    const texts: unknown[] = [];
    for (let n = 0; n < 2; n++) texts.push((await postJson(simulator, 'anthropic-messages')).content);
    expect(texts).toEqual([[{ type: 'text', text: 'one' }], [{ type: 'text', text: 'two' }]]);
    const response = await post(simulator, 'anthropic-messages');
    expect(response.status).toBe(422);
    expect(await response.text()).toContain('the script has run out: it holds 2 replies, and one more was asked for');
    expect(simulator.verdicts.at(-1)).toMatchObject({ status: 422, accepted: true });
  });

  test('gives way to the model when it is over', async () => {
    await using simulator = await createSimulator({ model: () => reply('from the model') });
    simulator.script('from the script');
    expect(JSON.stringify(await postJson(simulator, 'openai-chat'))).toContain('from the script');
    expect(JSON.stringify(await postJson(simulator, 'openai-chat'))).toContain('from the model');
  });

  test('as a model may repeat its last line', async () => {
    await using simulator = await createSimulator({ model: scripted(['a', 'b'], { atEnd: 'repeat' }) });
    const texts: string[] = [];
    for (let n = 0; n < 4; n++) {
      const { content } = await postJson(simulator, 'anthropic-messages');
      texts.push((content as { text: string }[])[0]?.text ?? '');
    }
    expect(texts).toEqual(['a', 'b', 'b', 'b']);
  });

  test('loses no line to a request that is refused or fails', async () => {
    await using simulator = await createSimulator({ faults: '529@2' });
    simulator.script('the only line');
    expect((await post(simulator, 'openai-chat', { body: { ...least('openai-chat'), messages: [] } })).status).toBe(
      400,
    );
    expect((await post(simulator, 'openai-chat')).status).toBe(503);
    expect(JSON.stringify(await postJson(simulator, 'openai-chat'))).toContain('the only line');
  });
});

describe('a model', () => {
  test('may take its time', async () => {
    const model: Model = async ({ n }) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return reply(`number ${n}`);
    };
    await using simulator = await createSimulator({ model });
    expect(JSON.stringify(await postJson(simulator, 'gemini'))).toContain('number 1');
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('out of order');
      },
    ],
    ['rejects', () => Promise.reject(new Error('out of order'))],
  ] as [string, Model][])('that %s is a server error which says so', async (_how, model) => {
    await using simulator = await createSimulator({ model });
    const response = await post(simulator, 'openai-responses');
    expect(response.status).toBe(500);
    expect(await response.text()).toContain('the model threw: out of order');
  });

  test('may answer a client that is gone', async () => {
    let answer: (() => void) | undefined;
    const model: Model = () => new Promise((resolve) => (answer = () => resolve(reply('too late'))));
    await using simulator = await createSimulator({ model });
    const leaving = new AbortController();
    const asked = fetch(`${simulator.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer key' },
      body: JSON.stringify(least('openai-chat')),
      signal: leaving.signal,
    });
    await expect.poll(() => answer).toBeDefined();
    leaving.abort();
    await expect(asked).rejects.toThrow('aborted');
    answer?.();
    await expect.poll(() => simulator.verdicts.length).toBe(1);
  });

  test.each(APIS)('sees the tools, the turn and the step: %s', async (api) => {
    const seen: unknown[] = [];
    const model: Model = ({ tools, turn, step }) => {
      seen.push([tools.map(({ name }) => name), turn, step]);
      return step === 0 ? reply(call('read', { path: 'a' })) : reply('done');
    };
    await using simulator = await createSimulator({ model });
    await talk(simulator, api, { turns: 2 });
    expect(seen).toEqual([
      [['read', 'search'], 1, 0],
      [['read', 'search'], 1, 1],
      [['read', 'search'], 2, 0],
      [['read', 'search'], 2, 1],
    ]);
  });
});

describe('a seeded model', () => {
  const replay = async (api: ApiName, seed: number): Promise<Conversation> => {
    await using simulator = await createSimulator({ model: seeded(seed), seed: 1, now: () => 0 });
    return await talk(simulator, api, { turns: 3 });
  };

  test.each(APIS)('holds whole conversations that the judge accepts: %s', async (api) => {
    const seen = { calls: 0, parallel: 0, steps: 0 };
    for (let seed = 1; seed <= 12; seed++) {
      const { refusals, steps } = await replay(api, seed);
      expect(refusals, `seed ${seed}`).toEqual([]);
      for (const { calls } of steps) {
        seen.calls += calls.length;
        seen.parallel += calls.length > 1 ? 1 : 0;
      }
      seen.steps += steps.length;
    }
    expect(seen.calls).toBeGreaterThan(20);
    expect(seen.parallel).toBeGreaterThan(2);
    expect(seen.steps).toBeGreaterThan(36);
  });

  test.each(APIS)('says the same for the same seed and something else for another: %s', async (api) => {
    const first = await replay(api, 5);
    expect(await replay(api, 5)).toEqual(first);
    expect(await replay(api, 6)).not.toEqual(first);
  });

  test('calls tools with input that fits their schema', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { steps } = await replay('openai-chat', seed);
      for (const { name, input } of steps.flatMap(({ calls }) => calls)) {
        if (name === 'read') {
          expect(input).toMatchObject({ path: expect.any(String) });
          expect([undefined, 'utf8', 'latin1']).toContain(input.encoding);
        } else {
          expect(Array.isArray(input.words)).toBe(true);
          expect((input.words as unknown[]).length).toBeGreaterThanOrEqual(1);
          expect(Number.isInteger(input.limit) && (input.limit as number) >= 5 && (input.limit as number) <= 9).toBe(
            true,
          );
        }
      }
    }
  });

  test('calls what it must call, and nothing where it must not', async () => {
    await using simulator = await createSimulator({ model: seeded(1) });
    const asked = (choice: unknown): Promise<unknown> =>
      postJson(simulator, 'openai-chat', {
        body: { ...least('openai-chat'), tools: toolsFor('openai-chat'), tool_choice: choice },
      });
    expect(await asked({ type: 'function', function: { name: 'search' } })).toMatchObject({
      choices: [{ message: { tool_calls: [{ function: { name: 'search' } }] } }],
    });
    expect(await asked('required')).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] });
    for (let n = 0; n < 5; n++) expect(await asked('none')).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
  });

  test('reasons only when it is asked to', async () => {
    const thinks = async (simulator: Simulator, extra: object): Promise<boolean> => {
      const body = { ...least('anthropic-messages'), ...extra };
      return (await postEvents(simulator, 'anthropic-messages', { body })).some(({ data }) =>
        data.includes('thinking'),
      );
    };
    let thought = 0;
    for (let seed = 1; seed <= 5; seed++) {
      await using simulator = await createSimulator({ model: seeded(seed) });
      expect(await thinks(simulator, {})).toBe(false);
      thought += (await thinks(simulator, { thinking: { type: 'adaptive' } })) ? 1 : 0;
    }
    expect(thought).toBeGreaterThan(2);
  });
});
