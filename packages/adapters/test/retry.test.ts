import Anthropic from '@anthropic-ai/sdk';
import type { Report } from '@rethread/core';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';

import { drain, KEY, rejection, useSimulator } from '../../simulator/test/clients/surroundings.ts';
import { repairingFetch, type Fetch, type RepairingFetchOptions } from '../src/fetch.ts';

const simulator = useSimulator();
const statuses = (): number[] => simulator().verdicts.map(({ status }) => status);
const clientOf = (fetch: Fetch): Anthropic =>
  new Anthropic({ apiKey: KEY, authToken: null, baseURL: simulator().baseUrls.anthropic, maxRetries: 0, fetch });

/** A profile that is wrong about the model: it lets a request end with the assistant, and the provider does not. */
const MISTAKEN: RepairingFetchOptions = {
  target: () => ({ dialect: 'anthropic-messages', profile: { prefill: 'allowed' } }),
};
const PREFILLED: Anthropic.MessageCreateParamsNonStreaming = {
  model: 'claude-sonnet-5',
  max_tokens: 100,
  messages: [
    { role: 'user', content: 'What does it say?' },
    { role: 'assistant', content: 'It says' },
  ],
};

describe('a refusal that core knows', () => {
  test('is answered with a second attempt, whole and streamed', async () => {
    const told: Report[] = [];
    const client = clientOf(repairingFetch(undefined, { ...MISTAKEN, onReport: (report) => told.push(report) }));
    await client.messages.create(PREFILLED);
    const { seen, error } = await drain(await client.messages.create({ ...PREFILLED, stream: true }));
    expect([error, seen.length > 0]).toEqual([undefined, true]);
    expect(statuses()).toEqual([400, 200, 400, 200]);
    expect(told.map(({ refusal }) => [refusal?.known, refusal?.rule])).toEqual([
      [true, 'ends-with-assistant'],
      [true, 'ends-with-assistant'],
    ]);
  });

  test('also a 404 for something that another account has stored', async () => {
    const fetch = repairingFetch();
    const client = new OpenAI({ apiKey: KEY, baseURL: simulator().baseUrls.openai, maxRetries: 0, fetch });
    const { output_text: text } = await client.responses.create({
      model: 'gpt-5',
      input: [
        { role: 'user', content: 'What does it say?' },
        { type: 'reasoning', id: 'rs_0001', summary: [{ type: 'summary_text', text: 'Only the file can tell.' }] },
        {
          type: 'message',
          id: 'msg_0001',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'It says hello.', annotations: [] }],
        },
        { role: 'user', content: 'Thanks.' },
      ],
    });
    expect(text).toBe('This is the simulated model.');
    expect(statuses()).toEqual([404, 200]);
  });

  test('comes to the caller when that is switched off', async () => {
    const client = clientOf(repairingFetch(undefined, { ...MISTAKEN, retry: false }));
    expect(await rejection(client.messages.create(PREFILLED))).toMatchObject({ status: 400 });
    expect(statuses()).toEqual([400]);
  });
});

describe('the second attempt', () => {
  const url = 'https://api.anthropic.com/v1/messages';
  const words = JSON.stringify({
    type: 'error',
    error: {
      type: 'invalid_request_error',
      message: 'This model does not support assistant message prefill. The conversation must end with a user message.',
    },
  });
  const post = (signal?: AbortSignal): RequestInit => ({
    method: 'POST',
    body: JSON.stringify(PREFILLED),
    ...(signal !== undefined && { signal }),
  });

  test('is the last one', async () => {
    let count = 0;
    const refusing: Fetch = () => ((count += 1), Promise.resolve(new Response(words, { status: 400 })));
    const response = await repairingFetch(refusing, MISTAKEN)(url, post());
    expect([count, response.status]).toEqual([2, 400]);
  });

  test('that fails leaves the caller with the first answer', async () => {
    const down = new Error('down');
    const answers = [Promise.resolve(new Response(words, { status: 400 }))];
    const errors: unknown[] = [];
    const failing: Fetch = () => answers.shift() ?? Promise.reject(down);
    const response = await repairingFetch(failing, { ...MISTAKEN, onError: (error) => errors.push(error) })(
      url,
      post(),
    );
    expect([response.status, await response.text(), errors]).toEqual([400, words, [down]]);
  });

  test('that is aborted rejects', async () => {
    const controller = new AbortController();
    const answers = [Promise.resolve(new Response(words, { status: 400 }))];
    const aborting: Fetch = () => answers.shift() ?? (controller.abort(), Promise.reject(new Error('aborted')));
    const aborted = repairingFetch(aborting, MISTAKEN)(url, post(controller.signal));
    expect(await rejection(aborted)).toMatchObject({ message: 'aborted' });
  });
});
