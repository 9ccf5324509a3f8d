import {
  type AcceptedFixture,
  assistant,
  exchange,
  found,
  image,
  READ_TOOL,
  request,
  search,
  SEARCH_TOOL,
  system,
  text,
  thinking,
  toolResult,
  toolUse,
  user,
} from './fixture.ts';
import { calling, functionCall, tool } from './fixtures-openai.ts';
import { asked, builtin, prompt, pyCall, pyReturn, responded, retry, said } from './fixtures-pydantic.ts';

const OPUS_48 = 'claude-opus-4-8';
const twelve = Array.from({ length: 12 }, (_, i) => `t${i}`);
const paused = [user('go'), assistant([text('so'), search('srvtoolu_1'), found('srvtoolu_1'), search('srvtoolu_2')])];
const directive = { role: 'system', content: [], output_config: { effort: 'low' } };
const anthropic = (name: string, input: unknown, model?: string): AcceptedFixture => ({
  name,
  dialect: 'anthropic-messages',
  purpose: Array.isArray(input) ? 'history' : 'request',
  input,
  ...(model === undefined ? {} : { model }),
});
const other = (dialect: 'openai-chat' | 'pydantic-ai', name: string, input: unknown): AcceptedFixture => ({
  name,
  dialect,
  purpose: Array.isArray(input) ? 'history' : 'request',
  input,
});

