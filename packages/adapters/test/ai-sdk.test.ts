import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import type { Report } from '@rethread/core';
import { call, reply } from '@rethread/simulator';
import {
  APICallError,
  convertToModelMessages,
  generateText,
  isStepCount,
  jsonSchema,
  streamText,
  tool,
  type LanguageModel,
  type ModelMessage,
  type UIMessage,
} from 'ai';
import { describe, expect, test } from 'vitest';

import { drain, KEY, rejection, useSimulator } from '../../simulator/test/clients/surroundings.ts';
import { repairingPrepareStep, repairModelMessages, repairUIMessages, type Step } from '../src/ai-sdk.ts';

const simulator = useSimulator({ keepBodies: true });
/** The body of the request that came last. */
const lastBody = (): unknown => simulator().verdicts.at(-1)?.body;

const openai = (): ReturnType<typeof createOpenAI> =>
  createOpenAI({ apiKey: KEY, baseURL: simulator().baseUrls.openai });
const MODELS: readonly (readonly [string, () => LanguageModel])[] = [
  ['Anthropic messages', () => createAnthropic({ apiKey: KEY, baseURL: `${simulator().url}/v1` })('claude-sonnet-5')],
  ['OpenAI chat', () => openai().chat('gpt-4.1')],
  ['OpenAI responses', () => openai().responses('gpt-5')],
];

const tools = {
  read: tool({
    inputSchema: jsonSchema<{ path: string }>({ type: 'object', properties: { path: { type: 'string' } } }),
    execute: ({ path }) => `text of ${path}`,
  }),
};

const QUESTION: ModelMessage = { role: 'user', content: 'What does it say?' };
const AGAIN: ModelMessage = { role: 'user', content: 'Are you still there?' };
const CALL: ModelMessage = {
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'read', input: { path: 'a.md' } }],
};
const RESULT: ModelMessage = {
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'call_1', toolName: 'read', output: { type: 'text', value: 'hello' } }],
};

/** Killed between a call and its result: the SDK itself refuses it. */
const OPEN: ModelMessage[] = [QUESTION, CALL, AGAIN];
/** A result whose call is gone: the SDK lets it pass, and the provider refuses it. */
const ORPHANED: ModelMessage[] = [QUESTION, RESULT, AGAIN];
const HEALTHY: ModelMessage[] = [QUESTION, CALL, RESULT, AGAIN];

/** What is common to every request of these tests. */
const settings = (model: () => LanguageModel) => ({ model: model(), tools, maxRetries: 0, stopWhen: isStepCount(3) });

/** The text of a streamed answer; what the SDK tells as an error is thrown. */
async function streamed(options: Parameters<typeof streamText>[0]): Promise<string> {
  const { seen, error } = await drain(streamText({ ...options, onError: () => undefined }).fullStream);
  const failed = seen.find(({ type }) => type === 'error');
  if (error !== undefined || failed !== undefined) throw error ?? (failed as { error: unknown }).error;
  return seen.map((part) => (part.type === 'text-delta' ? part.text : '')).join('');
}

describe.each(MODELS)('prepareStep, %s', (_name, model) => {
  test('without it the SDK refuses an open call, and the provider a result without its call', async () => {
    for (const ask of [generateText, streamed]) {
      const open = await rejection(ask({ ...settings(model), messages: OPEN }));
      expect(open).toMatchObject({ name: 'AI_MissingToolResultsError' });
      const orphaned = await rejection(ask({ ...settings(model), messages: ORPHANED }));
      expect(APICallError.isInstance(orphaned)).toBe(true);
      expect(orphaned).toMatchObject({ statusCode: 400 });
    }
  });

  test.each([
    ['an open call', OPEN, 'call-without-result'],
    ['a result without its call', ORPHANED, 'result-without-call'],
  ])('with it %s is repaired, whole and streamed', async (_what, messages, rule) => {
    simulator().script('I am.', 'I am.');
    const reports: Report[] = [];
    const prepareStep = repairingPrepareStep(undefined, { onReport: (report) => reports.push(report) });
    const { text } = await generateText({ ...settings(model), messages, prepareStep });
    expect([text, await streamed({ ...settings(model), messages, prepareStep })]).toEqual(['I am.', 'I am.']);
    expect(reports.map(({ findings }) => findings[0]?.rule)).toEqual([rule, rule]);
    expect(simulator().verdicts.map(({ accepted }) => accepted)).toEqual([true, true]);
  });
});

