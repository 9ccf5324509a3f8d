import { describe, expect, test } from 'vitest';
import { CODECS } from '../../src/dialects/dialects.ts';
import { type Dialect } from '../../src/model/dialect.ts';
import { repair, writeSummaryMessage } from '../../src/index.ts';
import { textPart, type Role } from '../../src/model/part.ts';
import {
  dropTrailingRequest,
  prepareHistory,
  removeConsecutiveRequests,
  runCleanupLoop,
  sanitizeHistoryForResume,
} from '../../src/resume/index.ts';

const DIALECTS = Object.keys(CODECS) as Dialect[];

describe.for(DIALECTS)('a summary in %s', (dialect) => {
  const speak = (role: Role, text: string): unknown =>
    CODECS[dialect].write({ role, parts: [textPart(text, 0)], at: -1 });
  const user = (text: string): unknown => speak('user', text);
  const say = (text: string): unknown => speak('assistant', text);
  const summary = writeSummaryMessage({ content: 'All of it.', sourceRange: { from: 0, to: 4 } }, dialect);
  const tail = [user('go on'), say('Going on.')];

  test('stays before the words of a person, whichever function cleans', () => {
    const list = [summary, ...tail];
    expect(runCleanupLoop(list).messages).toBe(list);
    expect(removeConsecutiveRequests(list).messages).toBe(list);
    expect(JSON.stringify(repair(list, dialect, { policy: 'discard', next: 'user' }).output)).toContain('All of it.');
    const prepared = JSON.stringify(prepareHistory([user('1'), say('2'), ...list], { target: dialect }));
    expect(['All of it.', 'go on', 'Going on.'].filter((words) => !prepared.includes(words))).toEqual([]);
  });

  test('stays while unanswered requests around it go', () => {
    const list = [user('old'), summary, user('never answered'), ...tail];
    expect(runCleanupLoop(list).messages).toEqual([summary, ...tail]);
  });

  test('stays at the end, where a new message of the user is about to follow', () => {
    const list = [user('x'), say('y'), summary];
    expect(dropTrailingRequest(list).messages).toBe(list);
    expect(repair(list, dialect, { policy: 'discard', next: 'user' }).output).toContainEqual(summary);
  });

  test('stays in the copy for the next run', () => {
    expect(sanitizeHistoryForResume([{ role: 'system', content: 'x' }, summary, ...tail])).toEqual([summary, ...tail]);
  });
});

describe('very many requests in a row', () => {
  test('are read as often each, however many they are', () => {
    const readsEach = (count: number): number => {
      let reads = 0;
      const list = Array.from({ length: count }, (_, i) => ({
        role: 'user',
        get content(): string {
          reads += 1;
          return `ask ${String(i)}`;
        },
      }));
      expect(removeConsecutiveRequests(list).messages).toHaveLength(1);
      return reads / count;
    };
    expect(readsEach(8000)).toBeLessThanOrEqual(readsEach(1000));
  });
});
