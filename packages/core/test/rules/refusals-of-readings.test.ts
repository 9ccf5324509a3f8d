import { describe, expect, test } from 'vitest';
import { repair, type TargetInput } from '../../src/index.ts';
import { anthropic, bedrock, chat, gemini, responses } from '../words.ts';

const { rawCall, system } = chat;

/** A history that the model is known to take, a refusal of it all the same, and what is sent then. */
type Stricter = {
  readonly name: string;
  readonly target: TargetInput;
  readonly input: unknown;
  readonly refusal: string;
  readonly rule: string;
  readonly output: unknown;
  /** What the ids of calls must be like then. */
  readonly ids?: RegExp;
};

const user = (content: unknown): object => ({ role: 'user', content });
const assistant = (content: unknown): object => ({ role: 'assistant', content });
const use = (id: string): object => anthropic.call(id);
const answer = (id: string): object => anthropic.result(id, 'ok');
const call = (id: string, more: object = {}): object => ({
  role: 'assistant',
  content: null,
  tool_calls: [chat.call(id, 'read', '{"a":1}')],
  ...more,
});
const tool = (id: string): object => chat.result(id, 'ok');
const claude = { dialect: 'anthropic-messages', model: 'claude-opus-4-5' } as const;

const readings: readonly Stricter[] = [
  {
    name: 'a first message of the user is wanted',
    target: claude,
    input: [assistant('hi'), user('go')],
    refusal: 'messages: first message must use the "user" role',
    rule: 'first-message-not-user',
    output: [user([chat.text('[conversation resumed]')]), assistant('hi'), user('go')],
  },
  {
    name: 'roles must alternate',
    target: claude,
    input: [user('a'), user('b')],
    refusal: 'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
    rule: 'same-role-run',
    output: [user([chat.text('a'), chat.text('b')])],
  },
  {
    name: 'no prefill is taken',
    target: { ...claude, purpose: 'request' },
    input: [user('a'), assistant('b')],
    refusal: 'This model does not support assistant message prefill. The conversation must end with a user message.',
    rule: 'ends-with-assistant',
    output: [user('a'), assistant('b'), user([chat.text('Continue.')])],
  },
  {
    name: 'the system may not speak later',
    target: { dialect: 'anthropic-messages', model: 'claude-opus-5' },
    input: [user('a'), system('be brief'), assistant('b')],
    refusal: "role 'system' is not supported on this model",
    rule: 'system-in-conversation',
    output: [user('a'), user([chat.text('[system] be brief')]), assistant('b')],
  },
  {
    name: 'ids are shorter than was known',
    target: { dialect: 'openai-chat', model: 'someone/model' },
    input: [user('a'), call('call_0123456789'), tool('call_0123456789')],
    refusal:
      "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 12, but got a string with length 15",
    rule: 'call-id-malformed',
    output: [user('a'), call('x'), tool('x')],
    ids: /^[a-zA-Z0-9_-]{1,12}$/,
  },
  {
    name: 'ids are nine letters and digits',
    target: { dialect: 'mistral-chat', model: 'mistral-small-2603' },
    input: [user('a'), call('call_1'), tool('call_1'), assistant('b'), user('c')],
    refusal: 'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.',
    rule: 'call-id-malformed',
    output: [user('a'), call('x'), tool('x'), assistant('b'), user('c')],
    ids: /^[a-zA-Z0-9]{9}$/,
  },
  {
    name: 'absent content is refused',
    target: { dialect: 'openai-chat', model: 'gpt-5.6' },
    input: [user('a'), call('c1'), chat.result('c1', null)],
    refusal: "Invalid value for 'content': expected a string, got null.",
    rule: 'null-content',
    output: [user('a'), call('c1'), chat.result('c1', '')],
  },
  {
    name: 'every message has content',
    target: { dialect: 'openai-chat', model: 'gpt-5' },
    input: [user('a'), call('c1'), tool('c1')],
    refusal: 'Invalid request content: Each message must have at least one content element.',
    rule: 'null-content',
    output: [user('a'), call('c1', { content: '' }), tool('c1')],
  },
  {
    name: 'arguments are wanted as an object',
    target: { dialect: 'openai-chat', model: 'someone/model' },
    input: [user('a'), call('c1'), tool('c1')],
    refusal: 'Can only get item pairs from a mapping',
    rule: 'call-input-malformed',
    output: [user('a'), call('c1', { tool_calls: [rawCall('c1', 'read', { a: 1 })] }), tool('c1')],
  },
  {
    name: 'results stand alone',
    target: { dialect: 'bedrock-converse', model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0' },
    input: [
      user([gemini.text('a')]),
      assistant([bedrock.call('t1')]),
      user([bedrock.result('t1', 'ok'), gemini.text('b')]),
    ],
    refusal: 'messages.2.content: Conversation blocks and tool result blocks cannot be provided in the same turn.',
    rule: 'results-mixed',
    output: [
      user([gemini.text('a')]),
      assistant([bedrock.call('t1')]),
      user([bedrock.result('t1', 'ok')]),
      assistant([gemini.text('(no content)')]),
      user([gemini.text('b')]),
    ],
  },
  {
    name: 'a signature is wanted',
    target: { dialect: 'gemini', model: 'gemini-2.5-flash' },
    input: [gemini.user('a'), gemini.say(gemini.call('read')), gemini.user(gemini.result('read', 'ok'))],
    refusal: 'Function call `read` in the `2.` content block is missing a `thought_signature`.',
    rule: 'call-unsigned',
    output: [
      gemini.user('a'),
      gemini.say(gemini.signed(gemini.call('read'), 'skip_thought_signature_validator')),
      gemini.user(gemini.result('read', 'ok')),
    ],
  },
];

describe('a model that was read leniently', () => {
  test.each(readings.map((each) => [each.name, each] as const))(
    '%s',
    (_name, { target, input, refusal, rule, output, ids = /./ }) => {
      expect(repair(input, target).changed).toBe(false);
      const repaired = repair(input, target, { refusal });
      expect(repaired.report.refusal).toMatchObject({ known: true, rule, note: 'what it names was mended' });
      expect(repaired.changed).toBe(true);
      expect(withoutIds(repaired.output)).toEqual(withoutIds(output));
      expect(repair(repaired.output, target, { refusal }).changed).toBe(false);
      for (const [, id] of JSON.stringify(repaired.output).matchAll(/"id":"([^"]*)"/g)) expect(id).toMatch(ids);
    },
  );
});

/** Ids by number: new ones are made from the old ones, and the same for a call and its result. */
function withoutIds(value: unknown): unknown {
  const ids = new Map<unknown, string>();
  const number = (id: unknown): string => ids.get(id) ?? (ids.set(id, `id ${ids.size}`), number(id));
  const named = new Set(['id', 'tool_call_id']);
  return JSON.parse(JSON.stringify(value, (key, each: unknown) => (named.has(key) ? number(each) : each)));
}

const thinking = (text: string, signature = 'sig'): object => ({ type: 'thinking', thinking: text, signature });
const text = (said: string): object => ({ type: 'text', text: said });

describe('what a refusal names is changed', () => {
  test('a key of messages goes from every message that has it', () => {
    const messages = [{ ...user('a'), foo: 1 }, assistant('b'), { ...user('c'), foo: 2 }];
    const { output, report } = repair(
      messages,
      { dialect: 'openai-chat' },
      { refusal: 'messages.0.foo: Extra inputs are not permitted' },
    );
    expect(output).toEqual([user('a'), assistant('b'), user('c')]);
    expect(report.refusal).toMatchObject({ rule: 'extra-key', at: { message: 0, pointer: '/0' } });
    expect(report.repairs.map(({ rule, at, loss }) => [rule, at.pointer, loss])).toEqual([
      ['extra-key', '/0', 'lossy'],
      ['extra-key', '/2', 'lossy'],
    ]);
  });

  test('a key of parts goes from the parts of that type, also inside results', () => {
    const found = { type: 'web_search_tool_result', tool_use_id: 's1', content: [], note: 'x' };
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
    const messages = [user('a'), assistant([search, { ...found, tool_use_id: 'srvtoolu_1' }, text('b')])];
    const refusal = 'messages.1.content.1.web_search_tool_result.note: Extra inputs are not permitted';
    const { output } = repair(messages, claude, { refusal });
    expect(JSON.stringify(output)).not.toContain('note');
    const nested = [
      user('a'),
      assistant([use('t1')]),
      user([
        { ...answer('t1'), content: [{ type: 'search_result', source: 's', title: 't', content: [], extra: 1 }] },
        text('b'),
      ]),
      user('plain'),
    ];
    const deep = 'messages.2.content.0.tool_result.content.0.search_result.extra: Extra inputs are not permitted';
    const { output: cleaned, report } = repair(nested, claude, { refusal: deep });
    expect(JSON.stringify(cleaned)).not.toContain('extra');
    expect(report.repairs.map(({ at }) => at.pointer)).toEqual(['/2']);
  });

  test('a key that nothing has is not found', () => {
    const refusal = 'messages.0.content.0.text.foo: Extra inputs are not permitted';
    const { changed, report } = repair([user([text('a')])], claude, { refusal });
    expect([changed, report.refusal?.note]).toEqual([false, 'what it names was not found in this history']);
  });

  test('a key is taken only from the role that may not have it', () => {
    const messages = [{ ...user('a'), reasoning: 'x' }, { ...assistant('b'), reasoning: 'y' }, user('c')];
    const refusal =
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning' is unsupported)]";
    expect(repair(messages, 'openai-chat', { refusal }).output).toEqual([
      { ...user('a'), reasoning: 'x' },
      assistant('b'),
      user('c'),
    ]);
  });

  test('a field of the request goes, and nothing happens to a list that has none', () => {
    const body = { model: 'claude-opus-4-5', max_tokens: 1, context_management: {}, messages: [user('a')] };
    const refusal = 'context_management: Extra inputs are not permitted';
    const { output, report } = repair<unknown>(body, 'anthropic-messages', { refusal });
    expect(output).toEqual({ model: 'claude-opus-4-5', max_tokens: 1, messages: [user('a')] });
    expect(report.repairs[0]?.at).toEqual({ message: -1, pointer: '/context_management' });
    expect(repair([user('a')], claude, { refusal }).changed).toBe(false);
  });

  test('half a character in a field is replaced', () => {
    const body = { model: 'gpt-5', metadata: { note: 'cut \ud83d' }, user: 'whole', messages: [user('a')] };
    const { output, report } = repair<unknown>(body, 'openai-chat', { refusal: 'no low surrogate in string' });
    expect(output).toEqual({ ...body, metadata: { note: 'cut \ufffd' } });
    expect(report.refusal?.rule).toBe('field-unserialisable');
    expect(repair([user('a')], 'openai-chat', { refusal: 'no low surrogate in string' }).changed).toBe(false);
  });

  test('reasoning that is not genuine is kept as text from the named message on', () => {
    const messages = [
      user('a'),
      assistant([thinking('one'), text('b')]),
      user('c'),
      assistant([thinking('two'), text('d')]),
      user('e'),
      assistant([thinking('', 'sealed')]),
      user('f'),
    ];
    const refusal = 'messages.3.content.0: Invalid `signature` in `thinking` block';
    const { output, report } = repair(messages, claude, { refusal });
    expect(output).toEqual([
      user('a'),
      assistant([thinking('one'), text('b')]),
      user('c'),
      assistant([text('[interrupted reasoning]\ntwo'), text('d')]),
      user('e'),
      user('f'),
    ]);
    expect(report.repairs.map(({ action, at }) => [action, at.pointer])).toEqual([
      ['demote', '/3'],
      ['drop', '/5'],
    ]);
  });

  test('places behind a message that is gone are those of the input', () => {
    const messages = [user('a'), assistant([thinking('', 'sealed')]), user('b'), assistant([use('t1')]), user('c')];
    const refusal = 'messages.1.content.0: Invalid `data` in `redacted_thinking` block';
    const { report } = repair({ messages, model: 'claude-opus-4-5', tools: [{ name: 'read' }] }, 'anthropic-messages', {
      refusal,
    });
    const closed = report.repairs.find(({ rule }) => rule === 'call-without-result');
    expect(closed?.at).toMatchObject({ message: 3, pointer: '/messages/3/content/0' });
  });

  test('reasoning that was changed goes from its turn alone, or from all where none is named', () => {
    const messages = [
      user('a'),
      assistant([thinking('one'), text('b')]),
      user('c'),
      assistant([thinking('two'), text('d'), use('t1')]),
      user([answer('t1')]),
      assistant([thinking('three'), text('e')]),
    ];
    const refusal =
      'messages.3.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.';
    const { output } = repair(messages, claude, { refusal });
    expect(JSON.stringify(output).match(/"thinking":"\w+"/g)).toEqual(['"thinking":"one"', '"thinking":"three"']);
    const unplaced = refusal.replace(/^\S+ /, '');
    expect(repair(messages.slice(1, 2), claude, { refusal: unplaced }).report.repairs).toHaveLength(1);
    expect(repair(messages, claude, { refusal: unplaced }).report.repairs).toHaveLength(3);
    expect(repair(messages.slice(5), claude, { refusal: 'Invalid `signature` in `thinking` block' }).changed).toBe(
      true,
    );
  });

  test('a signature that is not taken is replaced by the stand-in', () => {
    const contents = [
      gemini.user('a'),
      gemini.say('b', gemini.signed(gemini.call('read'), 'AAAA')),
      gemini.user({ functionResponse: { name: 'read', response: {} } }),
    ];
    const { output, report } = repair(contents, 'gemini', { refusal: 'Corrupted thought signature.' });
    expect(JSON.stringify(output)).toContain('skip_thought_signature_validator');
    expect(report.refusal).toMatchObject({ rule: 'signature-corrupted' });
  });
});

const item = (id: string, more: object): object => ({ id, ...more });

describe('items that the provider does not find', () => {
  const items = [
    user('a'),
    item('rs_1', { type: 'reasoning', summary: [{ type: 'summary_text', text: 'why' }], encrypted_content: 'gAAA' }),
    item('fc_1', responses.call('c1')),
    responses.result('c1', 'ok'),
    item('msg_1', {
      type: 'message',
      role: 'assistant',
      content: [responses.outputText('b')],
      status: 'completed',
    }),
  ];

  test('are sent by their content when their reasoning is missing', () => {
    const without = items.filter((_, i) => i !== 1);
    const refusal = "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.";
    const { output, report } = repair(without, 'openai-responses', { refusal });
    expect(output[1]).toEqual(responses.call('c1'));
    // What follows in the same turn may have come of that reasoning too.
    expect(JSON.stringify(output)).not.toContain('msg_1');
    expect(report.refusal?.rule).toBe('item-lost');
  });

  test('lose their ids together with reasoning that cannot be decrypted', () => {
    const refusal = {
      error: {
        message:
          'The encrypted content gAAA… could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
        code: 'invalid_encrypted_content',
      },
    };
    const { output } = repair(items, 'openai-responses', { refusal });
    expect(JSON.stringify(output)).not.toMatch(/"(?:rs|fc|msg)_1"|gAAA/);
    expect(JSON.stringify(output)).toContain('[interrupted reasoning]\\nwhy');
  });

  test('go when they are only references', () => {
    const refusal = "Item with id 'msg_9' not found. Items are not persisted when `store` is set to false.";
    for (const reference of [{ type: 'item_reference', id: 'msg_9' }, { id: 'msg_9' }]) {
      expect(repair([user('a'), reference], 'openai-responses', { refusal }).output).toEqual([user('a')]);
    }
    expect(repair([item('msg_9', user('a'))], 'openai-responses', { refusal }).changed).toBe(false);
  });
});

describe('pieces of a kind that is not taken', () => {
  test('are told as text', () => {
    const refusal =
      "messages.0.content.1: Input tag 'image_url' found using 'type' does not match any of the expected tags";
    const shown = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    const { output } = repair([user([text('a'), shown, 'loose'])], claude, { refusal });
    expect(JSON.stringify(output)).toContain('[image_url] {');
    expect(JSON.stringify(output)).not.toContain('"type":"image_url"');
    const result = [user('a'), assistant([use('t1')]), user([{ ...answer('t1'), content: [shown] }])];
    expect(JSON.stringify(repair(result, claude, { refusal }).output)).toContain('[image_url] {');
  });

  test('are told as text in the named message alone', () => {
    const said = { type: 'refusal', refusal: 'no' };
    const messages = [system(text('a'), said), system(said), user('b')];
    const refusal = "Invalid 'messages[1]'. Content blocks are expected to be either text or image_url type.";
    expect(repair(messages, 'openai-chat', { refusal }).output).toEqual([messages[0], system(text('no')), user('b')]);
    const unplaced = 'Content blocks are expected to be either text or image_url type.';
    expect(repair(messages, 'openai-chat', { refusal: `Invalid '${unplaced}` }).output[0]).toEqual(
      system(text('a'), text('no')),
    );
  });
});
