import { describe, expect, test } from 'vitest';
import { check, convert, repair, type Dialect } from '../../src/index.ts';
import { removeEmptyResponses, runCleanupLoop, sanitizeRecoveredMessages } from '../../src/resume/index.ts';
import { bedrock, chat, gemini, langchain, pydantic } from '../words.ts';

const { say, text } = chat;

const user = chat.user('why?');
const call = chat.call('abcdefgh1');

/** How programs keep what a model has thought beside an answer without a word. */
const THOUGHTS: readonly (readonly [string, object])[] = [
  ['reasoning_content', { reasoning_content: 'Let me think.' }],
  ['reasoning', { reasoning: 'Let me think.' }],
  ['reasoning_details', { reasoning_details: [{ type: 'reasoning.text', text: 'Let me think.' }] }],
  ['thinking_blocks', { thinking_blocks: [{ type: 'thinking', thinking: 'Let me think.', signature: 's' }] }],
];

const said = (messages: unknown): string => JSON.stringify(messages);

describe.each(THOUGHTS)('what a model has thought, kept as %s', (_key, thought) => {
  const open = [user, { role: 'assistant', content: null, ...thought, tool_calls: [call] }, user];

  test.each(['openai-chat', 'mistral-chat'] as const)(
    'stays in %s when the call beside it goes',
    (dialect: Dialect) => {
      const { output } = repair(open, dialect, { policy: 'discard' });
      expect(output).toHaveLength(3);
      expect(said(output)).toContain('Let me think.');
      expect(said(output)).not.toContain('abcdefgh1');
      expect(check(output, dialect).verdict).toBe('clean');
    },
  );

  test.each(['preserve', 'discard'] as const)('stays when an empty list of calls goes: %s', (policy) => {
    const list = [user, { role: 'assistant', content: null, ...thought, tool_calls: [] }, user];
    const { output } = repair(list, 'openai-chat', { policy });
    expect(output).toEqual([user, { role: 'assistant', content: '', ...thought }, user]);
  });

  test('stays when the text around it is mended', () => {
    const list = [user, { role: 'assistant', content: null, ...thought, note: 'cut \ud83d' }, user];
    expect(said(repair(list, 'openai-chat').output)).toContain('Let me think.');
  });

  test('survives a recovery and the cleanup loop, and is no empty response', () => {
    expect(said(sanitizeRecoveredMessages(open))).toContain('Let me think.');
    const { messages, changed } = runCleanupLoop(open);
    expect([changed, said(messages).includes('Let me think.')]).toEqual([true, true]);
    for (const content of [null, '']) {
      const list = [user, { role: 'assistant', content, ...thought }];
      expect(removeEmptyResponses(list).messages).toBe(list);
    }
  });
});

test('a thought among what LangChain has no field for stays when the call beside it goes', () => {
  const kept = { additional_kwargs: { reasoning_content: 'Let me think.' } };
  const list = [
    langchain.user('why?'),
    { type: 'ai', content: '', ...kept, tool_calls: [{ id: 'c1', name: 'read', args: {} }] },
    langchain.user('well?'),
  ];
  const { output } = repair(list, 'langchain', { policy: 'discard' });
  expect(output).toHaveLength(3);
  expect(said(output)).toContain('Let me think.');
});

test('an answer of nothing but calls goes with them, whatever its store says about it', () => {
  const about = { id: 'msg_1', timestamp: 'today', uuid: 'u-1', reasoning_content: '', raw_content: [] };
  const list = [user, { role: 'assistant', content: null, ...about, tool_calls: [call] }, user];
  expect(repair(list, 'openai-chat', { policy: 'discard' }).output).toEqual([user, user]);
});

test('a message that goes is told of, and not only the empty list in it', () => {
  const { report } = repair([user, { role: 'assistant', content: null, tool_calls: [] }], 'openai-chat');
  expect(report.repairs.map(({ rule }) => rule)).toContain('empty-message');
});

describe('a thought that another provider has sealed, beside text', () => {
  const SEALED: readonly (readonly [string, object])[] = [
    ['redacted_thinking', { type: 'redacted_thinking', data: 'c2VhbGVk' }],
    ['a signature and no text', { type: 'thinking', thinking: '', signature: 'c2VhbGVk' }],
    ['redactedContent', { reasoningContent: { redactedContent: 'c2VhbGVk' } }],
    ['encrypted_content', { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2VhbGVk' }],
    ['a thinking part', { part_kind: 'thinking', content: '', signature: 'c2VhbGVk' }],
  ];
  const answers: readonly (readonly [Dialect, (piece: object) => readonly object[]])[] = [
    ['anthropic-messages', (piece) => [user, say(piece, 'Yes.')]],
    ['openai-chat', (piece) => [user, say(piece, 'Yes.')]],
    ['mistral-chat', (piece) => [user, say(piece, 'Yes.')]],
    ['bedrock-converse', (piece) => [bedrock.user('why?'), bedrock.say(piece, 'Yes.')]],
    ['gemini', (piece) => [gemini.user('why?'), gemini.say(piece, 'Yes.')]],
    ['pydantic-ai', (piece) => [pydantic.say(piece, 'Yes.')]],
  ];

  test.each(answers.flatMap(([dialect, make]) => SEALED.map(([name, piece]) => [dialect, name, make(piece)] as const)))(
    'is kept in %s, or told to be gone: %s',
    (dialect, _name, list) => {
      const { output, report } = repair(list, dialect);
      expect(said(output)).toContain('Yes.');
      if (said(output).includes('c2VhbGVk')) return;
      expect(report.repairs.filter(({ loss, note }) => loss === 'lossy' && note.includes('reasoning'))).toHaveLength(1);
    },
  );

  test('is not told of where there was nothing in it', () => {
    const piece = { type: 'thinking', thinking: '', signature: '' };
    const list = [user, say(piece, 'Yes.')];
    expect(repair(list, 'openai-chat').report.repairs.map(({ loss }) => loss)).toEqual(['none']);
  });
});

test('LangChain: the summary of a thought is read where the thought itself cannot be sent', () => {
  const thought = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Let me think.' }] };
  const list = [langchain.user('why?'), { type: 'ai', content: [thought] }, langchain.user('well?')];
  const { output, report } = repair(list, 'langchain');
  expect([said(output).includes('Let me think.'), report.preserved.ratio]).toEqual([true, 1]);
  const answer = { type: 'ai', content: [thought, text('Yes.')] };
  const crossed = convert([langchain.user('why?'), answer], {
    from: 'langchain',
    to: 'anthropic-messages',
  });
  expect(said(crossed.output)).toContain('Let me think.');
});
