import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, decode, repair, type Dialect } from '../src/index.ts';
import { toWire } from '../src/history.ts';

type Exchange = { name: string; api: string; status: number; body: unknown };

const shared = process.env['RETHREAD_SHARED'];
const file = join(shared ?? '', 'evidence', 'recorded.jsonl');
const expected: readonly (readonly [Dialect, number])[] = [
  ['anthropic-messages', 160],
  ['openai-chat', 111],
];

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
      const strange = exchanges.filter(({ body }) => {
        const repaired = repair(body, { dialect });
        return check(body, { dialect }).verdict !== 'clean' || repaired.output !== body || repaired.changed;
      });
      expect(strange.map(({ name }) => name)).toEqual([]);
      for (const { body } of exchanges) {
        const history = decode(body, dialect);
        expect(history && toWire(history)).toEqual((body as { messages: unknown }).messages);
      }
      console.log(`${dialect}: ${String(exchanges.length)} accepted requests are clean and untouched`);
      expect(exchanges).toHaveLength(count);
    },
  );
});
