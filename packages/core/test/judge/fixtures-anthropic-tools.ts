import {
  assistant,
  exchange,
  found,
  image,
  type Part,
  READ_TOOL,
  type RefusalFixture,
  request,
  search,
  SEARCH_TOOL,
  text,
  toolResult,
  toolUse,
  UNANSWERED,
  user,
  without,
} from './fixture.ts';

const SONNET_5 = 'claude-sonnet-5';
const orphan = (place: string, id: string): string =>
  `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
  'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.';
const unpaired = (name: string, id: string, result: string): string =>
  `\`${name}\` tool use with id \`${id}\` was found without a corresponding \`${result}\` block`;
const NAME_PLACE = 'messages.1.content.0.tool_use.name';
const pressed = toolUse('t1', { toolset_name: 'browser' });
const echoed = { toolset_name: 'browser', content: [text('x')] };
const mention = (name: string): Part => toolResult('t1', { content: [{ type: 'tool_reference', tool_name: name }] });
const mcpUse: Part = { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'ask', server_name: 'wiki', input: {} };
const mcpResult: Part = { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: [] };
const sent = (parts: readonly Part[], reply: readonly Part[], tools: readonly Part[]): Part =>
  request(SONNET_5, [user('go'), assistant(parts), user(reply)], { tools });

