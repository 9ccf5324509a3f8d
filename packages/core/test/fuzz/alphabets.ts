import type { Dialect } from '../../src/index.ts';
import { modelLetters } from './ai-sdk-model-letters.ts';
import { geminiLetters } from './gemini-letters.ts';
import { interfaceLetters } from './ai-sdk-ui-letters.ts';
import { agentLetters } from './agents-letters.ts';
import { chainLetters } from './langchain-letters.ts';
import { deepFreeze } from './reading.ts';
import { responsesLetters } from './responses-letters.ts';

/** One message that stands for a class of messages. */
export interface Letter {
  readonly name: string;
  readonly message: unknown;
}

const path = { path: 'a' };

const anthropicCall = (id: string): object => ({ type: 'tool_use', id, name: 'read', input: path });
const anthropicResult = (id: string): object => ({ type: 'tool_result', tool_use_id: id, content: `output ${id}` });
const said = (text: string): object => ({ type: 'text', text });

const anthropic: readonly Letter[] = [
  { name: 'user text', message: { role: 'user', content: 'question' } },
  { name: 'assistant text', message: { role: 'assistant', content: [said('answer')] } },
  { name: 'two-call batch', message: { role: 'assistant', content: [anthropicCall('A'), anthropicCall('B')] } },
  { name: 'result of the first', message: { role: 'user', content: [anthropicResult('A')] } },
  { name: 'result of the second, with text', message: { role: 'user', content: [anthropicResult('B'), said('and')] } },
  { name: 'both results', message: { role: 'user', content: [anthropicResult('B'), anthropicResult('A')] } },
  { name: 'call re-using the first id', message: { role: 'assistant', content: [said('again'), anthropicCall('A')] } },
  {
    name: 'signed thinking and a call',
    message: {
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'why', signature: 'sig' }, anthropicCall('B')],
    },
  },
  { name: 'blank text', message: { role: 'user', content: [said(' \n')] } },
  { name: 'empty assistant', message: { role: 'assistant', content: [] } },
];

const chatCall = (id: string): object => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: '{"path":"a"}' },
});
const chatResult = (id: string, content: string): object => ({ role: 'tool', tool_call_id: id, content });

const chat: readonly Letter[] = [
  { name: 'user text', message: { role: 'user', content: 'question' } },
  { name: 'assistant text', message: { role: 'assistant', content: 'answer' } },
  { name: 'two-call batch', message: { role: 'assistant', content: null, tool_calls: [chatCall('A'), chatCall('B')] } },
  { name: 'result of the first', message: chatResult('A', 'output A') },
  { name: 'result of the second', message: chatResult('B', 'output B') },
  { name: 'other result of the first', message: chatResult('A', 'other output A') },
  { name: 'call re-using the first id', message: { role: 'assistant', content: 'again', tool_calls: [chatCall('A')] } },
  {
    name: 'reasoning and a call',
    message: { role: 'assistant', content: '', reasoning_content: 'why', tool_calls: [chatCall('B')] },
  },
  { name: 'blank text', message: { role: 'user', content: ' ' } },
  { name: 'empty assistant', message: { role: 'assistant', content: null } },
];

const mistralCall = (id: string): object => ({ ...chatCall(id), id: `call0000${id}` });
const mistralResult = (id: string, content: string): object => chatResult(`call0000${id}`, content);

const mistral: readonly Letter[] = [
  { name: 'user text', message: { role: 'user', content: 'question' } },
  { name: 'assistant text', message: { role: 'assistant', content: 'answer' } },
  {
    name: 'two-call batch',
    message: { role: 'assistant', content: '', tool_calls: [mistralCall('A'), mistralCall('B')] },
  },
  { name: 'result of the first', message: mistralResult('A', 'output A') },
  { name: 'result of the second', message: mistralResult('B', 'output B') },
  { name: 'other result of the first', message: mistralResult('A', 'other output A') },
  {
    name: 'call re-using the first id',
    message: { role: 'assistant', content: 'again', tool_calls: [mistralCall('A')] },
  },
  {
    name: 'reasoning to be continued',
    message: {
      role: 'assistant',
      content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'why' }] }],
      prefix: true,
    },
  },
  { name: 'system text', message: { role: 'system', content: 'rule' } },
  { name: 'empty assistant', message: { role: 'assistant', content: '' } },
];

