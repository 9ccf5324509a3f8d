import { call, reasoning, reply } from '@rethread/simulator';
import { open } from '@rethread/store';
import { describe, expect, test } from 'vitest';

import { KEY, useSimulator } from '../../../simulator/test/clients/surroundings.ts';
import { createAgent, noTracing, tool, type AgentOptions, type LogLine, type ModelPort } from '../../src/index.ts';
import { anthropic } from '../../src/ports/anthropic.ts';
import { openaiChat } from '../../src/ports/openai.ts';

const simulator = useSimulator({ keepBodies: true });

const claude = (): ModelPort =>
  anthropic({
    model: 'claude-sonnet-4-5',
    apiKey: KEY,
    baseURL: simulator().baseUrls.anthropic,
    params: { thinking: { type: 'enabled', budget_tokens: 1024 } },
  });

const look = tool({ effect: 'read', run: () => 'seen' });
const base = { tools: { look }, tracing: noTracing, env: {} } as const;
const step = (): ReturnType<typeof reply> => reply(reasoning('Only a look can tell.'), 'Looking.', call('look', {}));

const modes = (): unknown[] =>
  simulator()
    .verdicts.filter(({ api }) => api === 'anthropic-messages')
    .map(({ body }) => (body as { thinking?: { type?: string } }).thinking?.type);

describe('manual thinking', () => {
  test('is off for the rest of a turn of another model, and on again in the next', async () => {
    const store = await open('memory:');
    simulator().script(step(), 'Seen.', reply(reasoning('At last.'), 'Again.'));
    const chat = openaiChat({ model: 'gpt-4.1', apiKey: KEY, baseURL: simulator().baseUrls.openai });
    const stopped = createAgent({ ...base, store, model: chat, maxSteps: 1 } satisfies AgentOptions);
    await expect(stopped.run('s', 'Look.').result).rejects.toMatchObject({ code: 'too-many-steps' });
    const lines: LogLine[] = [];
    const agent = createAgent({ ...base, store, model: claude(), logger: (line) => void lines.push(line) });
    await expect(agent.run('s').result).resolves.toMatchObject({ text: 'Seen.' });
    await expect(agent.run('s', 'And now?').result).resolves.toMatchObject({ text: 'Again.' });
    expect(modes()).toEqual(['disabled', 'enabled']);
    expect(lines.filter(({ event }) => event === 'thinking-is-off')).toHaveLength(1);
    expect(simulator().verdicts.every(({ accepted }) => accepted)).toBe(true);
  });

  test('is off if the thinking was damaged on its way, and stays on otherwise', async () => {
    const store = await open('memory:');
    simulator().script(step(), step(), 'Seen.');
    simulator().inject('duplicate:4@2');
    const agent = createAgent({ ...base, store, model: claude() });
    await expect(agent.run('s', 'Look.').result).resolves.toMatchObject({ text: 'Seen.' });
    expect(modes()).toEqual(['enabled', 'enabled', 'enabled', 'disabled']);
    expect(simulator().verdicts.map(({ accepted }) => accepted)).toEqual([true, true, false, true]);
  });
});
