import { describe, expect, test } from 'vitest';
import { before, cuts, decode, lastTurns, splitHead, turns, type History, type Message } from '../src/index.ts';

type Wire = Record<string, unknown>;

/** The same conversation, twice over, in every dialect: each turn has words, calls with results, and an answer. */
const conversations: Readonly<Record<string, { readonly list: unknown[]; readonly second: number }>> = {
  'anthropic-messages': both((n) => [
    { role: 'user', content: 'look' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'so', signature: 'sig' },
        { type: 'server_tool_use', id: `srvtoolu_${n}`, name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: `srvtoolu_${n}`, content: [] },
        { type: 'tool_use', id: `toolu_${n}a`, name: 'read', input: {} },
        { type: 'tool_use', id: `toolu_${n}b`, name: 'read', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${n}a`, content: 'a' }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: `toolu_${n}b`, content: 'b' },
        { type: 'text', text: 'by the way' },
      ],
    },
    { role: 'assistant', content: 'done' },
  ]),
  'openai-chat': both((n) => [
    { role: 'user', content: 'look' },
    { role: 'assistant', content: null, tool_calls: [chatCall(`call_${n}a`), chatCall(`call_${n}b`)] },
    { role: 'tool', tool_call_id: `call_${n}b`, content: 'b' },
    { role: 'tool', tool_call_id: `call_${n}a`, content: 'a' },
    { role: 'assistant', content: 'done' },
  ]),
  'openai-responses': both((n) => [
    { role: 'user', content: 'look' },
    { type: 'reasoning', id: `rs_${n}`, summary: [], encrypted_content: 'gAAA' },
    { type: 'function_call', id: `fc_${n}a`, call_id: `call_${n}a`, name: 'read', arguments: '{}' },
    { type: 'custom_tool_call', call_id: `call_${n}b`, name: 'sh', input: 'ls' },
    { type: 'function_call_output', call_id: `call_${n}a`, output: 'a' },
    { type: 'custom_tool_call_output', call_id: `call_${n}b`, output: 'b' },
    { type: 'mcp_approval_request', id: `mcpr_${n}`, name: 'ask', server_label: 's', arguments: '{}' },
    { type: 'mcp_approval_response', approval_request_id: `mcpr_${n}`, approve: true },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done', annotations: [] }] },
  ]),
  gemini: both(() => [
    { role: 'user', parts: [{ text: 'look' }] },
    {
      role: 'model',
      parts: [
        { functionCall: { name: 'read', args: {} }, thoughtSignature: 'c2ln' },
        { functionCall: { name: 'read', args: {} } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'read', response: { result: 'a' } } },
        { functionResponse: { name: 'read', response: { result: 'b' } } },
      ],
    },
    { role: 'model', parts: [{ text: 'done' }] },
  ]),
  'bedrock-converse': both((n) => [
    { role: 'user', content: [{ text: 'look' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: `tooluse_${n}`, name: 'read', input: {} } }] },
    { role: 'user', content: [{ toolResult: { toolUseId: `tooluse_${n}`, content: [{ text: 'a' }] } }] },
    { role: 'assistant', content: [{ text: 'done' }] },
  ]),
  'mistral-chat': both((n) => [
    { role: 'user', content: 'look' },
    { role: 'assistant', content: '', tool_calls: [chatCall(`abcdefg${n}a`), chatCall(`abcdefg${n}b`)] },
    { role: 'tool', name: 'read', tool_call_id: `abcdefg${n}a`, content: 'a' },
    { role: 'tool', name: 'read', tool_call_id: `abcdefg${n}b`, content: 'b' },
    { role: 'assistant', content: 'done' },
  ]),
  'pydantic-ai': both((n) => [
    { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'look' }] },
    { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'read', args: '{}', tool_call_id: `c${n}` }] },
    {
      kind: 'request',
      parts: [
        { part_kind: 'tool-return', tool_name: 'read', content: 'a', tool_call_id: `c${n}` },
        { part_kind: 'user-prompt', content: 'by the way' },
      ],
    },
    { kind: 'response', parts: [{ part_kind: 'text', content: 'done' }] },
  ]),
  'ai-sdk-model': both((n) => [
    { role: 'user', content: 'look' },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: `srv_${n}`, toolName: 'web', input: {}, providerExecuted: true },
        { type: 'tool-call', toolCallId: `call_${n}`, toolName: 'read', input: {} },
      ],
    },
    { role: 'tool', content: [toolResult(`call_${n}`)] },
    { role: 'assistant', content: [toolResult(`srv_${n}`), { type: 'text', text: 'done' }] },
  ]),
  'ai-sdk-ui': both((n) => [
    { id: `u${n}`, role: 'user', parts: [{ type: 'text', text: 'look' }] },
    {
      id: `a${n}`,
      role: 'assistant',
      parts: [
        { type: 'tool-read', toolCallId: `call_${n}`, state: 'output-available', input: {}, output: 'a' },
        { type: 'text', text: 'done' },
      ],
    },
  ]),
  langchain: both((n) => [
    { type: 'human', content: 'look' },
    { type: 'ai', content: '', tool_calls: [{ name: 'read', args: {}, id: `call_${n}`, type: 'tool_call' }] },
    { type: 'tool', content: 'a', tool_call_id: `call_${n}` },
    { type: 'ai', content: 'done' },
  ]),
  'openai-agents': both((n) => [
    { type: 'message', role: 'user', content: 'look' },
    { type: 'reasoning', id: `rs_${n}`, content: [] },
    { type: 'function_call', callId: `call_${n}a`, name: 'read', status: 'completed', arguments: '{}' },
    { type: 'function_call', callId: `call_${n}b`, name: 'read', status: 'completed', arguments: '{}' },
    { type: 'function_call_result', callId: `call_${n}a`, name: 'read', status: 'completed', output: 'a' },
    { type: 'function_call_result', callId: `call_${n}b`, name: 'read', status: 'completed', output: 'b' },
    { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'done' }] },
  ]),
};

function both(make: (n: number) => unknown[]): { list: unknown[]; second: number } {
  const first = make(1);
  return { list: [...first, ...make(2)], second: first.length };
}

function chatCall(id: string): Wire {
  return { id, type: 'function', function: { name: 'read', arguments: '{}' } };
}

function toolResult(toolCallId: string): Wire {
  return { type: 'tool-result', toolCallId, toolName: 'read', output: { type: 'text', value: 'a' } };
}

describe.each(Object.entries(conversations))('%s', (dialect, { list, second }) => {
  const target = { dialect: dialect as 'gemini' };

  test('two turns have one cut between them', () => {
    expect(cuts(list, target)).toEqual([0, second, list.length]);
    expect(turns(list, target).map(({ kind }) => kind)).toEqual(['user', 'user']);
    expect(lastTurns(list, 1, target)).toEqual(list.slice(second));
    expect(before(list, list[second + 1] as object, target)).toEqual(list.slice(0, second));
  });

  test('a history that was read gives a history of the same messages', () => {
    const history = decode(list, target.dialect) as History;
    const { head, tail } = splitHead(history, { minKeepTail: 1 });
    expect(head).toEqual({ dialect, messages: history.messages.slice(0, second) });
    expect(tail.messages.every((message, index) => message === history.messages[second + index])).toBe(true);
    expect(lastTurns(history, 9)).toBe(history);
    const message = history.messages[second] as Message;
    expect(before(history, message)).toEqual(head);
    expect(before(history, (each) => each === message)).toEqual(head);
    expect(turns(history)[1]?.messages[0]).toBe(message);
  });
});