const anyModel = (): LanguageModel => openai().chat('gpt-4.1');

describe('a prepareStep of one’s own', () => {
  test('runs first: its messages are the ones that are repaired, and its settings are kept', async () => {
    simulator().script('I am.');
    const seen: number[] = [];
    const { text } = await generateText({
      ...settings(anyModel),
      messages: [QUESTION, ...OPEN],
      prepareStep: repairingPrepareStep(({ stepNumber, messages }) => {
        seen.push(stepNumber);
        return { messages: messages.slice(1), activeTools: [], temperature: 0.5 };
      }),
    });
    expect([text, seen]).toEqual(['I am.', [0]]);
    const body = lastBody() as { messages: unknown[]; temperature: number; tools?: unknown };
    expect(body).toMatchObject({ temperature: 0.5 });
    expect(body.tools).toBeUndefined();
    expect(body.messages).toHaveLength(4);
  });

  test('gets its own answer back when nothing is wrong', async () => {
    const answer = { temperature: 0.5 };
    const prepareStep = repairingPrepareStep((_step: Step) => answer);
    expect(await prepareStep({ messages: HEALTHY, model: 'gpt-4.1' })).toBe(answer);
    expect(await repairingPrepareStep()({ messages: HEALTHY, model: 'gpt-4.1' })).toBeUndefined();
  });

  test('that throws still does', async () => {
    const prepareStep = repairingPrepareStep((_step: Step) => Promise.reject(new Error('mine')));
    expect(await rejection(prepareStep({ messages: HEALTHY, model: 'gpt-4.1' }))).toMatchObject({ message: 'mine' });
  });
});

test('the steps of one run go on from what was repaired, and a system message that is allowed stays', async () => {
  simulator().script(reply(call('read', { path: 'b.md' })), 'Both say hello.');
  const messages: ModelMessage[] = [{ role: 'system', content: 'Be brief.' }, ...OPEN];
  const reports: Report[] = [];
  const { text, steps } = await generateText({
    ...settings(anyModel),
    messages,
    allowSystemInMessages: true,
    prepareStep: repairingPrepareStep(undefined, { onReport: (report) => reports.push(report) }),
  });
  expect([text, steps.length]).toEqual(['Both say hello.', 2]);
  expect(simulator().verdicts.map(({ accepted }) => accepted)).toEqual([true, true]);
  // The SDK carries the repaired messages forward, so the second step is clean.
  expect(reports).toHaveLength(1);
  const body = lastBody() as { messages: { role: string }[] };
  expect(body.messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'user',
    'assistant',
    'tool',
  ]);
});

