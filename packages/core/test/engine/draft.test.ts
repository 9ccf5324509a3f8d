import { describe, expect, test } from 'vitest';
import { CODECS } from '../../src/dialects/dialects.ts';
import { Draft } from '../../src/engine/draft.ts';
import { assistant, user } from '../anthropic-wire.ts';

const codec = CODECS['anthropic-messages'];
const input = [user('one'), assistant('One.'), user('two')];
const draftOf = (wire: readonly unknown[] = input): Draft => new Draft(codec, wire, undefined);

describe('where a message came from', () => {
  test('is its own index until something changes', () => {
    const draft = draftOf();
    expect([draft.source(0), draft.source(2), draft.sourceBefore(2), draft.sourceBefore(-1)]).toEqual([0, 2, 2, -1]);
  });

  test('is nowhere for a message we invented; the nearest before it is the last that came from the input', () => {
    const draft = draftOf();
    const wire = [user('new'), ...input.slice(0, 2), user('new'), user('new'), user('two')];
    draft.advance({ wire, sources: [-1, 0, 1, -1, -1, 2], edited: new Map(), fresh: new Set() });
    const indexes = [0, 1, 2, 3, 4, 5, 6];
    expect(indexes.map((index) => draft.source(index))).toEqual([-1, 0, 1, -1, -1, 2, -1]);
    expect(indexes.map((index) => draft.sourceBefore(index))).toEqual([-1, 0, 1, 1, 1, 2, -1]);
  });

  test('is worked out again after each round', () => {
    const draft = draftOf();
    const advance = (sources: readonly number[]): void =>
      draft.advance({ wire: input, sources, edited: new Map(), fresh: new Set() });
    advance([0, -1, 2]);
    expect(draft.sourceBefore(1)).toBe(0);
    advance([2, -1, 0]);
    expect(draft.sourceBefore(1)).toBe(2);
  });
});

describe('edits that lead back to what the input says', () => {
  const rewrite = (index: number, wire: readonly unknown[]): Draft => {
    const draft = draftOf();
    const edited = new Map([[index, codec.read(wire[index], index)]]);
    draft.advance({ wire, sources: [0, 1, 2], edited, fresh: new Set([index]) });
    draft.restoreSame(input);
    return draft;
  };

  test('give back the list itself when nothing else has changed', () => {
    expect(rewrite(2, input.with(2, user('two'))).wire).toBe(input);
  });

  test('give back the message itself when another has changed', () => {
    const wire = [user('uno'), assistant('One.'), user('two')];
    const draft = rewrite(1, wire);
    expect(draft.wire).toEqual(wire);
    expect(draft.wire[1]).toBe(input[1]);
    expect(draft.wire[2]).toBe(wire[2]);
  });

  test('are told from edits that say something else', () => {
    const wire = input.with(2, user('three'));
    expect(rewrite(2, wire).wire).toBe(wire);
  });
});

describe('the first change', () => {
  const places: readonly (readonly [string, readonly [number, number][], { message: number; part: number }])[] = [
    ['the only one', [[4, 2]], { message: 4, part: 2 }],
    [
      'in the earliest message',
      [
        [4, 2],
        [3, 7],
      ],
      { message: 3, part: 7 },
    ],
    [
      'not in a later message',
      [
        [3, 7],
        [4, 0],
      ],
      { message: 3, part: 7 },
    ],
    [
      'at the earliest part',
      [
        [3, 7],
        [3, 6],
      ],
      { message: 3, part: 6 },
    ],
    [
      'not at a later part',
      [
        [3, 6],
        [3, 7],
      ],
      { message: 3, part: 6 },
    ],
  ];

  test.each(places)('is %s', (_name, changes, first) => {
    const draft = draftOf();
    expect(draft.firstChange).toBeUndefined();
    for (const [message, part] of changes) draft.changedAt(message, part);
    expect(draft.firstChange).toEqual(first);
  });
});
