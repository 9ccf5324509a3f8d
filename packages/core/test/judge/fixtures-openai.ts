import { assistant, type Message, type Part, type RefusalFixture, text, user, without } from './fixture.ts';

export const functionCall = (id: string, more: Part = {}): Part => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: '{}', ...more },
});
export const calling = (...calls: readonly Part[]): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: calls,
});
export const tool = (id: string, content: unknown = 'x'): Message => ({ role: 'tool', tool_call_id: id, content });
const chat = (model: string, messages: readonly Message[], more: Part = {}): Part => ({ model, messages, ...more });
const step = (call: Part, id: string): Message[] => [user('go'), calling(call), tool(id)];
const emptyArray = (what: string): string =>
  `Invalid '${what}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
const unanswered = (ids: string): string =>
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
  `The following tool_call_ids did not have response messages: ${ids}`;
const expectedBlocks = (i: number): string =>
  `Invalid 'messages[${i}]'. Content blocks are expected to be either text or image_url type.`;
const NULL_CONTENT = "Invalid value for 'content': expected a string, got null.";
const picture: Part = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
const refusal: Part = { type: 'refusal', refusal: 'no' };
const declared = (count: number): Part[] =>
  Array.from({ length: count }, (_, i) => ({ type: 'function', function: { name: `f${i}` } }));
const LONG = 'c'.repeat(41);

const fixtures: Omit<RefusalFixture, 'dialect' | 'purpose'>[] = [
  {
    name: 'a request without messages',
    row: 'oc-nonempty',
    text: emptyArray('messages'),
    known: 'whole',
    input: chat('gpt-4o', []),
    accepted: chat('gpt-4o', [user('hi')]),
  },
  {
    name: 'a call that a user message passes over',
    row: 'oc-answered',
    text: unanswered('c1'),
    known: 'whole',
    input: [user('go'), calling(functionCall('c1')), user('next')],
    accepted: [user('go'), calling(functionCall('c1')), tool('c1'), user('next')],
  },
  {
    name: 'calls left open at the end',
    row: 'oc-answered',
    text: unanswered('c1, c3'),
    known: 'whole',
    input: [user('go'), calling(functionCall('c1'), functionCall('c2'), functionCall('c3')), tool('c2')],
    accepted: [
      user('go'),
      calling(functionCall('c1'), functionCall('c2'), functionCall('c3')),
      tool('c2'),
      tool('c3'),
      tool('c1'),
    ],
  },
  {
    name: 'a result at the front of a trimmed list',
    row: 'oc-tool-orphan',
    text: "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    known: 'whole',
    input: [tool('c1'), user('next')],
    accepted: [user('x'), user('next')],
  },
  {
    name: 'a result behind another role',
    row: 'oc-tool-orphan',
    text: "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    known: 'whole',
    input: [...step(functionCall('c1'), 'c1'), user('next'), tool('c1')],
    accepted: [...step(functionCall('c1'), 'c1'), user('next')],
  },
  {
    name: 'a result for a call nobody made',
    row: 'oc-tool-id',
    text: "Invalid parameter: 'tool_call_id' of 'xxx' not found in 'tool_calls' of previous message.",
    known: 'whole',
    input: [...step(functionCall('c1'), 'c1'), tool('xxx')],
    accepted: [user('go'), calling(functionCall('c1'), functionCall('xxx')), tool('c1'), tool('xxx')],
  },
  {
    name: 'a result recorded twice',
    row: 'oc-id-dup',
    text: "Duplicate value for 'tool_call_id' of c1 in message[3]",
    known: 'whole',
    input: [...step(functionCall('c1'), 'c1'), tool('c1')],
    accepted: step(functionCall('c1'), 'c1'),
  },
  {
    name: 'one id for two calls',
    row: 'oc-id-dup',
    text: "Duplicate value for 'tool_call_id' of c1 in message[1]",
    known: 'whole',
    input: [user('go'), calling(functionCall('c1'), functionCall('c1')), tool('c1')],
    accepted: [user('go'), calling(functionCall('c1')), tool('c1')],
  },
  {
    name: 'an empty list of calls',
    row: 'oc-calls-nonempty',
    text: emptyArray('messages[1].tool_calls'),
    known: 'whole',
    input: [user('go'), { ...assistant('ok'), tool_calls: [] }],
    accepted: [user('go'), { ...assistant('ok'), tool_calls: null }],
  },
  {
    name: 'an id of 41 characters',
    row: 'oc-id-40',
    text:
      "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, " +
      'but got a string with length 41',
    known: 'whole',
    input: step(functionCall(LONG), LONG),
    accepted: step(functionCall(LONG.slice(1)), LONG.slice(1)),
  },
  {
    name: 'arguments that were parsed',
    row: 'oc-args-string',
    text:
      "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, " +
      'but got an object instead.',
    known: 'whole',
    input: step(functionCall('c1', { arguments: {} }), 'c1'),
    accepted: step(functionCall('c1', { arguments: '{"a' }), 'c1'),
  },
  {
    name: 'the input of a custom tool that was parsed',
    row: 'oc-args-string',
    text: "Invalid type for 'messages[1].tool_calls[0].custom.input': expected a string, but got null instead.",
    known: 'part',
    input: step({ id: 'c1', type: 'custom', custom: { name: 'read', input: null } }, 'c1'),
    accepted: step({ id: 'c1', type: 'custom', custom: { name: 'read', input: '' } }, 'c1'),
  },
  {
    name: 'a call that lost its type',
    row: 'oc-call-type',
    text: 'messages[1].tool_calls[0].type: expected function or custom',
    known: 'none',
    input: step(without(functionCall('c1'), 'type'), 'c1'),
    accepted: step(functionCall('c1'), 'c1'),
  },
  {
    name: 'a result of null',
    row: 'oc-content-null',
    text: NULL_CONTENT,
    known: 'whole',
    input: [user('go'), calling(functionCall('c1')), tool('c1', null)],
    accepted: [user('go'), calling(functionCall('c1')), tool('c1', '')],
  },
  {
    name: 'an answer without content or calls',
    row: 'oc-content-null',
    model: 'gpt-5.4-mini',
    text: NULL_CONTENT,
    known: 'whole',
    input: [user('go'), { role: 'assistant' }],
    accepted: [user('go'), { role: 'assistant', refusal: 'no' }],
  },
  {
    name: 'an empty list of parts',
    row: 'oc-parts-min',
    text: emptyArray('messages[0].content'),
    known: 'none',
    input: [user([])],
    accepted: [user([text('')])],
  },
  {
    name: 'a picture in a result',
    row: 'oc-parts-min',
    text: expectedBlocks(2),
    known: 'whole',
    input: [user('go'), calling(functionCall('c1')), tool('c1', [picture])],
    accepted: [user('go'), calling(functionCall('c1')), tool('c1', [text('x')]), user([picture])],
  },
  {
    name: 'a picture in a developer message',
    row: 'oc-parts-min',
    text: expectedBlocks(0),
    known: 'whole',
    input: [{ role: 'developer', content: [picture] }],
    accepted: [{ role: 'user', content: [picture] }],
  },
  {
    name: 'a refusal beside other parts',
    row: 'oc-parts-min',
    text: expectedBlocks(1),
    known: 'whole',
    input: [user('go'), assistant([text('a'), refusal])],
    accepted: [user('go'), assistant([refusal])],
  },
  {
    name: 'a role of another provider',
    row: 'oc-role-enum',
    text: "Unsupported value: 'messages[1].role' does not support 'model' with this model.",
    known: 'part',
    input: [user('hi'), { role: 'model', content: 'ok' }],
    accepted: [user('hi'), { role: 'assistant', content: 'ok' }],
  },
  {
    name: 'a system message to a model that takes none',
    row: 'oc-role-enum',
    model: 'o1-mini',
    text: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    known: 'whole',
    input: [{ role: 'system', content: 'be kind' }, user('hi')],
    accepted: [{ role: 'user', content: 'be kind' }, user('hi')],
  },
  {
    name: 'a function name with a dot',
    row: 'oc-name',
    text: 'messages[1].tool_calls[0].function.name: expected 1 to 64 of a-z, A-Z, 0-9, _ and -',
    known: 'none',
    input: step(functionCall('c1', { name: 'fs.read' }), 'c1'),
    accepted: step(functionCall('c1', { name: 'fs-read' }), 'c1'),
  },
  {
    name: 'more than 128 declared tools',
    row: 'oc-name',
    text:
      "Invalid 'tools': array too long. Expected an array with maximum length 128, " +
      'but got an array with length 132 instead.',
    known: 'whole',
    input: chat('gpt-4o', [user('hi')], { tools: declared(132) }),
    accepted: chat('gpt-4o', [user('hi')], { tools: declared(128) }),
  },
  {
    name: 'function tools beside reasoning, on a model that wants the other endpoint',
    row: 'oc-reasoning-tools',
    text: '/v1/responses',
    known: 'part',
    input: chat('gpt-5.4', [user('hi')], { tools: declared(1), reasoning_effort: 'high' }),
    accepted: chat('gpt-5.4', [user('hi')], { tools: declared(1), reasoning_effort: 'none' }),
  },
  {
    name: 'a text cut inside an emoji',
    row: 'an-json-utf16',
    text: 'no low surrogate in string',
    known: 'part',
    input: [user('smile \ud83d')],
    accepted: [user('smile \ud83d\ude00')],
  },
  {
    name: 'an empty id',
    row: 'shape',
    text: 'messages[1].tool_calls[0].id: expected a string of at least one character',
    known: 'none',
    input: [user('go'), calling(functionCall(''))],
    accepted: [user('go'), calling(functionCall('c')), tool('c')],
  },
  {
    name: 'a result that names no call',
    row: 'shape',
    text: 'messages[3].tool_call_id: expected a string',
    known: 'none',
    input: [...step(functionCall('c1'), 'c1'), { role: 'tool', content: 'x' }],
    accepted: step(functionCall('c1'), 'c1'),
  },
  {
    name: 'content that is an object',
    row: 'shape',
    text: 'messages[0].content: expected a string or a list',
    known: 'none',
    input: [user({ text: 'hi' })],
    accepted: [user('hi')],
  },
];

export const OPENAI_CHAT: readonly RefusalFixture[] = fixtures.map((fixture) => ({
  ...fixture,
  dialect: 'openai-chat',
  purpose: Array.isArray(fixture.input) ? 'history' : 'request',
}));