describe('model messages before the SDK sees them', () => {
  test('what is right comes back as the same list', () => {
    const { messages, lifted, report } = repairModelMessages(HEALTHY);
    expect(messages).toBe(HEALTHY);
    expect([lifted, report.verdict]).toEqual([[], 'clean']);
  });

  test('a system message leaves the list unless it is allowed there', async () => {
    simulator().script('I am.', 'I am.');
    const stored: ModelMessage[] = [{ role: 'system', content: 'Be brief.' }, ...OPEN];
    const refused = await rejection(generateText({ ...settings(anyModel), messages: stored }));
    expect(refused).toMatchObject({ name: 'AI_InvalidPromptError' });
    const { messages, lifted } = repairModelMessages(stored, { model: 'gpt-4.1' });
    expect(lifted).toEqual([stored[0]]);
    const instructions = lifted.flatMap(({ content }) => (typeof content === 'string' ? content : [])).join('\n');
    expect((await generateText({ ...settings(anyModel), messages, instructions })).text).toBe('I am.');
    const allowed = repairModelMessages(stored, { model: 'gpt-4.1', allowSystemInMessages: true });
    expect([allowed.messages[0], allowed.lifted]).toEqual([stored[0], []]);
    const again = { ...settings(anyModel), messages: allowed.messages, allowSystemInMessages: true };
    expect((await generateText(again)).text).toBe('I am.');
  });

  test('evidence, policy and open calls are chosen as in the core', () => {
    const { messages } = repairModelMessages(OPEN, { evidence: { call_1: 'denied' } });
    expect(JSON.stringify(messages)).toContain('permission for this call was refused');
    expect(repairModelMessages(OPEN, { policy: 'discard' }).messages).not.toContainEqual(CALL);
    const waiting = repairModelMessages([QUESTION, CALL], { open: 'leave' });
    expect([waiting.report.verdict, waiting.messages]).toEqual(['waiting', [QUESTION, CALL]]);
  });
});

const ui = (role: 'user' | 'assistant', ...parts: UIMessage['parts']): UIMessage => ({
  id: `${role}-${parts.length}`,
  role,
  parts,
});
const says = (text: string): UIMessage['parts'][number] => ({ type: 'text', text });
const using = (part: object): UIMessage['parts'][number] =>
  ({
    type: 'tool-read',
    toolCallId: 'call_1',
    input: { path: 'a.md' },
    ...part,
  }) as unknown as UIMessage['parts'][number];

describe.each(MODELS)('messages of the user interface, %s', (_name, model) => {
  const conversation = (part: UIMessage['parts'][number]): UIMessage[] => [
    ui('user', says('What does it say?')),
    ui('assistant', { type: 'step-start' }, says('Let me look.'), part),
    ui('user', says('Are you still there?')),
  ];

  test('an open call is refused by the SDK, and sent once it is repaired', async () => {
    const broken = conversation(using({ state: 'input-available' }));
    for (const ask of [generateText, streamed]) {
      simulator().script('I am.');
      const asIs = ask({ ...settings(model), messages: await convertToModelMessages(broken) });
      expect(await rejection(asIs)).toMatchObject({ name: 'AI_MissingToolResultsError' });
      const { messages, report } = repairUIMessages(broken);
      expect(report.findings.map(({ rule }) => rule)).toEqual(['call-without-result']);
      const answer = await ask({ ...settings(model), messages: await convertToModelMessages(messages) });
      expect(typeof answer === 'string' ? answer : answer.text).toBe('I am.');
    }
    expect(simulator().verdicts.map(({ accepted }) => accepted)).toEqual([true, true]);
  });

  test.each([
    ['an output', { state: 'output-available', output: 'hello' }],
    ['an error', { state: 'output-error', errorText: 'no such file' }],
  ])('a call with %s is left alone', async (_what, part) => {
    simulator().script('I am.');
    const healthy = conversation(using(part));
    const { messages } = repairUIMessages(healthy);
    expect(messages).toBe(healthy);
    const { text } = await generateText({ ...settings(model), messages: await convertToModelMessages(messages) });
    expect(text).toBe('I am.');
  });
});

test('an approval that was given stays, so that the SDK runs the tool', async () => {
  simulator().script('It says hello.');
  const approved = [
    ui('user', says('What does it say?')),
    ui('assistant', using({ state: 'approval-responded', approval: { id: 'approval_1', approved: true } })),
  ];
  const { messages } = repairUIMessages(approved, { model: 'gpt-4.1' });
  const { text } = await generateText({ ...settings(anyModel), messages: await convertToModelMessages(messages) });
  expect([messages, text]).toEqual([approved, 'It says hello.']);
});
