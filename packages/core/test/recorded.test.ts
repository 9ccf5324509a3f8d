import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, decode, repair, type Dialect } from '../src/index.ts';
import { CODECS } from '../src/dialects/dialects.ts';

type Exchange = {
  name: string;
  api: string;
  status: number;
  host: string;
  model: string;
  body: Record<string, unknown>;
};

const shared = process.env['RETHREAD_SHARED'];
const file = join(shared ?? '', 'evidence', 'recorded.jsonl');
const expected: readonly (readonly [Dialect, number])[] = [
  ['anthropic-messages', 160],
  ['bedrock-converse', 108],
  ['gemini', 241],
  ['mistral-chat', 29],
  ['openai-chat', 111],
  ['openai-responses', 151],
];

/** Requests in the chat dialect to those who serve models of others. */
const served: readonly (readonly [api: string, count: number])[] = [
  ['groq-chat', 51],
  ['compatible-chat', 61],
];

/** The model together with who serves it, where that says more than its name. */
function servedModel({ host, model }: Exchange): string {
  if (host === 'api.groq.com') return `groq/${model}`;
  return host === 'openrouter.ai' ? `openrouter/${model}` : model;
}

function accepted(api: string): Exchange[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Exchange)
    .filter((exchange) => exchange.api === api && exchange.status === 200);
}

describe.skipIf(shared === undefined)('requests that a provider has accepted', () => {
  test('are there to be read', () => {
    expect(existsSync(file)).toBe(true);
  });

  test.each(expected)(
    '%s: all are clean, come back as they were, and are written as they were read',
    (dialect, count) => {
      const exchanges = accepted(dialect);
      const strange = exchanges.filter(({ body, model }) => {
        const target = { dialect, model: decodeURIComponent(model) };
        const repaired = repair(body, target);
        return check(body, target).verdict !== 'clean' || repaired.output !== body || repaired.changed;
      });
      expect(strange.map(({ name }) => name)).toEqual([]);
      for (const { body } of exchanges) {
        const history = decode(body, dialect);
        const codec = CODECS[dialect];
        expect(history?.messages.map((message) => codec.write(message))).toEqual(body[codec.listKey]);
      }
      console.log(`${dialect}: ${String(exchanges.length)} accepted requests are clean and untouched`);
      expect(exchanges).toHaveLength(count);
    },
  );

  test.each(served)('%s: all are clean, come back as they were, and are written as they were read', (api, count) => {
    const exchanges = accepted(api);
    const strange = exchanges.filter((exchange) => {
      const { body } = exchange;
      const target = { dialect: 'openai-chat', model: servedModel(exchange) } as const;
      const repaired = repair(body, target);
      return check(body, target).verdict !== 'clean' || repaired.output !== body || repaired.changed;
    });
    expect(strange.map(({ name }) => name)).toEqual([]);
    const codec = CODECS['openai-chat'];
    for (const { body } of exchanges) {
      const history = decode(body, 'openai-chat');
      expect(history?.messages.map((message) => codec.write(message))).toEqual(body['messages']);
    }
    console.log(`${api}: ${String(exchanges.length)} accepted requests are clean and untouched`);
    expect(exchanges).toHaveLength(count);
  });
});
