import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, convert, decode, type Converted, type Dialect } from '../../src/index.ts';
import { CODECS } from '../../src/dialects/dialects.ts';
import { judge } from '../../../simulator/src/judges/judge.ts';
import { leavesOf, unfounded, unlisted } from '../convert-audit.ts';

type Exchange = { name: string; api: string; status: number; body: Record<string, unknown> };

const shared = process.env['RETHREAD_SHARED'];
const file = join(shared ?? '', 'evidence', 'recorded.jsonl');
const dialects = Object.keys(CODECS) as Dialect[];

/** Every API there is recorded traffic of, the dialect it speaks, and how many requests it has accepted. */
const apis: readonly (readonly [api: string, from: Dialect, count: number])[] = [
  ['anthropic-messages', 'anthropic-messages', 160],
  ['bedrock-converse', 'bedrock-converse', 108],
  ['gemini', 'gemini', 241],
  ['mistral-chat', 'mistral-chat', 29],
  ['openai-chat', 'openai-chat', 111],
  ['groq-chat', 'openai-chat', 51],
  ['compatible-chat', 'openai-chat', 61],
  ['openai-responses', 'openai-responses', 151],
  ['compatible-responses', 'openai-responses', 15],
];

function accepted(api: string): Exchange[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Exchange)
    .filter((exchange) => exchange.api === api && exchange.status === 200);
}

/** Media in a result is told by the audit of everything that is said; here only texts and values are compared. */
const media = /"(?:image_url|inline_?data|bytes|s3Location|source|file_id|file_url)"/i;

/** The calls that tools are to run, and what they returned, as values; formatting of JSON does not count. */
function pairsOf(input: unknown, dialect: Dialect): string[] {
  const pairs = decode(input, dialect)?.messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.kind === 'call' && !part.server) return [`${part.tool}(${leavesOf(part.input).join(', ')})`];
      const text = part.kind === 'result' && !part.server && !media.test(part.text) ? part.text : undefined;
      return text === undefined ? [] : [`= ${leavesOf(text).sort().join(', ')}`];
    }),
  );
  return [...(pairs ?? [])].sort();
}

/** Losses that change what a call or a result is in the list. */
const ofPairs = new Set(['call', 'result', 'part', 'message', 'media', 'name', 'repair']);

const changesPairs = ({ losses }: Converted): boolean => losses.some(({ kind }) => ofPairs.has(kind));

describe.skipIf(shared === undefined)('requests that a provider has accepted', () => {
  test('are there to be read', () => {
    expect(existsSync(file)).toBe(true);
  });

  for (const [api, from, count] of apis) {
    test.each(dialects.filter((to) => to !== from))(`${api} to %s and back`, (to) => {
      const exchanges = accepted(api);
      let losses = 0;
      let lossless = 0;
      for (const { name, body } of exchanges) {
        const there = convert(body, { from, to });
        const back = convert(there.output, { from: to, to: from });
        expect([name, check(there.output, to).verdict, judge(to, there.output)]).toEqual([name, 'clean', []]);
        expect([name, check(back.output, from).verdict, judge(from, back.output)]).toEqual([name, 'clean', []]);
        expect([name, unlisted(body, there, back)]).toEqual([name, []]);
        expect([name, unfounded(body, there, (input) => convert(input, { from, to }))]).toEqual([name, []]);
        if (!changesPairs(there) && !changesPairs(back)) {
          expect([name, pairsOf(back.output, from)]).toEqual([name, pairsOf(body, from)]);
        }
        losses += there.losses.length;
        if (there.losses.every(({ at }) => at.message === -1)) lossless += 1;
      }
      console.log(
        `${api} → ${to}: ${String(exchanges.length)} sendable, ${String(lossless)} with every message as it was, ` +
          `${String(losses)} losses listed`,
      );
      expect(exchanges).toHaveLength(count);
    });
  }
});
