import { setTimeout as pause } from 'node:timers/promises';

import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { generateText } from 'ai';
import OpenAI from 'openai';

import { createSimulator } from '../../src/index.ts';

const key = 'key';
const simulator = await createSimulator({ faults: 'stall:3@6-' });
const { anthropic, gemini, openai } = simulator.baseUrls;
const user = { role: 'user' as const, content: 'hi' };
const asked = { model: 'claude-sonnet-5', max_tokens: 9, messages: [user] };
const clients = {
  anthropic: new Anthropic({ apiKey: key, authToken: null, baseURL: anthropic, maxRetries: 0 }),
  openai: new OpenAI({ apiKey: key, baseURL: openai, maxRetries: 0 }),
  gemini: new GoogleGenAI({ apiKey: key, enterprise: false, httpOptions: { baseUrl: gemini } }),
  sdk: createAnthropic({ apiKey: key, baseURL: `${simulator.url}/v1` })(asked.model),
};

await clients.anthropic.messages.create(asked);
await clients.openai.chat.completions.create({ model: 'gpt-4.1', messages: [user] });
await clients.openai.responses.create({ model: 'gpt-5', input: 'hi' });
await clients.gemini.models.generateContent({ model: 'gemini-2.5-pro', contents: 'hi' });
await generateText({ model: clients.sdk, messages: [user], maxRetries: 0 });

// The rest waits in the middle of an answer until the simulator is closed.
const stalled: Promise<unknown>[] = [
  clients.anthropic.messages.stream(asked).finalMessage(),
  clients.openai.chat.completions.stream({ model: 'gpt-4.1', messages: [user], stream: true }).finalContent(),
  clients.openai.responses.stream({ model: 'gpt-5', input: 'hi' }).finalResponse(),
];
const settled = Promise.allSettled(stalled);
while (simulator.verdicts.length < 8) await pause(5);
await simulator.close();
const broken = (await settled).filter(({ status }) => status === 'rejected').length;
process.stdout.write(JSON.stringify({ requests: simulator.verdicts.length, broken }));