const pydanticCall = (id: string): object => ({
  part_kind: 'tool-call',
  tool_name: 'read',
  args: path,
  tool_call_id: id,
});
const pydanticReturn = (id: string): object => ({
  part_kind: 'tool-return',
  tool_name: 'read',
  content: `output ${id}`,
  tool_call_id: id,
});
const prompt = (content: string): object => ({ part_kind: 'user-prompt', content });
const text = (content: string): object => ({ part_kind: 'text', content });

const pydantic: readonly Letter[] = [
  { name: 'user text', message: { kind: 'request', parts: [prompt('question')] } },
  { name: 'assistant text', message: { kind: 'response', parts: [text('answer')] } },
  { name: 'two-call batch', message: { kind: 'response', parts: [pydanticCall('A'), pydanticCall('B')] } },
  { name: 'result of the first', message: { kind: 'request', parts: [pydanticReturn('A')] } },
  {
    name: 'result of the second, with text',
    message: { kind: 'request', parts: [pydanticReturn('B'), prompt('and')] },
  },
  { name: 'both results', message: { kind: 'request', parts: [pydanticReturn('B'), pydanticReturn('A')] } },
  { name: 'call re-using the first id', message: { kind: 'response', parts: [text('again'), pydanticCall('A')] } },
  {
    name: 'signed thinking and a call',
    message: {
      kind: 'response',
      parts: [{ part_kind: 'thinking', content: 'why', signature: 'sig' }, pydanticCall('B')],
    },
  },
  {
    name: 'retry for the first',
    message: {
      kind: 'request',
      parts: [{ part_kind: 'retry-prompt', content: 'try again', tool_name: 'read', tool_call_id: 'A' }],
    },
  },
  { name: 'empty response', message: { kind: 'response', parts: [] } },
];

const converseCall = (id: string): object => ({ toolUse: { toolUseId: id, name: 'read', input: path } });
const converseResult = (id: string): object => ({ toolResult: { toolUseId: id, content: [{ text: `output ${id}` }] } });

const converse: readonly Letter[] = [
  { name: 'user text', message: { role: 'user', content: [{ text: 'question' }] } },
  { name: 'assistant text', message: { role: 'assistant', content: [{ text: 'answer' }] } },
  { name: 'two-call batch', message: { role: 'assistant', content: [converseCall('A'), converseCall('B')] } },
  { name: 'result of the first', message: { role: 'user', content: [converseResult('A')] } },
  {
    name: 'result of the second, with text',
    message: { role: 'user', content: [converseResult('B'), { text: 'and' }] },
  },
  { name: 'both results', message: { role: 'user', content: [converseResult('B'), converseResult('A')] } },
  {
    name: 'call re-using the first id',
    message: { role: 'assistant', content: [{ text: 'again' }, converseCall('A')] },
  },
  {
    name: 'signed thinking and a call',
    message: {
      role: 'assistant',
      content: [{ reasoningContent: { reasoningText: { text: 'why', signature: 'sig' } } }, converseCall('B')],
    },
  },
  { name: 'blank text', message: { role: 'user', content: [{ text: ' \n' }] } },
  { name: 'empty assistant', message: { role: 'assistant', content: [] } },
];

/** Ten letters a dialect; a letter is one frozen object that all histories share. */
export const alphabets: Readonly<Record<string, readonly Letter[]>> = deepFreeze({
  'openai-agents': agentLetters,
  langchain: chainLetters,
  'ai-sdk-ui': interfaceLetters,
  'ai-sdk-model': modelLetters,
  'anthropic-messages': anthropic,
  'bedrock-converse': converse,
  gemini: geminiLetters,
  'mistral-chat': mistral,
  'openai-chat': chat,
  'openai-responses': responsesLetters,
  'pydantic-ai': pydantic,
});

export function alphabetOf(dialect: Dialect): readonly Letter[] {
  const letters = alphabets[dialect];
  if (!letters) throw new RangeError(`no alphabet for ${dialect}`);
  return letters;
}
