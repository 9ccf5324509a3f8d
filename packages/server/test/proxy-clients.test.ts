import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';

import { openWorld, usesOpened } from './world.ts';

const opens = usesOpened();

const apiKey = 'sk-test-0123456789abcdef';
const parameters = { type: 'object' as const, properties: {} };
const question = { role: 'user' as const, content: 'Read it.' };
const again = { role: 'user' as const, content: 'Are you there?' };

/** Official clients with a history that is refused; each gives what the model says, whole and streamed. */
const clients: readonly (readonly [name: string, ask: (url: string, stream: boolean) => Promise<string>])[] = [
  [
    'Anthropic',
    async (url, stream) => {
      const client = new Anthropic({ apiKey, authToken: null, baseURL: url, maxRetries: 0 });
      const request = {
        model: 'claude-sonnet-5',
        max_tokens: 100,
        tools: [{ name: 'read', input_schema: parameters }],
        messages: [
          question,
          {
            role: 'assistant' as const,
            content: [{ type: 'tool_use' as const, id: 'toolu_1', name: 'read', input: {} }],
          },
          again,
        ],
      };
      if (!stream) return JSON.stringify((await client.messages.create(request)).content);
      return client.messages.stream(request).finalText();
    },
  ],
  [
    'OpenAI, chat completions',
    async (url, stream) => {
      const client = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });
      const request = {
        model: 'gpt-4.1',
        tools: [{ type: 'function' as const, function: { name: 'read', parameters } }],
        messages: [
          question,
          {
            role: 'assistant' as const,
            content: null,
            tool_calls: [{ id: 'call_1', type: 'function' as const, function: { name: 'read', arguments: '{}' } }],
          },
          again,
        ],
      };
      if (!stream) return (await client.chat.completions.create(request)).choices[0]?.message.content ?? '';
      let text = '';
      for await (const { choices } of await client.chat.completions.create({ ...request, stream: true })) {
        text += choices[0]?.delta.content ?? '';
      }
      return text;
    },
  ],
  [
    'OpenAI, responses',
    async (url, stream) => {
      const client = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });
      const called = { type: 'function_call' as const, call_id: 'call_1', name: 'read', arguments: '{}' };
      const request = { model: 'gpt-5.1', store: false, input: [question, called, again] };
      if (!stream) return (await client.responses.create(request)).output_text;
      let text = '';
      for await (const event of await client.responses.create({ ...request, stream: true })) {
        if (event.type === 'response.output_text.delta') text += event.delta;
      }
      return text;
    },
  ],
  [
    'Gemini',
    async (url, stream) => {
      const client = new GoogleGenAI({ apiKey, enterprise: false, httpOptions: { baseUrl: url } });
      const request = {
        model: 'gemini-2.5-pro',
        contents: [
          { role: 'user', parts: [{ text: 'Read it.' }] },
          { role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] },
          { role: 'user', parts: [{ text: 'Are you there?' }] },
        ],
        config: { tools: [{ functionDeclarations: [{ name: 'read' }] }] },
      };
      if (!stream) return (await client.models.generateContent(request)).text ?? '';
      let text = '';
      for await (const chunk of await client.models.generateContentStream(request)) text += chunk.text ?? '';
      return text;
    },
  ],
];

describe.each(clients)('%s', (_, ask) => {
  test.each([
    ['whole', false],
    ['streamed', true],
  ])('is refused without the proxy and answered with it, %s', async (_way, stream) => {
    const { simulator, proxy } = await openWorld(opens);
    await expect(ask(simulator.url, stream)).rejects.toThrow(/400|INVALID_ARGUMENT/);
    expect(await ask(proxy.urlOf('sim'), stream)).toContain('This is the simulated model.');
    expect(proxy.log.entries).toMatchObject([{ ending: 'repaired', status: 200 }]);
  });
});
