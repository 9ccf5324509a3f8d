import { describe, expect, test } from 'vitest';
import { CODECS } from '../../src/dialects/dialects.ts';
import { repair, type Dialect } from '../../src/index.ts';
import { assistant, call, result, text, user } from '../anthropic-wire.ts';
import { anthropic, chat as chatWords, gemini, pydantic } from '../words.ts';

const { say } = chatWords;

const dialect = 'anthropic-messages';
const marked = { cache_control: { type: 'ephemeral' } };
const notes = (input: unknown, target: Parameters<typeof repair>[1] = dialect): string[] =>
  repair(input, target).report.repairs.map(({ note }) => note);

test('messages that are joined are named by their places in the input', () => {
  const alternating = { dialect, profile: { alternation: true } } as const;
  const input = [user('a'), assistant([text('')]), assistant('b'), user('c'), user('d'), user('e')];
  expect(notes(input, alternating)).toContain('joined messages 3 to 5');
});

test('a message that is joined with what was made of it, or beside it, has one place', () => {
  const alternating = { dialect, profile: { alternation: true } } as const;
  const divided = [user('a'), assistant([call('c1'), result('c1', 'A'), text('b')]), user('c')];
  for (const note of notes(divided, alternating)) expect(note).not.toMatch(/joined messages 2 to 3/);
});

test('a cache marker that moves or goes with its part is told', () => {
  expect(notes([user([text('a'), { ...text(''), ...marked }])])).toEqual([
    'removed a text part without text; its cache marker is on the part before it',
  ]);
  expect(notes([user([{ ...text(''), ...marked }, text('a')])])).toEqual([
    'removed a text part without text; its cache marker is gone',
  ]);
  expect(notes([user([{ ...result('c9', 'A'), ...marked }]), assistant('b')])).toEqual([
    'quoted result c9 as text of the user: no call with that id comes before it; its cache marker is gone',
  ]);
});

test('what is written in the place of an empty text is told word for word', () => {
  const input = [chatWords.user('a'), { role: 'assistant', content: '', reasoning_content: 'so' }, chatWords.user('b')];
  const target = { dialect: 'openai-chat', profile: { emptyText: 'refused' } } as const;
  const { output, report } = repair(input, target);
  expect(output[1]).toMatchObject({ content: '(no content)' });
  expect(report.repairs.map(({ note }) => note)).toEqual(['wrote (no content) in the place of an empty text']);
});

describe('what is told of a message in the form of another format', () => {
  const chat = say('Let me see.', chatWords.call('abcdefgh1'));
  const blocks = anthropic.say(anthropic.call('abcdefgh1'));
  const contents = gemini.say('a', gemini.call('read', {}, 'abcdefgh1'));
  const parts = pydantic.say('a', { part_kind: 'tool-call', tool_name: 'read', tool_call_id: 'abcdefgh1' });
  const old = {
    id: 'm',
    role: 'assistant',
    content: 'a',
    toolInvocations: [{ state: 'call', toolCallId: 'abcdefgh1', toolName: 'read', args: {} }],
  };

  test.each(Object.keys(CODECS) as Dialect[])('points at something in the input: %s', (to) => {
    for (const message of [chat, blocks, contents, parts, old]) {
      const { findings, repairs } = repair([message], to).report;
      for (const { at, rule } of [...findings, ...repairs]) {
        const keys = at.pointer.split('/').slice(1);
        const there = keys.reduce<unknown>(
          (value, key) => (value as Record<string, unknown> | undefined)?.[key],
          [message],
        );
        expect([rule, at.pointer, there === undefined]).toEqual([rule, at.pointer, false]);
      }
    }
  });
});
