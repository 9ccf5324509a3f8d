import { createAnthropic } from '@ai-sdk/anthropic';
import { call, reasoning, reply } from '@rethread/simulator';
import { open } from '@rethread/store';
import { describe, expect, test } from 'vitest';

import { KEY, useSimulator } from '../../simulator/test/clients/surroundings.ts';
import { createAgent, noTracing, tool, type Agent, type ModelPort } from '../src/index.ts';
import { aiSdk } from '../src/ports/ai-sdk.ts';
import { anthropic } from '../src/ports/anthropic.ts';

const simulator = useSimulator();

const PORTS: Readonly<Record<string, () => ModelPort>> = {
  anthropic: () =>
    anthropic({
      model: 'claude-sonnet-5',
      apiKey: KEY,
      baseURL: simulator().baseUrls.anthropic,
    }),
  'the AI SDK, which joins messages': () =>
    aiSdk({
      modelId: 'claude-sonnet-4-5',
      model: (fetch) => createAnthropic({ apiKey: KEY, baseURL: `${simulator().url}/v1`, fetch })('claude-sonnet-4-5'),
    }),
};

const THOUGHT = 'One thing after the other, and none of them in haste.';

async function agentOn(port: () => ModelPort): Promise<Agent> {
  const store = await open('memory:');
  const look = tool({ effect: 'read', run: () => 'seen' });
  return createAgent({ store, model: port(), tools: { look }, tracing: noTracing, env: {} });
}

/**
 * Steps with thinking and tools, and an answer to each question. A doubled event damages the thinking in the stream.
 */
const script = (turns: number): void =>
  simulator().script(
    ...Array.from({ length: turns }, (_, turn) => [
      reply(reasoning(THOUGHT), 'Looking.', call('look', { turn })),
      reply(reasoning(THOUGHT), `Answer ${turn + 1}.`),
    ]).flat(),
  );

describe.each(Object.entries(PORTS))('a history that is refused, by %s,', (_, port) => {
  test('for one block after another stays sendable, whichever is reported first', async () => {
    const agent = await agentOn(port);
    script(4);
    // Each stream may damage its thinking, and each refusal costs one request; everything else must be correct.
    simulator().inject('duplicate:4@1');
    simulator().inject('duplicate:4@3');
    simulator().inject('duplicate:4@6');
    const ends: string[] = [];
    for (let turn = 1; turn <= 4; turn += 1) ends.push((await agent.run('s', `Question ${turn}.`).result).text);
    expect(ends).toEqual(['Answer 1.', 'Answer 2.', 'Answer 3.', 'Answer 4.']);
    expect(simulator().verdicts.filter(({ accepted }) => !accepted).length).toBeGreaterThan(1);
    expect(simulator().verdicts.at(-1)?.accepted).toBe(true);
  });

  test('at an index that repairs have moved is repaired in the right place', async () => {
    const agent = await agentOn(port);
    script(2);
    simulator().inject('duplicate:4@2');
    // Text that is no separate message for the provider, so that it counts differently.
    const blank = { role: 'user', content: [] };
    const asked = { role: 'user', content: 'Question 1.' };
    await agent.run('s', [blank, asked, { role: 'assistant', content: [] }, blank]).result;
    await expect(agent.run('s', 'Question 2.').result).resolves.toMatchObject({ text: 'Answer 2.' });
    expect(simulator().verdicts.map(({ accepted }) => accepted)).toEqual([true, true, false, true, true]);
  });
});
