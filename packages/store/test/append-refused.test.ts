import { type NewRecord, type Session, StoreError, open } from '@rethread/store';
import { describe, expect, test } from 'vitest';

const dialect = 'anthropic-messages';
const wire = { role: 'user', content: 'Hello.' };
const hello: NewRecord = { kind: 'message', data: { dialect, wire } };

const newSession = async (): Promise<Session> => (await open('memory:')).create();

/** How an append is refused: its code and its sentence. */
async function refusalOf(work: Promise<unknown>): Promise<readonly [string, string]> {
  try {
    await work;
    return ['done', ''];
  } catch (error) {
    if (error instanceof StoreError) return [error.code, error.message];
    throw error;
  }
}

describe('a message that no history could be read from is refused, and nothing is written', () => {
  const unknown = /unknown dialect "anthropic"; valid dialects: .*"anthropic-messages".*"openai-agents"/;
  const noDialect = /data\.dialect is missing; valid dialects: /;
  const noWire = /data\.wire must be the message, an object in its dialect; it is/;
  test.each<[string, unknown, RegExp]>([
    ['an unknown dialect', { dialect: 'anthropic', wire }, unknown],
    ['a name that every object has', { dialect: 'constructor', wire }, /unknown dialect "constructor"/],
    ['no dialect', { wire }, noDialect],
    ['a dialect that is no text', { dialect: 7, wire }, /data\.dialect is a number; valid dialects: /],
    ['a message in place of a wire', { dialect, message: wire }, noWire],
    ['a wire that JSON leaves out', { dialect, wire: () => wire }, noWire],
    ['a wire that is null', { dialect, wire: null }, noWire],
    ['a wire that is a text', { dialect, wire: 'Hello.' }, noWire],
    ['a wire that is a list', { dialect, wire: [wire] }, noWire],
    ['the message itself as data', wire, noDialect],
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

  test('one that throws when it is looked at', async () => {
    const session = await newSession();
    const fail = (): never => {
      throw new Error('no');
    };
    const data = new Proxy({ dialect, wire }, { get: fail });
    expect((await refusalOf(session.append({ kind: 'message', data })))[0]).toBe('unstorable');
    expect((await session.info()).seq).toBe(0);
  });
});

test('what a class makes of a message when it is stored is what counts', async () => {
  const session = await newSession();
  await session.append({ kind: 'message', data: { toJSON: () => ({ dialect, wire }) } });
  expect((await session.project())?.messages).toHaveLength(1);
  const [code] = await refusalOf(session.append({ kind: 'message', data: { dialect, wire, toJSON: () => ({}) } }));
  expect(code).toBe('unstorable');
});

test('records of other kinds are carried, whatever they hold', async () => {
  const session = await newSession();
  for (const kind of ['from the future', 'note', 'state']) await session.append({ kind, data: { dialect: 'x' } });
  expect((await session.info()).seq).toBe(3);
});
