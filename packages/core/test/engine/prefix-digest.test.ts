import { judge } from '../../../simulator/src/judges/judge.ts';
import { describe, expect, test } from 'vitest';

import { prefixDigest, prepare, repair, type SessionRecord } from '../../src/index.ts';

const target = { dialect: 'anthropic-messages', model: 'claude-fable-5-1' } as const;

const user = (content: unknown): unknown => ({ role: 'user', content });
const thinking = (text: string): unknown => ({ type: 'thinking', thinking: text, signature: `c2ln${text}` });
const calls = (...ids: readonly string[]): readonly unknown[] =>
  ids.map((id) => ({ type: 'tool_use', id, name: 'look', input: {} }));
const says = (...content: readonly unknown[]): unknown => ({ role: 'assistant', content });
const text = (words: string): unknown => ({ type: 'text', text: words });

type Written = { readonly kind: string; readonly data: unknown };

const message = (wire: unknown, digest?: string): Written => ({
  kind: 'message',
  data: { dialect: 'anthropic-messages', wire, ...(digest === undefined ? {} : { origin: { prefixDigest: digest } }) },
});
const settled = (callId: string, words = 'seen'): Written => ({
  kind: 'call.settled',
  data: { callId, tool: 'look', text: words },
});
const log = (written: readonly Written[]): SessionRecord[] =>
  written.map((record, index) => ({ v: 1, seq: index + 1, id: `r${index + 1}`, at: '', ...record }) as SessionRecord);

const sentFor = (written: readonly Written[]): readonly unknown[] =>
  prepare(log(written), { ...target, purpose: 'request' }).sendable?.wire as readonly unknown[];

/** The thoughts that are sent back. */
const thoughts = (messages: readonly unknown[]): readonly string[] =>
  [...JSON.stringify(messages).matchAll(/"thinking":"(\w+)"/g)].map(([, words = '']) => words);

const two = [message(user('Look.')), message(says(thinking('one'), ...calls('toolu_1', 'toolu_2')))];
/** The other call has to be closed by a repair. */
const results = [settled('toolu_1')];
const next = says(thinking('two'), ...calls('toolu_3', 'toolu_4'));

describe('reasoning on a model that binds it to what was sent', () => {
  test('stays behind a repair, while the repaired messages are those that it came in answer to', () => {
    const first = [...two, ...results];
    const second = [...first, message(next, prefixDigest(sentFor(first))), settled('toolu_3'), settled('toolu_4')];
    expect(thoughts(sentFor(second))).toEqual(['one', 'two']);
    const last = says(thinking('three'), text('Done.'));
    const third = [...second, message(last, prefixDigest(sentFor(second))), message(user('And?'))];
    expect(thoughts(sentFor(third))).toEqual(['one', 'two', 'three']);
    expect(judge('anthropic-messages', sentFor(third))).toEqual([]);
  });

  test('goes where nothing was recorded of what was sent', () => {
    const second = [...two, ...results, message(next), settled('toolu_3'), settled('toolu_4')];
    expect(thoughts(sentFor(second))).toEqual(['one']);
  });

  test('goes when another repair is needed than the one that it came in answer to', () => {
    const first = [...two, ...results];
    const answer = message(says(thinking('two'), text('One is missing.')), prefixDigest(sentFor(first)));
    expect(thoughts(sentFor([...first, answer, message(user('And?'))]))).toEqual(['one', 'two']);
    // The real result takes the place of what was said instead.
    expect(thoughts(sentFor([...first, answer, settled('toolu_2', 'late'), message(user('And?'))]))).toEqual(['one']);
  });

  test('is told from what came in answer to a history without it', () => {
    const first = [...two, ...results];
    const unknown = [...first, message(next), settled('toolu_3'), settled('toolu_4')];
    const digest = prefixDigest(sentFor(unknown));
    const third = [...unknown, message(says(thinking('three'), text('Done.')), digest), message(user('And?'))];
    expect(thoughts(sentFor(third))).toEqual(['one', 'three']);
    // A message that was nothing else is not sent, so it is no part of what was sent either.
    const alone = [...first, message(says(thinking('two'))), message(user('Go on.'))];
    const answered = [...alone, message(says(thinking('three'), text('Done.')), prefixDigest(sentFor(alone)))];
    expect(thoughts(sentFor([...answered, message(user('And?'))]))).not.toContain('two');
  });

  test('is known by its place where a list is repaired', () => {
    const before = [user('Look.'), says(...calls('toolu_1')), user('Well?')];
    const sent = repair(before, target).output;
    const list = [...before, says(thinking('one'), text('Nothing came.')), user('And?')];
    const kept = repair(list, target, { prefixDigests: { 3: prefixDigest(sent) } });
    expect(thoughts(kept.output)).toEqual(['one']);
    expect(repair(kept.output, target).changed).toBe(false);
    expect(thoughts(repair(list, target).output)).toEqual([]);
    expect(thoughts(repair(list, target, { prefixDigests: { 3: 'another', 9: prefixDigest(sent) } }).output)).toEqual(
      [],
    );
  });

  test('is dropped where a repair has put it beside something else', () => {
    const before = [user('Look.'), says(...calls('toolu_1')), user('Well?')];
    const sent = repair(before, target).output;
    const list = [...before, says(text('Hm.')), says(thinking('one'), text('Nothing came.')), user('And?')];
    const digests = { 3: prefixDigest(sent), 4: prefixDigest([...sent, says(text('Hm.'))]) };
    const { output } = repair(list, { ...target, profile: { alternation: true } }, { prefixDigests: digests });
    expect(judge('anthropic-messages', output)).toEqual([]);
  });
});

test('a digest tells lists apart, and is the same for the same bytes', () => {
  expect(prefixDigest([])).toBe(prefixDigest([]));
  expect(prefixDigest([user('a')])).toBe(prefixDigest([{ role: 'user', content: 'a' }]));
  const digests = [[], [user('a')], [user('a'), user('b')], [user('b'), user('a')], [user('ab')]].map(prefixDigest);
  expect(new Set(digests).size).toBe(digests.length);
});
