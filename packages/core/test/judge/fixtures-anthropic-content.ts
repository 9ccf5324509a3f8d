import {
  assistant,
  exchange,
  image,
  marked,
  type Message,
  type Part,
  READ_TOOL,
  type RefusalFixture,
  request,
  text,
  thinking,
  toolResult,
  toolUse,
  user,
  without,
} from './fixture.ts';

const SONNET_5 = 'claude-sonnet-5';
const NONEMPTY = 'all messages must have non-empty content except for the optional final assistant message';
const BLANK = 'messages: text content blocks must contain non-whitespace text';
const EMPTY = 'messages: text content blocks must be non-empty';
const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const filled = (units: number): Part => request(SONNET_5, [user('x'.repeat(units))]);
const MAX_BYTES = 32 * 1024 * 1024;
const FRAME = JSON.stringify(filled(0)).length;

const content: Omit<RefusalFixture, 'dialect'>[] = [
  {
    name: 'an empty answer in the middle',
    row: 'an-content-nonempty',
    purpose: 'history',
    text: `messages.1: ${NONEMPTY}`,
    known: 'whole',
    input: [user('hi'), assistant([]), user('x')],
    accepted: [user('hi'), user('x'), assistant([])],
  },
  {
    name: 'a user message of no characters',
    row: 'an-content-nonempty',
    purpose: 'history',
    text: `messages.0: ${NONEMPTY}`,
    known: 'whole',
    input: [user('')],
    accepted: [user('a')],
  },
  {
    name: 'an empty text beside a call',
    row: 'an-text-nonempty',
    purpose: 'history',
    text: EMPTY,
    known: 'whole',
    input: exchange([text(''), toolUse('t1')], [toolResult('t1')]),
    accepted: exchange([toolUse('t1')], [toolResult('t1')]),
  },
  {
    name: 'an empty text inside a result',
    row: 'an-text-nonempty',
    purpose: 'history',
    text: EMPTY,
    known: 'whole',
    input: exchange([toolUse('t1')], [toolResult('t1', { content: [text('')] })]),
    accepted: exchange([toolUse('t1')], [toolResult('t1', { content: '' })]),
  },
  {
    name: 'a blank text',
    row: 'an-text-nonblank',
    purpose: 'history',
    text: BLANK,
    known: 'whole',
    input: [user([text(' \n\t')])],
    accepted: [user([text(' \n\ta')])],
  },
  {
    name: 'a blank string as content',
    row: 'an-text-nonblank',
    purpose: 'history',
    text: BLANK,
    known: 'whole',
    input: [user('\u00a0')],
    accepted: [user('é')],
  },
  {
    name: 'a blank text inside a result',
    row: 'an-text-nonblank',
    purpose: 'history',
    text: BLANK,
    known: 'whole',
    input: exchange([toolUse('t1')], [toolResult('t1', { content: [text(' ')] })]),
    accepted: exchange([toolUse('t1')], [toolResult('t1', { content: ' ' })]),
  },
  {
    name: 'a cache marker on an empty text',
    row: 'an-cache-empty',
    purpose: 'history',
    text: 'messages.0.content.1.text: cache_control cannot be set for empty text blocks',
    known: 'whole',
    input: [user([text('hi'), marked(text(''))])],
    accepted: [user([marked(text('hi'))])],
  },
  {
    name: 'five cache markers in the list',
    row: 'an-cache-max4',
    purpose: 'history',
    text: 'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    known: 'whole',
    input: [user(many(5, marked(text('x'))))],
    accepted: [user([...many(4, marked(text('x'))), text('x')])],
  },
  {
    name: 'five cache markers over tools, system, messages and results',
    row: 'an-cache-max4',
    purpose: 'request',
    text: 'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    known: 'whole',
    input: markedEverywhere(marked(text('x'))),
    accepted: markedEverywhere(text('x')),
  },
  {
    name: 'thinking said by the user',
    row: 'an-block-role',
    purpose: 'history',
    text: 'messages.1: `thinking` blocks can only be in `assistant` messages',
    known: 'whole',
    input: [user('hi'), user([thinking('sig'), text('x')])],
    accepted: [user('hi'), assistant([thinking('sig'), text('x')])],
  },
  {
    name: 'a call made by the user',
    row: 'an-block-role',
    purpose: 'history',
    text: 'messages.0: `tool_use` blocks can only be in `assistant` messages',
    known: 'whole',
    input: [user([toolUse('t1')])],
    accepted: [user([text('t1')])],
  },
  {
    name: 'a result given by the assistant',
    row: 'an-block-role',
    purpose: 'history',
    text: 'messages.1: `tool_result` blocks can only be in `user` messages',
    known: 'whole',
    input: [user('hi'), assistant([toolResult('t1')])],
    accepted: [user('hi'), assistant([text('t1')])],
  },
  {
    name: 'an image in a system message',
    row: 'an-block-role',
    purpose: 'history',
    model: 'claude-opus-4-8',
    text: 'messages.1: `image` blocks can only be in `user` messages',
    known: 'whole',
    input: [user('hi'), { role: 'system', content: [image] }],
    accepted: [user('hi'), { role: 'user', content: [image] }],
  },
  {
    name: 'a text cut inside an emoji',
    row: 'an-json-utf16',
    purpose: 'history',
    text: 'no low surrogate in string',
    known: 'part',
    input: [user('smile \ud83d')],
    accepted: [user('smile \ud83d\ude00')],
  },
  {
    name: 'a key cut inside an emoji, deep in the input of a call',
    row: 'an-json-utf16',
    purpose: 'history',
    text: 'no low surrogate in string',
    known: 'part',
    input: exchange([toolUse('t1', { input: { a: [{ '\udc00': 1 }] } })], [toolResult('t1')]),
    accepted: exchange([toolUse('t1', { input: { a: [{ '\ufffd': 1 }] } })], [toolResult('t1')]),
  },
  {
    name: 'more than a hundred images, some of them in results',
    row: 'an-images',
    purpose: 'history',
    text: 'many-image requests',
    known: 'part',
    input: exchange([toolUse('t1')], [toolResult('t1', { content: many(50, image) }), ...many(51, image)]),
    accepted: exchange([toolUse('t1')], [toolResult('t1', { content: many(50, image) }), ...many(50, image)]),
  },
  {
    name: 'more than six hundred images, to a model with a large window',
    row: 'an-images',
    purpose: 'history',
    model: 'claude-sonnet-4-6',
    text: 'many-image requests',
    known: 'part',
    input: [user(many(601, image))],
    accepted: [user(many(600, image))],
  },
  {
    name: 'a body one byte too long',
    row: 'an-size',
    purpose: 'request',
    text: 'request_too_large',
    known: 'part',
    input: filled(MAX_BYTES - FRAME + 1),
    accepted: filled(MAX_BYTES - FRAME),
  },
  {
    name: 'a body that is too long in bytes though not in characters',
    row: 'an-size',
    purpose: 'request',
    text: 'request_too_large',
    known: 'part',
    input: request(SONNET_5, [user('é'.repeat(17_000_000))]),
    accepted: request(SONNET_5, [user('e'.repeat(17_000_000))]),
  },
  {
    name: 'one message too many',
    row: 'an-count',
    purpose: 'request',
    text: 'messages: more than 100000 messages',
    known: 'none',
    input: many<Message>(100_001, user('x')),
    accepted: many<Message>(100_000, user('x')),
  },
  {
    name: 'thinking without a signature',
    row: 'an-sig-valid',
    purpose: 'history',
    text: 'messages.1.content.0.thinking.signature: Field required',
    known: 'whole',
    input: [user('hi'), assistant([without(thinking('sig'), 'signature'), text('x')])],
    accepted: [user('hi'), assistant([thinking('sig'), text('x')])],
  },
  {
    name: 'redacted thinking without its data',
    row: 'an-sig-valid',
    purpose: 'history',
    text: 'messages.1.content.0: Invalid `data` in `redacted_thinking` block',
    known: 'whole',
    input: [user('hi'), assistant([{ type: 'redacted_thinking', data: '' }, text('x')])],
    accepted: [user('hi'), assistant([{ type: 'redacted_thinking', data: 'abc' }, text('x')])],
  },
  {
    name: 'thinking with an empty signature',
    row: 'an-sig-empty',
    purpose: 'history',
    text: 'messages.1.content.0.thinking: each thinking block must contain thinking',
    known: 'whole',
    input: [user('hi'), assistant([thinking(''), text('x')])],
    accepted: [user('hi'), assistant([thinking('sig'), text('x')])],
  },
  {
    name: 'a tool loop without its thinking while thinking is on',
    row: 'an-think-first',
    purpose: 'request',
    text:
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. ' +
      'When `thinking` is enabled, a final `assistant` message must start with a thinking block ' +
      '(preceeding the lastmost set of `tool_use` and `tool_result` blocks). ' +
      'We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`.',
    known: 'part',
    input: looping('enabled', [toolUse('t1')]),
    accepted: looping('enabled', [thinking('sig'), toolUse('t1')]),
  },
  {
    name: 'thinking at the end of an answer',
    row: 'an-think-not-last',
    purpose: 'history',
    text: 'messages.1: The final block in an assistant message cannot be `thinking`.',
    known: 'whole',
    input: [user('hi'), assistant([thinking('sig')])],
    accepted: [user('hi'), assistant([thinking('sig'), text('x')])],
  },
  {
    name: 'thinking after text, to a model that wants it first',
    row: 'an-think-first-block',
    purpose: 'history',
    model: 'claude-3-7-sonnet-20250219',
    text:
      'If an assistant message contains any thinking blocks, the first block must be `thinking` or ' +
      '`redacted_thinking`. Found `text`.',
    known: 'whole',
    input: [user('hi'), assistant([text('a'), thinking('sig'), text('x')])],
    accepted: [user('hi'), assistant([thinking('sig'), text('a'), text('x')])],
  },
];

function markedEverywhere(last: Part): Part {
  const messages = [
    user([marked(text('a'))]),
    assistant([marked(toolUse('t1'))]),
    user([toolResult('t1', { content: [last] })]),
  ];
  return request(SONNET_5, messages, { tools: [marked(READ_TOOL)], system: [marked(text('b'))] });
}

function looping(mode: string, parts: readonly Part[]): Part {
  const messages = [user('go'), assistant(parts), user([toolResult('t1')])];
  return request('claude-sonnet-4-5', messages, { tools: [READ_TOOL], thinking: { type: mode } });
}

export const ANTHROPIC_CONTENT: readonly RefusalFixture[] = content.map((fixture) => ({
  ...fixture,
  dialect: 'anthropic-messages',
}));