const tools: Omit<RefusalFixture, 'dialect' | 'purpose'>[] = [
  {
    name: 'a call that the next user message passes over',
    row: 'an-tooluse-answered',
    text: UNANSWERED(1, 't1'),
    known: 'whole',
    input: [user('go'), assistant([toolUse('t1')]), user('next')],
    accepted: [user('go'), assistant([toolUse('t1')]), user([toolResult('t1')]), user('next')],
  },
  {
    name: 'two calls of a batch left open at the end',
    row: 'an-tooluse-answered',
    text: UNANSWERED(1, 't1, t3'),
    known: 'whole',
    input: [user('go'), assistant([toolUse('t1'), toolUse('t2'), toolUse('t3')]), user([toolResult('t2')])],
    accepted: [
      user('go'),
      assistant([toolUse('t1'), toolUse('t2'), toolUse('t3')]),
      user(['t2', 't1', 't3'].map((id) => toolResult(id))),
    ],
  },
  {
    name: 'a call that ends the list',
    row: 'an-tooluse-answered',
    text: UNANSWERED(1, 't1'),
    known: 'whole',
    input: [user('go'), assistant([toolUse('t1')])],
    accepted: [user('go'), assistant([text('t1')])],
  },
  {
    name: 'a result behind a text',
    row: 'an-result-first',
    text: UNANSWERED(1, 't1'),
    known: 'whole',
    input: exchange([toolUse('t1')], [text('next'), toolResult('t1')]),
    accepted: exchange([toolUse('t1')], [toolResult('t1'), text('next')]),
  },
  {
    name: 'a result behind a user message of text',
    row: 'an-result-first',
    text: UNANSWERED(1, 't1'),
    known: 'whole',
    input: [user('go'), assistant([toolUse('t1')]), user('next'), user([toolResult('t1')])],
    accepted: [user('go'), assistant([toolUse('t1')]), user([toolResult('t1')]), user('next')],
  },
  {
    name: 'a text after a call',
    row: 'an-tooluse-suffix',
    text: UNANSWERED(1, 't1'),
    known: 'whole',
    input: exchange([toolUse('t1'), text('calling')], [toolResult('t1')]),
    accepted: exchange([text('calling'), toolUse('t1')], [toolResult('t1')]),
  },
  {
    name: 'a second answer in the same turn after a call',
    row: 'an-tooluse-suffix',
    text: UNANSWERED(1, 't1'),
    known: 'whole',
    input: [user('go'), assistant([toolUse('t1')]), assistant('calling'), user([toolResult('t1')])],
    accepted: [user('go'), assistant('calling'), assistant([toolUse('t1')]), user([toolResult('t1')])],
  },
  {
    name: 'a result whose call was trimmed from the front',
    row: 'an-result-orphan',
    text: orphan('messages.0.content.0', 't1'),
    known: 'whole',
    input: [user([toolResult('t1')]), assistant('done')],
    accepted: [user([text('t1')]), assistant('done')],
  },
  {
    name: 'a result that comes one turn late, its call closed by then',
    row: 'an-result-orphan',
    text: orphan('messages.4.content.0', 't1'),
    known: 'whole',
    input: [...exchange([toolUse('t1')], [toolResult('t1')]), user([toolResult('t1')])],
    accepted: [...exchange([toolUse('t1')], [toolResult('t1')]), user([text('t1')])],
  },
  {
    name: 'half a pair before a compaction, which is judged all the same',
    row: 'an-result-orphan',
    text: orphan('messages.0.content.0', 't1'),
    known: 'whole',
    input: [user([toolResult('t1')]), assistant([{ type: 'compaction', content: 'so far' }]), user('next')],
    accepted: [user([text('t1')]), assistant([{ type: 'compaction', content: 'so far' }]), user('next')],
  },
  {
    name: 'a result recorded twice',
    row: 'an-result-dup',
    text:
      'messages.2.content.1: each tool_use must have a single result. ' +
      'Found multiple `tool_result` blocks with id: t1',
    known: 'whole',
    input: exchange([toolUse('t1')], [toolResult('t1'), toolResult('t1')]),
    accepted: exchange([toolUse('t1')], [toolResult('t1')]),
  },
  {
    name: 'one id for two calls of a turn',
    row: 'an-id-unique',
    text: 'messages.1.content.1: `tool_use` ids must be unique',
    known: 'whole',
    input: exchange([toolUse('call_0'), toolUse('call_0')], [toolResult('call_0'), toolResult('call_0')]),
    accepted: exchange([toolUse('call_0'), toolUse('call_1')], [toolResult('call_0'), toolResult('call_1')]),
  },
  {
    name: 'one id for two calls of a turn of two messages',
    row: 'an-id-unique',
    text: 'messages.2.content.0: `tool_use` ids must be unique',
    known: 'whole',
    input: [user('go'), assistant([toolUse('t1')]), assistant([toolUse('t1')]), user([toolResult('t1')])],
    accepted: [user('go'), assistant([toolUse('t1')]), user([toolResult('t1')])],
  },
  {
    name: 'an id with the characters of another provider',
    row: 'an-id-regex',
    text: "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    known: 'whole',
    input: exchange([toolUse('functions.f:0')], [toolResult('functions.f:0')]),
    accepted: exchange([toolUse('functions_f-0')], [toolResult('functions_f-0')]),
  },
  {
    name: 'an empty id',
    row: 'an-id-regex',
    text: "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    known: 'whole',
    input: exchange([toolUse('')], [toolResult('')]),
    accepted: exchange([toolUse('0')], [toolResult('0')]),
  },
  {
    name: 'arguments that are still a string',
    row: 'an-input-object',
    text: 'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
    known: 'whole',
    input: exchange([toolUse('t1', { input: '{"a":' })], [toolResult('t1')]),
    accepted: exchange([toolUse('t1', { input: { a: 1 } })], [toolResult('t1')]),
  },
  {
    name: 'arguments that are a list',
    row: 'an-input-object',
    text: 'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
    known: 'whole',
    input: exchange([toolUse('t1', { input: [] })], [toolResult('t1')]),
    accepted: exchange([toolUse('t1', { input: {} })], [toolResult('t1')]),
  },
  {
    name: 'a name of 201 characters',
    row: 'an-name-len',
    text: `${NAME_PLACE}: String should have at most 200 characters`,
    known: 'whole',
    input: exchange([toolUse('t1', { name: 'n'.repeat(201) })], [toolResult('t1')]),
    accepted: exchange([toolUse('t1', { name: 'n'.repeat(200) })], [toolResult('t1')]),
  },
  {
    name: 'an empty name',
    row: 'an-name-len',
    text: `${NAME_PLACE}: String should have at least 1 character`,
    known: 'whole',
    input: exchange([toolUse('t1', { name: '' })], [toolResult('t1')]),
    accepted: exchange([toolUse('t1', { name: 'n' })], [toolResult('t1')]),
  },
  {
    name: 'a result that names no call',
    row: 'an-result-id',
    text: 'messages.2.content.1.tool_result.tool_use_id: Field required',
    known: 'whole',
    input: exchange([toolUse('t1')], [toolResult('t1'), without(toolResult('t2'), 'tool_use_id')]),
    accepted: exchange([toolUse('t1'), toolUse('t2')], [toolResult('t1'), toolResult('t2')]),
  },
  {
    name: 'an error result with an image',
    row: 'an-result-content',
    text: 'all content must be type "text" if "is_error" is true',
    known: 'whole',
    input: exchange([toolUse('t1')], [toolResult('t1', { is_error: true, content: [text('x'), image] })]),
    accepted: exchange([toolUse('t1')], [toolResult('t1', { is_error: false, content: [text('x'), image] })]),
  },
  {
    name: 'a result with an empty list',
    row: 'an-result-content',
    text: 'the content of a tool result is absent, a string or a non-empty list',
    known: 'none',
    input: exchange([toolUse('t1')], [toolResult('t1', { content: [] })]),
    accepted: exchange([toolUse('t1')], [toolResult('t1')]),
  },
  {
    name: 'a result inside a result',
    row: 'an-result-content',
    text: 'the content of a tool result cannot hold `tool_result` blocks',
    known: 'none',
    input: exchange([toolUse('t1')], [toolResult('t1', { content: [toolResult('t1')] })]),
    accepted: exchange([toolUse('t1')], [toolResult('t1', { content: [text('t1')] })]),
  },
  {
    name: 'the result of a toolset member that lost its toolset',
    row: 'an-toolset-echo',
    text: 'the result of a toolset member repeats its toolset_name and holds only text and images',
    known: 'none',
    input: exchange([pressed], [toolResult('t1', { content: [text('x')] })]),
    accepted: exchange([pressed], [toolResult('t1', echoed)]),
  },
  {
    name: 'the result of a toolset member that holds a document',
    row: 'an-toolset-echo',
    text: 'the result of a toolset member repeats its toolset_name and holds only text and images',
    known: 'none',
    input: exchange([pressed], [toolResult('t1', { ...echoed, content: [{ type: 'document', source: {} }] })]),
    accepted: exchange([pressed], [toolResult('t1', { ...echoed, content: [{ type: 'browser_state' }] })]),
  },
  {
    name: 'calls in a request that declares no tools',
    row: 'an-tools-defined',
    text: 'Requests which include `tool_use` or `tool_result` blocks must define tools.',
    known: 'whole',
    input: sent([toolUse('t1')], [toolResult('t1')], []),
    accepted: sent([toolUse('t1')], [toolResult('t1')], [READ_TOOL]),
  },
  {
    name: 'a server call that the user talked over',
    row: 'an-server-pair',
    text: unpaired('web_search', 'srvtoolu_1', 'web_search_tool_result'),
    known: 'whole',
    input: [user('go'), assistant([search('srvtoolu_1')]), user('next')],
    accepted: [user('go'), assistant([search('srvtoolu_1'), found('srvtoolu_1')]), user('next')],
  },
  {
    name: 'a call to an MCP server that the user talked over',
    row: 'an-server-pair',
    text: unpaired('mcp', 'mcptoolu_1', 'mcp_tool_result'),
    known: 'part',
    input: [user('go'), assistant([mcpUse]), user('next')],
    accepted: [user('go'), assistant([mcpUse, mcpResult]), user('next')],
  },
  {
    name: 'a server call whose id a second one took over',
    row: 'an-server-pair',
    text: unpaired('web_search', 'srvtoolu_1', 'web_search_tool_result'),
    known: 'whole',
    input: [user('go'), assistant([search('srvtoolu_1'), search('srvtoolu_1'), found('srvtoolu_1')])],
    accepted: [user('go'), assistant([search('srvtoolu_1'), found('srvtoolu_1')])],
  },
  {
    name: 'a search for tools that the user talked over',
    row: 'an-server-pair',
    text: unpaired('tool_search_tool_bm25', 'srvtoolu_1', 'tool_search_tool_result'),
    known: 'whole',
    input: [user('go'), assistant([{ ...search('srvtoolu_1'), name: 'tool_search_tool_bm25' }]), user('next')],
    accepted: [user('go'), assistant([{ ...search('srvtoolu_1'), name: 'tool_search_tool_bm25' }])],
  },
  {
    name: 'a server result whose call was cut off',
    row: 'an-server-orphan',
    text:
      'messages.1.content.0: unexpected `tool_use_id` found in `advisor_tool_result` blocks: srvtoolu_1. ' +
      'Each `advisor_tool_result` block must have a corresponding `server_tool_use` block before it.',
    known: 'whole',
    input: [user('go'), assistant([{ type: 'advisor_tool_result', tool_use_id: 'srvtoolu_1', content: {} }])],
    accepted: [
      user('go'),
      assistant([search('srvtoolu_1'), { type: 'advisor_tool_result', tool_use_id: 'srvtoolu_1', content: {} }]),
    ],
  },
  {
    name: 'a server result recorded twice',
    row: 'an-server-orphan',
    text:
      'messages.1.content.2: unexpected `tool_use_id` found in `web_search_tool_result` blocks: srvtoolu_1. ' +
      'Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it.',
    known: 'whole',
    input: [user('go'), assistant([search('srvtoolu_1'), found('srvtoolu_1'), found('srvtoolu_1')])],
    accepted: [user('go'), assistant([search('srvtoolu_1'), found('srvtoolu_1')])],
  },
  {
    name: 'text beside the client results while a server call is unfinished',
    row: 'an-mixed-open',
    text: unpaired('web_search', 'srvtoolu_1', 'web_search_tool_result'),
    known: 'whole',
    input: [user('go'), assistant([search('srvtoolu_1'), toolUse('t1')]), user([toolResult('t1'), text('next')])],
    accepted: [user('go'), assistant([search('srvtoolu_1'), toolUse('t1')]), user([toolResult('t1')])],
  },
  {
    name: 'a server call with the id of another vendor',
    row: 'an-server-id',
    text: "messages.1.content.0.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'",
    known: 'whole',
    input: [user('go'), assistant([search('ws_1'), found('ws_1')])],
    accepted: [user('go'), assistant([search('srvtoolu_1'), found('srvtoolu_1')])],
  },
  {
    name: 'a server tool that was switched off',
    row: 'an-server-declared',
    text: 'server_tool_use block references web_search, but web_search is not defined in tools as a server tool',
    known: 'whole',
    input: sent([search('srvtoolu_1'), found('srvtoolu_1')], [text('next')], [{ ...READ_TOOL, name: 'web_search' }]),
    accepted: sent([search('srvtoolu_1'), found('srvtoolu_1')], [text('next')], [SEARCH_TOOL]),
  },
  {
    name: 'a reference to a tool that is gone',
    row: 'an-toolref',
    text: 'the tool gone is referred to but not declared in tools',
    known: 'none',
    input: sent([toolUse('t1')], [mention('gone')], [READ_TOOL]),
    accepted: sent([toolUse('t1')], [mention('read')], [READ_TOOL]),
  },
  {
    name: 'a search that found a tool which is gone',
    row: 'an-toolref',
    text: 'the tool gone is referred to but not declared in tools',
    known: 'none',
    input: searched('gone'),
    accepted: searched('read'),
  },
  {
    name: 'a tool added in mid-conversation that is not declared',
    row: 'an-toolref',
    text: 'the tool gone is referred to but not declared in tools',
    known: 'none',
    input: added('gone'),
    accepted: added('read'),
  },
];

function searched(name: string): Part {
  const use = { ...search('srvtoolu_1'), name: 'tool_search_tool_bm25' };
  const content = {
    type: 'tool_search_tool_search_result',
    tool_references: [{ type: 'tool_reference', tool_name: name }],
  };
  const tools = [READ_TOOL, { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }];
  return sent([use, { type: 'tool_search_tool_result', tool_use_id: 'srvtoolu_1', content }], [text('next')], tools);
}

function added(name: string): Part {
  const addition = { type: 'tool_addition', tool: { type: 'tool_reference', name } };
  return request('claude-opus-4-8', [user('go'), { role: 'system', content: [addition] }], { tools: [READ_TOOL] });
}

export const ANTHROPIC_TOOLS: readonly RefusalFixture[] = tools.map((fixture) => ({
  ...fixture,
  dialect: 'anthropic-messages',
  purpose: Array.isArray(fixture.input) ? 'history' : 'request',
}));
