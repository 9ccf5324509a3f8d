import { expect, test } from 'vitest';
import {
  before,
  cuts,
  filterCompacted,
  fromTurn,
  lastTurns,
  page,
  pruneOldToolOutputs,
  splitHead,
  turns,
} from '../../src/index.ts';
import { prepareHistory } from '../../src/resume/index.ts';
import { hostileValues } from '../fuzz/hostile-values.ts';
import { dialects } from '../fuzz/histories.ts';

const eager = { protectTokens: 0, protectTurns: 0, minFreedTokens: 0 };

test.each(hostileValues)('$name among the messages breaks no operation', (value) => {
  for (const dialect of dialects) {
    const hostile = value.make();
    const talk = (content: string): object => ({ role: 'user', content, parts: [{ type: 'text', text: content }] });
    const list = [
      talk('one'),
      hostile,
      talk('two'),
      { role: 'assistant', content: hostile, parts: hostile },
      talk('3'),
    ];
    const { head, tail } = splitHead(list, { minKeepTail: 1, target: dialect });
    expect(head.length + tail.length).toBe(list.length);
    expect(turns(list, dialect).flatMap(({ messages }) => messages)).toHaveLength(list.length);
    const places = cuts(list, dialect);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(lastTurns(list, 9, dialect)).toBe(list);
    expect(fromTurn(list, 0, dialect)).toBe(list);
    expect(before(list, 99, dialect)).toBe(list);
    expect(page(list, { minMessages: 99, target: dialect }).messages).toBe(list);
    expect(filterCompacted(list, dialect)).toBe(list);
    expect(pruneOldToolOutputs(list, { ...eager, target: dialect }).output).toHaveLength(list.length);
    // The loop and the repair behind it have hostile tests of their own; one dialect shows that they are reached.
    if (dialect === 'openai-chat') expect(Array.isArray(prepareHistory(list, { target: dialect }))).toBe(true);
  }
});
