import { expect, test } from 'vitest';

import { anthropic } from '../../src/ports/anthropic.ts';
import { openaiChat, openaiResponses } from '../../src/ports/openai.ts';

// Clients of openai 4 and of @anthropic-ai/sdk 0.39 have no `withOptions`.
const old = <T>(): T => ({ apiKey: 'any' }) as T;

test.each([
  ['anthropic', '@anthropic-ai/sdk 0.90', () => anthropic({ model: 'claude-sonnet-5', client: old() })],
  ['openaiChat', 'openai 5', () => openaiChat({ model: 'gpt-5', client: old() })],
  ['openaiResponses', 'openai 5', () => openaiResponses({ model: 'gpt-5', client: old() })],
])('%s says at once that an SDK is too old, and which one it needs', (_, needed, make) => {
  const sentence = `this client is too old: the port needs ${needed} or newer`;
  expect(make).toThrow(expect.objectContaining({ name: 'AgentError', code: 'unsupported', message: sentence }));
});
