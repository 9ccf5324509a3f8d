import { ChatAnthropic } from '@langchain/anthropic';
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import type { Report } from '@rethread/core';
import { call, reply } from '@rethread/simulator';
import { createAgent, tool } from 'langchain';
import { describe, expect, test } from 'vitest';

import { KEY, rejection, useSimulator } from '../../simulator/test/clients/surroundings.ts';
import { repairingMiddleware, repairMessages } from '../src/langchain.ts';

const simulator = useSimulator({ keepBodies: true });

const MODELS = [
  [
    'Anthropic',
    () => new ChatAnthropic({ model: 'claude-sonnet-5', apiKey: KEY, anthropicApiUrl: simulator().url, maxRetries: 0 }),
  ],
  [
    'OpenAI',
    () =>
      new ChatOpenAI({
        model: 'gpt-4.1',
        apiKey: KEY,
        configuration: { baseURL: simulator().baseUrls.openai },
        maxRetries: 0,
      }),
  ],
] as const;

const read = tool(({ path }: { path: string }) => `text of ${path}`, {
  name: 'read',
  description: 'reads a file',
  schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
});

const asked = (): AIMessage =>
  new AIMessage({
    content: '',
    tool_calls: [{ name: 'read', args: { path: 'a.md' }, id: 'call_1', type: 'tool_call' }],
  });
const answered = (): ToolMessage => new ToolMessage({ content: 'hello', tool_call_id: 'call_1', name: 'read' });
const question = (): HumanMessage => new HumanMessage('What does it say?');
const again = (): HumanMessage => new HumanMessage('Are you still there?');

const BROKEN: readonly (readonly [string, () => BaseMessage[], string])[] = [
  ['an open call', () => [question(), asked(), again()], 'call-without-result'],
  ['a result without its call', () => [question(), answered(), again()], 'result-without-call'],
  ['a result behind the next question', () => [question(), asked(), again(), answered()], 'result-displaced'],
];

type Agent = ReturnType<typeof createAgent>;

/** The last text of an agent, asked whole or streamed. */
async function textOf(agent: Agent, messages: BaseMessage[], how: string): Promise<string> {
  if (how === 'whole') return String((await agent.invoke({ messages })).messages.at(-1)?.text);
  let text = '';
  for await (const [piece] of await agent.stream({ messages }, { streamMode: 'messages' })) text += piece.text;
  return text;
}

describe.each(MODELS)('an agent on %s', (_name, model) => {
  const agentOf = (...middleware: ReturnType<typeof repairingMiddleware>[]): Agent =>
    createAgent({ model: model(), tools: [read], middleware });

  describe.each(['whole', 'streamed'])('%s', (how) => {
    test.each(BROKEN)('%s is refused', async (_what, messages) => {
      expect(await rejection(textOf(agentOf(), messages(), how))).toMatchObject({ status: 400 });
    });

    test.each(BROKEN)('%s is repaired by the middleware', async (_what, messages, rule) => {
      simulator().script('I am.');
      const reports: Report[] = [];
      const agent = agentOf(repairingMiddleware({ onReport: (report) => reports.push(report) }));
      expect(await textOf(agent, messages(), how)).toBe('I am.');
      expect(reports.map(({ findings }) => findings[0]?.rule)).toEqual([rule]);
      expect(simulator().verdicts.map(({ accepted }) => accepted)).toEqual([true]);
    });
  });

  test('tools are run, the agent goes on after a repair, and its state is not rewritten', async () => {
    simulator().script(reply('Once more.', call('read', { path: 'a.md' })), 'It says hello.');
    const given = [question(), asked(), again()];
    const { messages } = await agentOf(repairingMiddleware()).invoke({ messages: given });
    expect(messages.map((message: BaseMessage) => message.type)).toEqual(['human', 'ai', 'human', 'ai', 'tool', 'ai']);
    expect(messages.at(-1)?.text).toBe('It says hello.');
    expect(simulator().verdicts.map(({ refusals }) => refusals)).toEqual([[], []]);
  });

  test('a model without an agent takes repaired messages', async () => {
    simulator().script('I am.');
    const { messages, report } = repairMessages([question(), asked(), again()], { model: model().model });
    expect(report.verdict).toBe('repaired');
    expect(messages.every((message) => ToolMessage.isInstance(message) || message.getType() !== 'tool')).toBe(true);
    expect((await model().bindTools([read]).invoke(messages)).text).toBe('I am.');
  });
});

test('what is right comes back as the same list', () => {
  const healthy = [question(), asked(), answered(), again()];
  const reports: Report[] = [];
  expect(repairMessages(healthy, { onReport: (report) => reports.push(report) }).messages).toBe(healthy);
  expect(reports).toEqual([]);
});

test('evidence and policy are chosen as in the core', () => {
  const broken = [question(), asked(), again()];
  const { messages } = repairMessages(broken, { evidence: { call_1: 'aborted' } });
  expect(messages[2]?.text).toContain('stopped by the user');
  expect(repairMessages(broken, { policy: 'discard' }).messages.map(({ type }) => type)).not.toContain('ai');
});
