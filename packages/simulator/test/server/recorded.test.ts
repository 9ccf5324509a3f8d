import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { createSimulator, type ApiName, type Simulator } from '../../src/index.ts';
import { post } from './client.ts';

interface Recorded {
  readonly name: string;
  readonly api: string;
  readonly model: string;
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const shared = process.env.RETHREAD_SHARED;

function accepted(api: ApiName): Recorded[] {
  const file = join(shared ?? '', 'evidence', 'recorded.jsonl');
  if (!existsSync(file)) throw new Error('RETHREAD_SHARED is set but holds no evidence/recorded.jsonl');
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Recorded)
    .filter((request) => request.api === api && request.status === 200);
}

/** Sends a recorded request as it was sent, to the path that its API has for it. */
function resend(simulator: Simulator, api: ApiName, { model, body }: Recorded): Promise<Response> {
  if (api !== 'gemini') return post(simulator, api, { body });
  return post(simulator, api, { body, path: `/v1beta/models/${model.replace(/^models\//, '')}:generateContent` });
}

const EXPECTED: readonly (readonly [ApiName, number])[] = [
  ['anthropic-messages', 160],
  ['openai-chat', 111],
  ['openai-responses', 151],
  ['gemini', 241],
];

describe.skipIf(shared === undefined)('requests that a provider has accepted (set RETHREAD_SHARED to run)', () => {
  test.each(EXPECTED)('%s: all %i are answered by the server', async (api, count) => {
    await using simulator = await createSimulator({ foreign: 'trust' });
    const requests = accepted(api);
    for (const request of requests) {
      const response = await resend(simulator, api, request);
      await response.text();
      const { refusals } = simulator.verdicts.at(-1) ?? {};
      expect({ name: request.name, status: response.status, refusals }).toEqual({
        name: request.name,
        status: 200,
        refusals: [],
      });
    }
    console.log(`${api}: ${requests.length} recorded requests answered over HTTP`);
    expect(requests).toHaveLength(count);
  });
});
