import { describe, expect, test } from 'vitest';
import { before, cuts, decode, lastTurns, splitHead, turns, type History, type Message } from '../../src/index.ts';
import { agents, aiSdkModel, anthropic, bedrock, chat, gemini, langchain, pydantic, responses } from '../words.ts';

const { outputText, result, say, user } = responses;

type Wire = object;

/** The same conversation, twice over, in every dialect: each turn has words, calls with results, and an answer. */
const conversations: Readonly<Record<string, { readonly list: unknown[]; readonly second: number }>> = {
  'anthropic-messages': both((n) => [
    user('look'),
    anthropic.say(
      { type: 'thinking', thinking: 'so', signature: 'sig' },
      { type: 'server_tool_use', id: `srvtoolu_${n}`, name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: `srvtoolu_${n}`, content: [] },
      anthropic.call(`toolu_${n}a`),
      anthropic.call(`toolu_${n}b`),
    ),
    anthropic.user(anthropic.result(`toolu_${n}a`, 'a')),
    anthropic.user(anthropic.result(`toolu_${n}b`, 'b'), 'by the way'),
    say('done'),
  ]),
  'openai-chat': both((n) => [
    user('look'),
    chat.say(chatCall(`call_${n}a`), chatCall(`call_${n}b`)),
    chat.result(`call_${n}b`, 'b'),
    chat.result(`call_${n}a`, 'a'),
    say('done'),
  ]),
  'openai-responses': both((n) => [
    user('look'),
    { type: 'reasoning', id: `rs_${n}`, summary: [], encrypted_content: 'gAAA' },
    { type: 'function_call', id: `fc_${n}a`, call_id: `call_${n}a`, name: 'read', arguments: '{}' },
    { type: 'custom_tool_call', call_id: `call_${n}b`, name: 'sh', input: 'ls' },
    result(`call_${n}a`, 'a'),
    { type: 'custom_tool_call_output', call_id: `call_${n}b`, output: 'b' },
    { type: 'mcp_approval_request', id: `mcpr_${n}`, name: 'ask', server_label: 's', arguments: '{}' },
    { type: 'mcp_approval_response', approval_request_id: `mcpr_${n}`, approve: true },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done', annotations: [] }] },
  ]),
  gemini: both(() => [
    gemini.user('look'),
    gemini.say(gemini.signed(gemini.call('read')), gemini.call('read')),
    gemini.user(gemini.result('read', 'a'), gemini.result('read', 'b')),
    gemini.say('done'),
  ]),
  'bedrock-converse': both((n) => [
    bedrock.user('look'),
    bedrock.say(bedrock.call(`tooluse_${n}`)),
    bedrock.user(bedrock.result(`tooluse_${n}`, 'a')),
    bedrock.say('done'),
  ]),
  'mistral-chat': both((n) => [
    user('look'),
    chat.say('', chatCall(`abcdefg${n}a`), chatCall(`abcdefg${n}b`)),
    { role: 'tool', name: 'read', tool_call_id: `abcdefg${n}a`, content: 'a' },
    { role: 'tool', name: 'read', tool_call_id: `abcdefg${n}b`, content: 'b' },
    say('done'),
  ]),
  'pydantic-ai': both((n) => [
    pydantic.user('look'),
    pydantic.say(pydantic.call(`c${n}`, 'read', '{}')),
    pydantic.user(pydantic.result(`c${n}`, 'a'), 'by the way'),
    pydantic.say('done'),
  ]),
  'ai-sdk-model': both((n) => [
    user('look'),
    aiSdkModel.say(
      { type: 'tool-call', toolCallId: `srv_${n}`, toolName: 'web', input: {}, providerExecuted: true },
      aiSdkModel.call(`call_${n}`),
    ),
    aiSdkModel.results(toolResult(`call_${n}`)),
    bedrock.say(toolResult(`srv_${n}`), anthropic.text('done')),
  ]),
  'ai-sdk-ui': both((n) => [
    { id: `u${n}`, role: 'user', parts: [anthropic.text('look')] },
    {
      id: `a${n}`,
      role: 'assistant',
      parts: [
        { type: 'tool-read', toolCallId: `call_${n}`, state: 'output-available', input: {}, output: 'a' },
        anthropic.text('done'),
      ],
    },
  ]),
  langchain: both((n) => [
    langchain.user('look'),
    { type: 'ai', content: '', tool_calls: [langchain.call(`call_${n}`)] },
    { type: 'tool', content: 'a', tool_call_id: `call_${n}` },
    { type: 'ai', content: 'done' },
  ]),
  'openai-agents': both((n) => [
    { type: 'message', role: 'user', content: 'look' },
    { type: 'reasoning', id: `rs_${n}`, content: [] },
    agents.call(`call_${n}a`),
    agents.call(`call_${n}b`),
    { type: 'function_call_result', callId: `call_${n}a`, name: 'read', status: 'completed', output: 'a' },
    { type: 'function_call_result', callId: `call_${n}b`, name: 'read', status: 'completed', output: 'b' },
    { type: 'message', role: 'assistant', status: 'completed', content: [outputText('done')] },
  ]),
};

function both(make: (n: number) => unknown[]): { list: unknown[]; second: number } {
  const first = make(1);
  return { list: [...first, ...make(2)], second: first.length };
}

function chatCall(id: string): Wire {
  return chat.call(id);
}

function toolResult(toolCallId: string): Wire {
  return aiSdkModel.returned(toolCallId, 'a');
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
