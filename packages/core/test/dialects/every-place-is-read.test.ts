import { describe, expect, test } from 'vitest';
import { check, decode, RESULT_TEXTS, type Dialect } from '../../src/index.ts';
import { WRITTEN } from '../conversation.ts';
import { aiSdkUi } from '../words.ts';

const id = 'call00001';
const { call: item, user: asked, say: answered, text, step } = aiSdkUi;

/** A clean history in the shapes that nearly all messages of a dialect have. */
const HISTORIES: readonly (readonly [Dialect, readonly object[]])[] = [
  ...WRITTEN.map(([dialect, { user, say, calls, results }]): [Dialect, object[]] => [
    dialect,
    [user('read'), ...calls({ id, input: { path: 'a' } }), ...results({ id, text: 'A' }), say('so')],
  ]),
  [
    'ai-sdk-ui',
    [
      asked('read'),
      answered(
        step,
        { ...text('so'), state: 'done' },
        { ...item(id, 'output-available'), output: 'A' },
        { ...item('call00002', 'output-available', 'list'), input: {}, output: { files: 2 } },
      ),
    ],
  ],
];

/** The same value in which every object that `change` is given has been changed by it. */
function everywhere(value: unknown, change: (object: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => everywhere(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, everywhere(each, change)])));
}

/** Every place in a value where a text stands, as a function that puts something else there. */
function places(value: unknown): ((other: unknown) => unknown)[] {
  if (typeof value === 'string') return [(other) => other];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    places(each).map((put) => (other: unknown) => {
      const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
      copy[key] = put(other);
      return copy;
    }),
  );
}

describe.each(HISTORIES)('%s', (dialect, history) => {
  const verdict = (list: unknown): unknown => check(list, dialect).verdict;

  test('a history in the usual shapes is clean', () => {
    expect(check(history, dialect)).toMatchObject({ verdict: 'clean', findings: [] });
  });

  test('a key of no meaning beside the others changes nothing of what is read', () => {
    const parts = (list: unknown): unknown =>
      decode(list, dialect)?.messages.map(({ role, parts: own }) => [role, own.map(({ kind }) => kind)]);
    const longer = everywhere(history, (object) =>
      'path' in object || 'files' in object ? object : { ...object, x: 1 },
    );
    expect(parts(longer)).toEqual(parts(history));
  });

  test('half a character is noticed wherever it stands', () => {
    const sound = places(history).filter((put) => verdict(put('\ud800')) === 'clean');
    expect(sound).toEqual([]);
  });

  test('what cannot be sent is noticed wherever it stands', () => {
    const sound = places(history).filter((put) => verdict(put(() => 1)) === 'clean');
    expect(sound).toEqual([]);
  });

  test('what cannot be sent is noticed beside everything else', () => {
    const objects = places(everywhere(history, (object) => ({ ...object, mark: 'here' }))).filter((put) =>
      JSON.stringify(put('there')).includes('"mark":"there"'),
    );
    const sound = objects.filter((put) => {
      const marked = everywhere(
        put(() => 1),
        ({ mark, ...rest }) => (mark === 'here' ? rest : { ...rest, mark }),
      );
      return verdict(marked) === 'clean';
    });
    expect(sound).toEqual([]);
    expect(objects.length).toBeGreaterThanOrEqual(history.length);
  });

  test('a result that was invented earlier is sound as well', () => {
    const invented = JSON.parse(
      JSON.stringify(history).replace('"A"', JSON.stringify(RESULT_TEXTS.unknown)),
    ) as unknown[];
    expect(verdict(invented)).toBe('clean');
  });
});
