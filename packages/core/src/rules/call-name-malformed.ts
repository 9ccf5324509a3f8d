import { fingerprint } from '../model/call-id.ts';
import { replacePart } from '../model/edit.ts';
import type { CallPart } from '../model/part.ts';
import type { Profile } from '../model/profile.ts';
import type { Rule } from '../model/rule.ts';
import { isRecord } from '../model/value.ts';
import { callOf, placeOf, UNNAMED, wireOf, spokenOf } from './remedies/place.ts';
import { isWrittenCall } from './remedies/response-items.ts';

/** Providers restrict the name of the tool in a call. */
export const callNameMalformed: Rule = {
  id: 'call-name-malformed',
  title: 'a call names no tool, or one that cannot be',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: {
    'openai-agents': ['or-callid'],
    'openai-responses': ['or-callid'],
    gemini: ['ge-fr-name'],
    'anthropic-messages': ['an-name-len'],
    'openai-chat': ['oc-name'],
    'pydantic-ai': ['py-repair'],
    'bedrock-converse': ['br-id'],
    'ai-sdk-model': ['ai-converters'],
    'mistral-chat': ['mi-name'],
    'ai-sdk-ui': ['ai-converters'],
    langchain: ['oc-name'],
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
    'mistral-chat': (found) =>
      `Function name was ${callOf(found, found.fact).tool} but must be a-z, A-Z, 0-9, or contain underscores and ` +
      'dashes, with a maximum length of 64.',
    'openai-responses': (found) => {
      const { tool } = callOf(found, found.fact);
      if (tool === '') return undefined;
      return (
        `Invalid 'input[${String(found.fact.message)}].name': string too long. Expected a string with maximum ` +
        `length 128, but got a string with length ${String(tool.length)} instead.`
      );
    },
    'anthropic-messages': (found) => {
      const { message, part } = placeOf(found);
      const limit = callOf(found, found.fact).tool === '' ? 'at least 1 character' : 'at most 200 characters';
      return `messages.${String(message)}.content.${String(part)}.tool_use.name: String should have ${limit}`;
    },
  },
  repair: (found) => {
    const call = callOf(found, found.fact);
    const tool = legalName(call, found.profile);
    return {
      edits: [replacePart(placeOf(found), { ...call, tool, edited: true })],
      action: 'rewrite',
      loss: 'none',
      note: `named the tool of ${spokenOf('call', call.callId)} ${tool}`,
    };
  },
};

/** Frameworks hand names on to any provider, in whichever form the call has. */
function isPassedOn(wire: Readonly<Record<string, unknown>>, carrier: Profile['carrier']): boolean {
  return 'args' in wire || (wire['type'] === 'tool_use' && carrier === 'tool');
}

/** A name in the characters and the length of its dialect; only one that had to be cut gets a fingerprint. */
function legalName(call: CallPart, { carrier }: Profile): string {
  if (call.tool === '') return UNNAMED;
  const wire = wireOf(call);
  const strict =
    isRecord(wire['function']) ||
    isRecord(wire['custom']) ||
    'toolCallId' in wire ||
    'toolUse' in wire ||
    isPassedOn(wire, carrier);
  const maximum = strict ? 64 : isWrittenCall(call) ? 128 : 200;
  const name = strict ? call.tool.replaceAll(/[^a-zA-Z0-9_-]/g, '_') : call.tool;
  if (name.length <= maximum) return name;
  const mark = fingerprint(call.tool);
  return `${name.slice(0, maximum - mark.length - 1).toWellFormed()}_${mark}`;
}
