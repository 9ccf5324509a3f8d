import { replacePart } from '../../model/edit.ts';
import type { Part } from '../../model/part.ts';
import type { Case, Rule } from '../../model/rule.ts';
import { isClientCall, isClientResult, resultOf } from '../batch.ts';
import { placeOf, UNNAMED, spokenOf } from '../place.ts';
import { contentPath } from '../gemini-words.ts';

/** Where results carry the name of their tool, one without it cannot be read back. */
export const resultNameMissing: Rule = {
  id: 'result-name-missing',
  title: 'a result does not name its tool',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { gemini: ['ge-fr-name'], 'pydantic-ai': ['py-repair'], 'ai-sdk-model': ['ai-schema'] },
  trigger: 'result-name-missing',
  summary:
    'A result was rebuilt from a format in which only the call names the tool. The name is taken from the ' +
    'call it answers; where there is none, a name stands in that says so.',
  explain: (found) => `${spokenOf('result', resultOf(found, found.fact).callId)} does not name its tool`,
  providerError: {
    gemini: (found) => `${contentPath(found)}.function_response.name: Name cannot be empty.`,
    'ai-sdk-model': () => 'The messages do not match the ModelMessage[] schema.',
  },
  repair: (found) => {
    const result = resultOf(found, found.fact);
    const tool = toolOf(found, result.callId) ?? toolInPlace(found) ?? UNNAMED;
    return {
      edits: [replacePart(placeOf(found), { ...result, tool, edited: true })],
      action: 'restore',
      loss: 'none',
      note: `named the tool of ${spokenOf('result', result.callId)} ${tool}`,
    };
  },
  examples: () => [
    {
      name: 'a result that names its tool',
      dialect: 'pydantic-ai',
      clean: exchange({ tool_name: 'read' }),
    },
    {
      name: 'a result without the name of its tool',
      dialect: 'pydantic-ai',
      before: exchange({}),
      after: exchange({ tool_name: 'read' }),
    },
    {
      name: 'a result without the name of its tool',
      dialect: 'ai-sdk-model',
      before: sdkExchange({}),
      after: sdkExchange({ toolName: 'read' }),
    },
    {
      name: 'a result stored by id only',
      dialect: 'gemini',
      model: 'gemini-2.5-flash',
      before: contentExchange({ id: 'c1', name: '' }),
      after: contentExchange({ id: 'c1', name: 'read' }),
    },
    {
      name: 'a result with neither id nor name',
      dialect: 'gemini',
      model: 'gemini-2.5-flash',
      before: contentExchange({}),
      after: contentExchange({ name: 'read' }),
    },
  ],
};

function exchange(name: { tool_name?: string }): unknown[] {
  return [
    { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'read', args: {}, tool_call_id: 'c1' }] },
    { kind: 'request', parts: [{ part_kind: 'tool-return', content: 'A', tool_call_id: 'c1', ...name }] },
  ];
}

function sdkExchange(name: { toolName?: string }): unknown[] {
  const output = { type: 'text', value: 'A' };
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', output, ...name }] },
  ];
}

function contentExchange(fields: { id?: string; name?: string }): unknown[] {
  const id = fields.id === undefined ? {} : { id: fields.id };
  return [
    { role: 'user', parts: [{ text: 'read a' }] },
    {
      role: 'model',
      parts: [{ functionCall: { name: 'ls' } }, { functionCall: { ...id, name: 'read', args: {} } }],
    },
    { role: 'user', parts: [{ functionResponse: { name: 'ls', response: {} } }] },
    { role: 'user', parts: [{ functionResponse: { ...fields, response: { result: 'A' } } }] },
  ];
}

/** The tool of the call with the id of a result, in the step before it. */
function toolOf(found: Case, callId: string): string | undefined {
  let index = found.fact.message;
  while (index >= 0 && found.message(index).role !== 'assistant') index -= 1;
  for (; index >= 0 && found.message(index).role === 'assistant'; index -= 1) {
    const call = found.message(index).parts.find((part) => isCall(part, callId));
    if (call !== undefined && 'tool' in call && call.tool !== undefined && call.tool !== '') return call.tool;
  }
  return undefined;
}

/** Without an id the place decides: the tool of the call that is as far from the first as the result is. */
function toolInPlace(found: Case): string | undefined {
  const { message, part } = placeOf(found);
  if (found.profile.sharedIds !== true) return undefined;
  let first = message;
  while (first > 0 && found.message(first - 1).role !== 'assistant') first -= 1;
  const before = found.message(message).parts.slice(0, part).filter(isClientResult).length;
  const earlier = partsFrom(found, first, message).filter(isClientResult).length;
  let start = first;
  while (start > 0 && found.message(start - 1).role === 'assistant') start -= 1;
  const tool = partsFrom(found, start, first).filter(isClientCall)[earlier + before]?.tool;
  return tool === '' ? undefined : tool;
}

function partsFrom(found: Case, from: number, to: number): Part[] {
  const parts: Part[] = [];
  for (let i = from; i < to; i += 1) parts.push(...found.message(i).parts);
  return parts;
}

function isCall(part: Part, callId: string): boolean {
  return part.kind === 'call' && !part.server && part.callId === callId;
}
