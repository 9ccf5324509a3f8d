import { describe, expect, test } from 'vitest';
import { CODECS } from '../../src/dialects/dialects.ts';
import { ACKNOWLEDGED, readSummary, summaryText } from '../../src/compaction/summary-message.ts';
import { SUMMARY_HEADING } from '../../src/model/summary-message.ts';
import {
  compact,
  decode,
  generateSummary,
  isSummaryMessage,
  readSummaryMessage,
  shouldCompact,
  writeSummaryMessage,
} from '../../src/index.ts';
import { assistant, user } from '../anthropic-wire.ts';
import { turns } from '../compacted.ts';
import { dialects } from '../fuzz/histories.ts';
import { session, summary } from '../summary-session.ts';

describe('a summary message', () => {
  test.each(dialects)('of %s is known again, with its content, its time and its range', (dialect) => {
    const wire = writeSummaryMessage(summary, dialect);
    expect(readSummaryMessage(wire, dialect)).toEqual(summary);
    expect(isSummaryMessage(wire)).toBe(true);
    expect(readSummaryMessage(JSON.parse(JSON.stringify(wire)))).toEqual(summary);
    const decoded = decode([wire], dialect)?.messages[0];
    expect(readSummaryMessage(decoded)).toEqual(summary);
    expect(isSummaryMessage(CODECS[dialect].write({ role: 'user', parts: decoded?.parts ?? [], at: 0 }))).toBe(true);
  });

  test.each([
    ['words about a summary', user(`I read ${SUMMARY_HEADING}`)],
    ['an answer', assistant(`${SUMMARY_HEADING}\nmine`)],
    ['a heading that goes on', user(`${SUMMARY_HEADING} and more`)],
    ['nothing', undefined],
    ['a number', 7],
    ['an empty message', user('')],
    ['something with parts', { at: 1, parts: [7] }],
  ])('is not %s', (_, message) => {
    expect(isSummaryMessage(message)).toBe(false);
  });

  test('is told from others by a list that hands over places with its messages', () => {
    const list = [user('hi'), writeSummaryMessage(summary, 'anthropic-messages'), assistant('well')];
    expect(list.filter(isSummaryMessage as never)).toEqual([list[1]]);
    expect(list.map(readSummaryMessage as (message: unknown) => unknown)).toEqual([undefined, summary, undefined]);
  });

  test('is what generateSummary gives', async () => {
    const made = await generateSummary([user('hi'), assistant('well')]);
    expect(isSummaryMessage(made)).toBe(true);
    expect(readSummaryMessage(made)).toBe(made);
    expect(isSummaryMessage({ content: 'x', sourceRange: { from: 0 } })).toBe(false);
  });

  test.each([
    ['a day', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a number', 5, '5'],
    ['null', null, undefined],
    ['something else', { day: 1 }, undefined],
    ['something without a text', () => 1, undefined],
  ])('takes %s for its time', async (_, at, timestamp) => {
    const made = await generateSummary([user('hi'), assistant('well')], { at: at as never });
    expect(made.timestamp).toBe(timestamp);
    const options = { budgetTokens: 300, at: at as never, ladder: ['rule-summary'] as const };
    const { checkpoint } = await compact(turns(20), options);
    expect([checkpoint?.at, checkpoint?.summary?.timestamp]).toEqual([timestamp, timestamp]);
  });

  test('without a time, and with a time of several lines, is one that can be read', () => {
    const { timestamp: _timestamp, ...timeless } = summary;
    expect(readSummary(summaryText(timeless))).toEqual(timeless);
    expect(readSummary(summaryText({ ...summary, timestamp: 'now\nor later' }))?.timestamp).toBe('now or later');
  });

  test('of somebody else has a content and no range', () => {
    const sourceRange = { from: 0, to: 0 };
    expect(readSummary(SUMMARY_HEADING)).toEqual({ content: '', sourceRange });
    expect(readSummary(`${SUMMARY_HEADING}\r\nIt was long.`)).toEqual({ content: 'It was long.', sourceRange });
    const stands = summaryText(summary).split('\n').slice(0, 2).join('\n');
    expect(readSummary(stands)?.content).toBe('');
  });
});

describe('shouldCompact', () => {
  const words = 'word '.repeat(50_000);
  const long = [user(words), assistant('ok')];
  const chatty = Array.from({ length: 10 }, (_, n) => [user(`question ${n}`), assistant('answer')]).flat();

  test.each([
    ['more than 40 000 tokens', long, {}, true],
    ['a few tokens', session, {}, false],
    ['more tokens than said', session, { trigger: { tokens: 10 } }, true],
    ['more messages than said', chatty, { trigger: { messages: 19 } }, true],
    ['as many messages as said', chatty, { trigger: { messages: 20 } }, false],
    ['more turns than said', chatty, { trigger: { turns: 9 } }, true],
    ['as many turns as said', chatty, { trigger: { turns: 10 } }, false],
    ['both conditions', chatty, { trigger: { turns: 9, messages: 19 } }, true],
    ['one of two conditions', chatty, { trigger: { turns: 9, messages: 20 } }, false],
    ['one of two that costs', chatty, { trigger: { turns: 9, tokens: 1e6 } }, false],
    ['the second of a list', chatty, { trigger: [{ turns: 50 }, { messages: 19 }] }, true],
    ['none of a list', chatty, { trigger: [{ turns: 50 }, { messages: 20 }] }, false],
    ['no condition at all', long, { trigger: {} }, false],
    ['no trigger at all', long, { trigger: [] }, false],
    ['more than a share of the window', long, { trigger: { fraction: 0.8 }, windowTokens: 50_000 }, true],
    ['less than a share of the window', long, { trigger: { fraction: 0.8 }, windowTokens: 600_000 }, false],
    ['a share of a window that nobody knows', long, { trigger: { fraction: 0.1 }, windowTokens: Infinity }, false],
    ['a counter of the caller', session, { trigger: { tokens: 40 }, count: () => 100 }, true],
    ['what is no history', 'hello', {}, false],
  ])('answers for %s', (...[, input, options, expected]) => {
    expect(shouldCompact(input, options)).toBe(expected);
  });

  test('does not count what the newest summary stands for', () => {
    const list = [...long, writeSummaryMessage(summary, 'anthropic-messages'), assistant(ACKNOWLEDGED), user('Go on.')];
    expect(shouldCompact(list)).toBe(false);
    expect(shouldCompact(list, { trigger: { messages: 2, turns: 0 } })).toBe(true);
    expect(shouldCompact(list, { trigger: { messages: 3 } })).toBe(false);
    expect(shouldCompact(list, { trigger: { turns: 1 } })).toBe(false);
  });
});
