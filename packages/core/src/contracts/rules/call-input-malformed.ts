import { replacePart, type Proposal } from '../../model/edit.ts';
import type { CallPart } from '../../model/part.ts';
import type { Case, Rule } from '../../model/rule.ts';
import { isRecord, readableJson } from '../../model/value.ts';
import { callOf } from '../batch.ts';
import { callIndex, placeOf, wireOf } from '../place.ts';

/** Arguments travel as an object in one dialect and as a string in another; each refuses the other's form. */
export const callInputMalformed: Rule = {
  id: 'call-input-malformed',
  title: 'the arguments of a call have the wrong form',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'anthropic-messages': ['an-input-object'], 'openai-chat': ['oc-args-string'] },
  trigger: 'call-input-malformed',
  summary:
    'A stream was stopped inside the arguments, or the history was recorded in the form of another ' +
    'provider. Whole arguments are put into the right form; half of them are kept as they are under the ' +
    'name INVALID_JSON, where the model can see them.',
  explain: (found) => {
    const call = callOf(found, found.fact);
    return `the arguments of the call to ${call.tool} are ${formOf(call.input)}`;
  },
  providerError: {
    'anthropic-messages': (found) => {
      const { message, part } = placeOf(found);
      return `messages.${String(message)}.content.${String(part)}.tool_use.input: Input should be a valid dictionary`;
    },
    'openai-chat': (found) => {
      const call = callOf(found, found.fact);
      const field = isRecord(wireOf(call)['custom']) ? 'custom.input' : 'function.arguments';
      const at = `messages[${String(found.fact.message)}].tool_calls[${String(callIndex(found))}].${field}`;
      return `Invalid type for '${at}': expected a string, but got ${formOf(call.input)} instead.`;
    },
  },
  repair,
  examples: () => [
    {
      name: 'an object',
      dialect: 'anthropic-messages',
      clean: exchange({ path: 'a' }),
    },
    {
      name: 'whole arguments that are still a string',
      dialect: 'anthropic-messages',
      before: exchange('{"path":"a"}'),
      after: exchange({ path: 'a' }),
    },
    {
      name: 'stopped inside the arguments',
      dialect: 'anthropic-messages',
      before: exchange('{"path":'),
      after: exchange({ INVALID_JSON: '{"path":' }),
    },
    {
      name: 'arguments that are a list',
      dialect: 'anthropic-messages',
      before: exchange(['a']),
      after: exchange({ INVALID_JSON: '["a"]' }),
    },
    {
      name: 'a list that is still a string',
      dialect: 'anthropic-messages',
      before: exchange('["a"]'),
      after: exchange({ INVALID_JSON: '["a"]' }),
    },
    {
      name: 'no arguments at all',
      dialect: 'anthropic-messages',
      before: exchange(null),
      after: exchange({}),
    },
    {
      name: 'half a string is legal',
      dialect: 'openai-chat',
      clean: chatExchange('{"path":'),
    },
    {
      name: 'arguments that were parsed',
      dialect: 'openai-chat',
      before: chatExchange({ path: 'a' }),
      after: chatExchange('{"path":"a"}'),
    },
    {
      name: 'no arguments at all',
      dialect: 'openai-chat',
      before: chatExchange(null),
      after: chatExchange('{}'),
    },
    {
      name: 'a custom tool without input',
      dialect: 'openai-chat',
      before: chatExchange(null, { type: 'custom', custom: { name: 'read', input: null } }),
      after: chatExchange('', { type: 'custom', custom: { name: 'read', input: '' } }),
    },
  ],
};

function exchange(input: unknown): unknown[] {
  return [
    { role: 'user', content: 'read a' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' }] },
  ];
}

function chatExchange(
  input: unknown,
  call: object = { type: 'function', function: { name: 'read', arguments: input } },
): unknown[] {
  return [
    { role: 'user', content: 'read a' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', ...call }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'A' },
  ];
}

function repair(found: Case): Proposal {
  const call = callOf(found, found.fact);
  const wire = wireOf(call);
  const asText = isRecord(wire['function']) || isRecord(wire['custom']);
  const input = asText ? toText(call) : toObject(call.input);
  const kept = asText || !Object.hasOwn(Object(input) as object, 'INVALID_JSON');
  return {
    edits: [replacePart(placeOf(found), { ...call, input, edited: true })],
    action: kept ? 'restore' : 'rewrite',
    loss: 'none',
    note: kept
      ? `put the arguments of the call to ${call.tool} into the form of this dialect`
      : `kept the broken arguments of the call to ${call.tool} under INVALID_JSON`,
  };
}

function toText(call: CallPart): string {
  if (call.input === undefined || call.input === null) return isRecord(wireOf(call)['custom']) ? '' : '{}';
  return readableJson(call.input);
}

function toObject(input: unknown): Record<string, unknown> {
  if (input === undefined || input === null || input === '') return {};
  const parsed = typeof input === 'string' ? parseObject(input) : undefined;
  return parsed ?? { INVALID_JSON: readableJson(input) };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function formOf(input: unknown): string {
  if (input === undefined || input === null) return 'null';
  if (Array.isArray(input)) return 'an array';
  return typeof input === 'object' ? 'an object' : `a ${typeof input}`;
}
