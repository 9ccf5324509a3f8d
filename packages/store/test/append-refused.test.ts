import { type NewCheckpoint, type NewRecord, type Session, StoreError, open } from '@rethread/store';
import { describe, expect, test } from 'vitest';

const dialect = 'anthropic-messages';
const wire = { role: 'user', content: 'Hello.' };
const hello: NewRecord = { kind: 'message', data: { dialect, wire } };

const newSession = async (): Promise<Session> => (await open('memory:')).create();

/** The code and message of a refused append. */
async function refusalOf(work: Promise<unknown>): Promise<readonly [string, string]> {
  try {
    await work;
    return ['done', ''];
  } catch (error) {
    if (error instanceof StoreError) return [error.code, error.message];
    throw error;
  }
}

describe('a message that cannot be part of a history is refused, and nothing is written', () => {
  const unknown = /unknown dialect "anthropic"; valid dialects: .*"anthropic-messages".*"openai-agents"/;
  const noDialect = /the dialect is missing; valid dialects: /;
  const noWire = /data\.wire must be the message, an object in its dialect; it is/;
  test.each<[string, unknown, RegExp]>([
    ['an unknown dialect', { dialect: 'anthropic', wire }, unknown],
    ['a name that every object inherits', { dialect: 'constructor', wire }, /unknown dialect "constructor"/],
    ['no dialect', { wire }, noDialect],
    ['a dialect that is not a string', { dialect: 7, wire }, /the dialect is a number; valid dialects: /],
    ['a message instead of a wire', { dialect, message: wire }, noWire],
    ['a wire that JSON omits', { dialect, wire: () => wire }, noWire],
    ['a wire that is null', { dialect, wire: null }, noWire],
    ['a wire that is a text', { dialect, wire: 'Hello.' }, noWire],
    ['a wire that is a list', { dialect, wire: [wire] }, noWire],
    ['the bare message as data', wire, noDialect],
    ['data that is null', null, /data must be an object/],
    ['no data', undefined, /data must be an object/],
    ['a list as data', [hello], /data must be an object/],
  ])('%s', async (_, data, sentence) => {
    const session = await newSession();
    const odd: NewRecord = { kind: 'message', data };
    for (const records of [odd, [odd], [hello, odd], [odd, hello]]) {
      const [code, said] = await refusalOf(session.append(records, { op: 'x' }));
      expect(code).toBe('unstorable');
      expect(said).toMatch(sentence);
    }
    expect((await session.info()).seq).toBe(0);
    expect(await refusalOf(session.append(hello))).toEqual(['done', '']);
  });

  test('data that throws when it is read', async () => {
    const session = await newSession();
    const fail = (): never => {
      throw new Error('no');
    };
    const data = new Proxy({ dialect, wire }, { get: fail });
    expect((await refusalOf(session.append({ kind: 'message', data })))[0]).toBe('unstorable');
    expect((await session.info()).seq).toBe(0);
  });
});

test('a message is validated as its toJSON stores it', async () => {
  const session = await newSession();
  await session.append({ kind: 'message', data: { toJSON: () => ({ dialect, wire }) } });
  expect((await session.project())?.messages).toHaveLength(1);
  const [code] = await refusalOf(session.append({ kind: 'message', data: { dialect, wire, toJSON: () => ({}) } }));
  expect(code).toBe('unstorable');
});

test('records of other kinds are carried, whatever they contain', async () => {
  const session = await newSession();
  for (const kind of ['from the future', 'note', 'state']) await session.append({ kind, data: { dialect: 'x' } });
  expect((await session.info()).seq).toBe(3);
});

const talk: readonly NewRecord[] = ['one', 'two', 'three'].map((content, index) => ({
  kind: 'message',
  data: { dialect, wire: { role: index % 2 === 0 ? 'user' : 'assistant', content } },
}));
const range = { from: 1, to: 3 };

