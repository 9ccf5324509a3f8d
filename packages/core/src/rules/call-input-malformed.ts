import { replacePart, type Proposal } from '../model/edit.ts';
import type { Loss } from '../model/finding.ts';
import type { CallPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { keepsDigits } from '../model/digits.ts';
import { isRaw, isRecord, readableJson, setKey, withKeys } from '../model/value.ts';
import { callOf, callIndex, placeOf, wireOf } from './remedies/place.ts';
import { isWrittenCall } from './remedies/response-items.ts';

/** Arguments travel as an object in one dialect and as a string in another; each refuses the other's form. */
export const callInputMalformed: Rule = {
  id: 'call-input-malformed',
  title: 'the arguments of a call have the wrong form',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'openai-agents': ['or-args'],
    'openai-responses': ['or-args'],
    gemini: ['ge-fr-object'],
    'anthropic-messages': ['an-input-object'],
    'openai-chat': ['oc-args-string', 'tpl-args-object'],
    'bedrock-converse': ['br-input-object'],
    'ai-sdk-model': ['ai-converters'],
    'mistral-chat': ['mi-count'],
    'ai-sdk-ui': ['ai-converters'],
    langchain: ['an-input-object'],
  },
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
    'bedrock-converse': (found) => {
      const { message, part } = placeOf(found);
      const at = `messages.${String(message)}.content.${String(part)}.toolUse.input`;
      return `The format of the value at ${at} is invalid. Provide a json object for the field and try again.`;
    },
    'anthropic-messages': (found) => {
      const { message, part } = placeOf(found);
      return `messages.${String(message)}.content.${String(part)}.tool_use.input: Input should be a valid dictionary`;
    },
    template: () => 'Can only get item pairs from a mapping',
    'openai-chat': (found) => {
      const call = callOf(found, found.fact);
      const field = isRecord(wireOf(call)['custom']) ? 'custom.input' : 'function.arguments';
      const at = `messages[${String(found.fact.message)}].tool_calls[${String(callIndex(found))}].${field}`;
      return `Invalid type for '${at}': expected a string, but got ${formOf(call.input)} instead.`;
    },
  },
  repair,
};

function repair(found: Case): Proposal {
  const call = callOf(found, found.fact);
  const wire = wireOf(call);
  // A custom tool takes a text everywhere.
  const custom = wire['type'] === 'custom' || (isRecord(wire['custom']) && !isRecord(wire['function']));
  if (found.profile.inputForm === 'object' && !custom) return toObjectForm(found);
  const asText = isRecord(wire['function']) || isRecord(wire['custom']) || isWrittenCall(call);
  const input = asText ? toText(call) : withNamedKeys(toObject(call.input));
  const kept = asText || !Object.hasOwn(Object(input) as object, 'INVALID_JSON');
  return {
    edits: [replacePart(placeOf(found), { ...call, input, edited: true })],
    action: kept ? 'restore' : 'rewrite',
    loss: asText ? 'none' : lossOf(call.input),
    note: kept
      ? `put the arguments of the call to ${call.tool} into the form of this dialect${digitsNote(call.input, asText)}`
      : `kept the broken arguments of the call to ${call.tool} under INVALID_JSON`,
  };
}

/** For a template that walks through the arguments they are an object, also in a dialect that has them as text. */
function toObjectForm(found: Case): Proposal {
  const call = callOf(found, found.fact);
  const wire = wireOf(call);
  const input = toObject(call.input);
  const callee = withKeys(wire['function'], { name: call.tool, arguments: input });
  return {
    edits: [replacePart(placeOf(found), { ...call, input, wire: withKeys(wire, { function: callee }) })],
    action: 'restore',
    loss: lossOf(call.input),
    note: `put the arguments of the call to ${call.tool} into an object${digitsNote(call.input, false)}`,
  };
}

/** Numbers with more digits than a number of JavaScript keeps are other numbers once they are read. */
function lossOf(input: unknown): Loss {
  return typeof input === 'string' && parseObject(input) !== undefined && !keepsDigits(input) ? 'lossy' : 'none';
}

function digitsNote(input: unknown, asText: boolean): string {
  return !asText && lossOf(input) === 'lossy' ? '; numbers in it have lost their last digits' : '';
}

function toText(call: CallPart): string {
  if (call.input === undefined || call.input === null) {
    const { custom, type } = wireOf(call);
    return isRecord(custom) || type === 'custom_tool_call' ? '' : '{}';
  }
  return readableJson(call.input);
}

function toObject(input: unknown): Record<string, unknown> {
  if (input === undefined || input === null || input === '') return {};
  const parsed = typeof input === 'string' ? parseObject(input) : isRecord(input) ? input : undefined;
  return parsed ?? { INVALID_JSON: readableJson(input) };
}

/** The same value in which no key is empty: such a key becomes an underscore, or as many as are free. */
function withNamedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNamedKeys);
  if (!isRecord(value) || isRaw(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    setKey(copy, key === '' ? freeName(value) : key, withNamedKeys(value[key]));
  }
  return copy;
}

/** A name that no other key of the object has. */
function freeName(value: Record<string, unknown>): string {
  let name = '_';
  while (Object.hasOwn(value, name)) name += '_';
  return name;
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
