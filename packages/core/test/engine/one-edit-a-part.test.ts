import { describe, expect, test } from 'vitest';
import { Claims } from '../../src/engine/treat.ts';
import type { Edit, Proposal } from '../../src/model/edit.ts';
import { textPart, type Message } from '../../src/model/part.ts';

const propose = (...edits: readonly Edit[]): Proposal => ({ edits, action: 'rewrite', loss: 'none', note: '' });
const message: Message = { role: 'user', parts: [], at: -1 };
const said = textPart('x', 0);

const part = (at: number, index: number): Edit => ({ kind: 'part', message: at, part: index, parts: [] });
const whole = (at: number): Edit => ({ kind: 'message', message: at, messages: [] });
const insert = (at: number): Edit => ({ kind: 'insert', message: at, messages: [message] });
const append = (at: number): Edit => ({ kind: 'append', message: at, parts: [said] });
const answer = (at: number): Edit => ({ kind: 'answer', message: at, order: 0, result: said });
const join = (at: number): Edit => ({ kind: 'join', message: at, wire: {} });
const dropKeys = (at: number): Edit => ({ kind: 'drop-keys', message: at, keys: [] });
const mendPart = (at: number, index: number): Edit => ({ kind: 'mend', at: { message: at, part: index } });
const lift = (at: number): Edit => ({ kind: 'lift', message: at });
const body: Edit = { kind: 'body', fields: {} };

const apart: readonly (readonly [string, Edit, Edit])[] = [
  ['two parts of one message', part(3, 0), part(3, 1)],
  ['the same part of two messages', part(3, 0), part(4, 0)],
  ['a part and parts added at the end', part(3, 0), append(3)],
  ['two answers of one step', answer(3), answer(3)],
  ['parts added and an answer', append(3), answer(3)],
  ['an insertion and the message behind it', insert(3), whole(3)],
  ['two insertions in two places', insert(3), insert(4)],
  ['the request and the first message', body, whole(0)],
  ['the request and an insertion before the first message', body, insert(0)],
  ['a join and the message behind both', join(3), whole(5)],
  ['a join and the message before both', join(3), part(2, 0)],
  ['a join and an insertion before both', join(3), insert(3)],
  ['a join and an insertion behind both', join(3), insert(5)],
];

const meeting: readonly (readonly [string, Edit, Edit])[] = [
  ['one part twice', part(3, 1), part(3, 1)],
  ['a part and its message', part(3, 0), whole(3)],
  ['parts added to a message and the message', append(3), whole(3)],
  ['an answer and the message it stands in', answer(3), dropKeys(3)],
  ['keys of a message and one of its parts', dropKeys(3), part(3, 0)],
  ['a message whose bytes are mended and another part of it', mendPart(3, 0), part(3, 1)],
  ['two insertions in one place', insert(3), insert(3)],
  ['a message that is lifted and one of its parts', lift(3), part(3, 0)],
  ['the request twice', body, body],
  ['a join and a part of its message', join(3), part(3, 0)],
  ['a join and a part of the next message', join(3), part(4, 0)],
  ['a join and the next message', join(3), whole(4)],
  ['a join and a join of the next', join(3), join(4)],
  ['a join and an insertion between the two', join(3), insert(4)],
];

describe('edits of one round', () => {
  test.each(apart)('may both be made: %s', (...[, first, second]) => {
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const claims = new Claims();
      expect([claims.take(propose(one)), claims.take(propose(other))]).toEqual([true, true]);
    }
  });

  test.each(meeting)('meet: %s', (...[, first, second]) => {
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const claims = new Claims();
      expect([claims.take(propose(one)), claims.take(propose(other))]).toEqual([true, false]);
    }
  });

  test('are taken all or not at all', () => {
    const claims = new Claims();
    expect(claims.take(propose(part(3, 0)))).toBe(true);
    expect(claims.take(propose(part(4, 0), part(3, 0)))).toBe(false);
    expect(claims.take(propose(part(4, 0)))).toBe(true);
  });
});