/** Replacements without content, in every form. */
const nothings: readonly (readonly [string, object])[] = [
  ['no summary', range],
  ['a summary that is a number', { ...range, summary: 7 }],
  ['a blank summary', { ...range, summary: ' \n' }],
  ['a list as a summary', { ...range, summary: [{ role: 'user', content: 'S' }] }],
  ['an empty message', { ...range, summary: {}, dialect }],
  ['a message without content', { ...range, summary: { role: 'user', content: '' }, dialect }],
  ['a message that no model accepts', { ...range, summary: { role: 'user', content: 7 }, dialect }],
  ['an object that is not a message', { ...range, summary: { foo: 'x' }, dialect }],
  ['an unknown dialect', { ...range, summary: { role: 'user', content: 'S' }, dialect: 'anthropic' }],
  ['no message in the list', { ...range, messages: [] }],
  ['an empty entry', { ...range, messages: [{}] }],
  ['a string as an entry', { ...range, messages: ['S'] }],
  ['an entry without a number', { ...range, messages: [{ seq: 'x' }] }],
];

describe('a checkpoint that cannot be part of a history is refused, and the history stays', () => {
  const texts = async (session: Session): Promise<unknown> => (await session.project())?.messages.length;
  const refused = async (work: (session: Session) => Promise<unknown>): Promise<string> => {
    const session = await newSession();
    await session.append(talk);
    const [code, said] = await refusalOf(work(session));
    expect([(await session.info()).seq, await texts(session)]).toEqual([3, 3]);
    return `${code}: ${said}`;
  };

  test.each(nothings)('append: %s', async (_, data) => {
    expect(await refused((session) => session.append({ kind: 'checkpoint', data }))).toMatch(
      /^unstorable: checkpoint not stored: /,
    );
  });

  test.each<[string, unknown]>([
    ['no data', undefined],
    ['data that is a text', 'S'],
    ['no range', { summary: 'S' }],
    ['a range that ends before it starts', { from: 3, to: 1, summary: 'S' }],
    ['a number that is none', { undo: 'x' }],
    ['a range without a summary next to an undo', { ...range, undo: 4 }],
    ['a hole in the list', { ...range, messages: new Array(1) }],
    ['a message without its dialect', { ...range, summary: { role: 'user', content: 'S' } }],
  ])('append: %s', async (_, data) => {
    expect(await refused((session) => session.append({ kind: 'checkpoint', data }))).toMatch(
      /^unstorable: checkpoint not stored: /,
    );
  });

  test.each(nothings)('compact: %s', async (_, data) => {
    expect(await refused((session) => session.compact(data as NewCheckpoint))).toMatch(
      /^unsupported: nothing was compacted: /,
    );
  });

  test.each([{ foo: 'x' }, { role: 'user', content: 7 }])('compact with a function that returns %j', async (wire) => {
    expect(await refused((session) => session.compact(() => [wire]))).toMatch(/^unsupported: nothing was compacted/);
  });
});

test.each<[string, object, number]>([
  ['a text', { ...range, summary: 'S' }, 1],
  ['a message', { ...range, summary: { role: 'user', content: 'S' }, dialect }, 1],
  ['a system message', { ...range, summary: { role: 'system', content: 'S' }, dialect: 'openai-chat' }, 1],
  ['messages', { ...range, messages: [{ wire: { role: 'user', content: 'S' } }, { seq: 3 }], dialect }, 2],
  ['texts', { ...range, messages: [{ wire: 'S' }] }, 1],
  ['numbers alone', { ...range, messages: [{ seq: 1 }, { seq: 3 }] }, 2],
  ['an undone checkpoint', { undo: 4 }, 3],
])('append accepts a checkpoint of %s', async (_, data, length) => {
  const session = await newSession();
  await session.append(talk);
  await session.append({ kind: 'checkpoint', data });
  expect((await session.project())?.messages).toHaveLength(length);
});
