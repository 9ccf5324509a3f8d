import { fingerprint } from '../../model/call-id.ts';
import { replacePart } from '../../model/edit.ts';
import type { CallPart } from '../../model/part.ts';
import type { Rule } from '../../model/rule.ts';
import { isRecord } from '../../model/value.ts';
import { callOf } from '../batch.ts';
import { placeOf, wireOf } from '../place.ts';

const UNNAMED = 'unknown_tool';

/** Providers restrict the name of the tool in a call. */
export const callNameMalformed: Rule = {
  id: 'call-name-malformed',
  title: 'a call names no tool, or one that cannot be',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: {
    'anthropic-messages': ['an-name-len'],
    'openai-chat': ['oc-name'],
    'pydantic-ai': ['py-repair'],
  },
  trigger: 'call-name-malformed',
  summary:
    'A stream was stopped before the name arrived, the model wrote a whole sentence in its place, or the ' +
    'tool belongs to a provider with other rules for names. The call keeps its place and its result under a ' +
    'name that is legal.',
  explain: (found) => {
    const { tool } = callOf(found, found.fact);
    return tool === '' ? 'a call names no tool' : `the provider does not take the tool name ${tool}`;
  },
  providerError: {
    'anthropic-messages': (found) => {
      const { message, part } = placeOf(found);
      const limit = callOf(found, found.fact).tool === '' ? 'at least 1 character' : 'at most 200 characters';
      return `messages.${String(message)}.content.${String(part)}.tool_use.name: String should have ${limit}`;
    },
  },
  repair: (found) => {
    const call = callOf(found, found.fact);
    const tool = legalName(call);
    return {
      edits: [replacePart(placeOf(found), { ...call, tool, edited: true })],
      action: 'rewrite',
      loss: 'none',
      note: `named the tool of call ${call.callId} ${tool}`,
    };
  },
  examples: () => [
    {
      name: 'a name of 200 characters',
      dialect: 'anthropic-messages',
      clean: exchange('n'.repeat(200)),
    },
    {
      name: 'stopped before the name',
      dialect: 'anthropic-messages',
      before: exchange(''),
      after: exchange(UNNAMED),
    },
    {
      name: 'a name of 201 characters',
      dialect: 'anthropic-messages',
      before: exchange('n'.repeat(201)),
      after: exchange(`${'n'.repeat(185)}_${fingerprint('n'.repeat(201))}`),
    },
    {
      name: 'a name with a dot',
      dialect: 'openai-chat',
      before: chatExchange('fs.read'),
      after: chatExchange('fs_read'),
    },
    {
      name: 'a name of 65 characters',
      dialect: 'openai-chat',
      before: chatExchange('n'.repeat(65)),
      after: chatExchange(`${'n'.repeat(49)}_${fingerprint('n'.repeat(65))}`),
    },
    {
      name: 'a call that names no tool',
      dialect: 'pydantic-ai',
      before: pydanticExchange(null),
      after: pydanticExchange(UNNAMED),
    },
  ],
};

function exchange(name: string): unknown[] {
  return [
    { role: 'user', content: 'read a' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name, input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' }] },
  ];
}

function chatExchange(name: string): unknown[] {
  return [
    { role: 'user', content: 'read a' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'A' },
  ];
}

function pydanticExchange(name: string | null): unknown[] {
  return [
    { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'read a' }] },
    { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: name, args: '{}', tool_call_id: 'call_1' }] },
    {
      kind: 'request',
      parts: [{ part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'call_1' }],
    },
  ];
}

/** A name in the characters and the length of its dialect; only one that had to be cut gets a fingerprint. */
function legalName(call: CallPart): string {
  if (call.tool === '') return UNNAMED;
  const wire = wireOf(call);
  const strict = isRecord(wire['function']) || isRecord(wire['custom']);
  const maximum = strict ? 64 : 200;
  const name = strict ? call.tool.replaceAll(/[^a-zA-Z0-9_-]/g, '_') : call.tool;
  if (name.length <= maximum) return name;
  const mark = fingerprint(call.tool);
  return `${name.slice(0, maximum - mark.length - 1).toWellFormed()}_${mark}`;
}