/** Inputs that folklore calls illegal and providers take. */
export const ACCEPTED: readonly AcceptedFixture[] = [
  anthropic('an empty history', []),
  anthropic('runs of one role', [user('a'), user('b'), assistant('c'), assistant('d'), user('e')]),
  anthropic('an id used again in a later answered turn', [
    ...exchange([toolUse('t1')], [toolResult('t1')]),
    ...exchange([toolUse('t1')], [toolResult('t1')]),
  ]),
  anthropic('signed thinking without words', [
    user('hi'),
    assistant([{ ...thinking('sig'), thinking: '' }, text('ok')]),
  ]),
  anthropic(
    'twelve parallel calls answered in another order',
    exchange(
      twelve.map((id) => toolUse(id)),
      twelve.toReversed().map((id) => toolResult(id)),
    ),
  ),
  anthropic('a history that pauses inside a server call', paused),
  anthropic(
    'a paused turn sent back to a model without prefill',
    request('claude-opus-5', paused, { tools: [SEARCH_TOOL] }),
  ),
  anthropic(
    'a paused turn sent back while thinking is on',
    request('claude-sonnet-4-5', paused, { tools: [SEARCH_TOOL], thinking: { type: 'enabled', budget_tokens: 1024 } }),
  ),
  anthropic(
    'a turn that ends in a server result, sent back',
    request('claude-opus-5', [user('go'), assistant([search('srvtoolu_1'), found('srvtoolu_1')])], {
      tools: [SEARCH_TOOL],
    }),
  ),
  anthropic(
    'a system message inside the list',
    [user('a'), assistant('b'), user('c'), system('d'), assistant('e')],
    OPUS_48,
  ),
  anthropic(
    'a run of system messages at the end',
    [user('a'), user('b'), system('c'), system('d')],
    'claude-fable-5-1',
  ),
  anthropic('a directive without content anywhere, on any model', [
    user('a'),
    directive,
    user('b'),
    assistant('c'),
    directive,
  ]),
  anthropic('a directive between a call and its result', [
    user('go'),
    assistant([toolUse('t1')]),
    directive,
    user([toolResult('t1')]),
  ]),
  anthropic('results split over several user messages', [
    user('go'),
    assistant([toolUse('t1'), toolUse('t2')]),
    user([toolResult('t2')]),
    user([toolResult('t1'), text('next')]),
  ]),
  anthropic('calls of one turn split over two messages', [
    user('go'),
    assistant([toolUse('t1')]),
    assistant([toolUse('t2')]),
    user([toolResult('t1'), toolResult('t2')]),
  ]),
  anthropic('an empty answer at the end', [user('hi'), assistant('')]),
  anthropic(
    'an assistant message first on a model of today',
    [assistant('hi'), user('x')],
    'claude-sonnet-4-5-20250929',
  ),
  anthropic('a history whose last answer ends in white space', [user('hi'), assistant('ok ')]),
  anthropic(
    'thinking after text on a model of today',
    [user('a'), assistant([text('b'), thinking('s'), text('c')])],
    OPUS_48,
  ),
  anthropic('a blank string as a result', exchange([toolUse('call_1')], [toolResult('call_1', { content: ' ' })])),
  anthropic('a name of two hundred emoji', exchange([toolUse('t1', { name: '😀'.repeat(200) })], [toolResult('t1')])),
  anthropic('parts and results of kinds nobody knows yet', [
    user([{ type: 'hologram', foo: 1 }]),
    assistant([{ type: 'dream', bar: 2 }, toolUse('t1')]),
    user([toolResult('t1', { content: [{ type: 'smell', baz: 3 }] })]),
  ]),
  anthropic('keys without a value', [{ role: 'user', content: [{ ...text('a'), id: undefined }], id: undefined }]),
  anthropic('an image said by the assistant', [user('draw'), assistant([image])]),
  anthropic(
    'the code execution tools that one declaration implies',
    request(
      'claude-sonnet-4-6',
      [
        user('go'),
        assistant([
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'bash_code_execution', input: {} },
          { type: 'bash_code_execution_tool_result', tool_use_id: 'srvtoolu_1', content: {} },
        ]),
        user('next'),
      ],
      { tools: [{ type: 'code_execution_20260120', name: 'code_execution' }] },
    ),
  ),
  anthropic(
    'a tool loop without thinking in adaptive mode',
    request('claude-opus-4-6', [user('go'), assistant([toolUse('t1')]), user([toolResult('t1')])], {
      tools: [READ_TOOL],
      thinking: { type: 'adaptive' },
    }),
  ),
  anthropic(
    'a prefill on an older model',
    request('us.anthropic.claude-3-5-sonnet-20241022-v2:0', [user('a'), assistant('b')]),
  ),
  anthropic(
    'a reference to a tool of an MCP server declared as a whole',
    request(
      'claude-opus-4-8',
      [
        user('go'),
        assistant([toolUse('t1')]),
        user([toolResult('t1', { content: [{ type: 'tool_reference', tool_name: 'ask' }] })]),
      ],
      { tools: [READ_TOOL, { type: 'mcp_toolset', mcp_server_name: 'wiki' }] },
    ),
  ),
  other('openai-chat', 'an empty history', []),
  other('openai-chat', 'any order of roles, with system messages inside', [
    assistant('a'),
    user('b'),
    user('c'),
    system('d'),
    assistant('e'),
    assistant('f'),
    { role: 'developer', content: 'g' },
  ]),
  other('openai-chat', 'a request that ends in an answer', { model: 'gpt-4o', messages: [user('a'), assistant('b')] }),
  other('openai-chat', 'empty strings as content', [user(''), assistant(''), system('')]),
  other('openai-chat', 'an id used again in a later answered step', [
    calling(functionCall('c1')),
    tool('c1'),
    calling(functionCall('c1')),
    tool('c1'),
  ]),
  other('openai-chat', 'keys nobody knows', [{ ...user('a'), id: 'm1', reasoning_content: '' }]),
  other('openai-chat', 'arguments that are not JSON', [calling(functionCall('c1', { arguments: '{"a' })), tool('c1')]),
  other('openai-chat', 'no content on a model of mid-2026', { model: 'gpt-5.6-sol', messages: [{ role: 'user' }] }),
  other('openai-chat', 'sound, files and pictures from the user', [
    user([{ type: 'input_audio' }, { type: 'file' }, { type: 'image_url' }, { type: 'hologram' }]),
  ]),
  other('pydantic-ai', 'an empty history', []),
  other('pydantic-ai', 'several requests in a row', [asked(prompt), asked(prompt), responded(said)]),
  other('pydantic-ai', 'an empty response', [asked(prompt), responded()]),
  other('pydantic-ai', 'a retry as the answer to its call, a new prompt beside it', [
    asked(prompt),
    responded(pyCall('c1'), pyCall('c2')),
    asked(pyReturn('c2')),
    asked(prompt, retry('c1')),
  ]),
  other('pydantic-ai', 'an older list that repeats the calls of the parts', [
    { ...responded(pyCall('c1')), tool_calls: [{ tool_call_id: 'c1' }] },
    asked(pyReturn('c1')),
  ]),
  other('pydantic-ai', 'an id used again in a later answered step', [
    responded(pyCall('c1')),
    asked(pyReturn('c1')),
    responded(pyCall('c1')),
    asked(pyReturn('c1')),
  ]),
  other('pydantic-ai', 'a built-in call still under way in the last response', [
    asked(prompt),
    responded(builtin('call', 'b1')),
  ]),
  other('pydantic-ai', 'parts named in camel case', [
    { kind: 'response', parts: [{ partKind: 'tool-call', toolName: 'read', toolCallId: 'c1' }] },
    { kind: 'request', parts: [{ partKind: 'tool-return', toolName: 'read', toolCallId: 'c1' }] },
  ]),
];
