import type { Dialect } from '../../src/index.ts';
import { isFields, listOf, type Fields } from './draft.ts';

const LIST_KEYS: Readonly<Record<Dialect, string>> = {
  'anthropic-messages': 'messages',
  'openai-chat': 'messages',
  'openai-responses': 'input',
  gemini: 'contents',
  'bedrock-converse': 'messages',
  'mistral-chat': 'messages',
  'pydantic-ai': 'messages',
  'ai-sdk-model': 'messages',
  'ai-sdk-ui': 'messages',
  langchain: 'messages',
  'openai-agents': 'input',
};

/** The key of the list inside a whole request. */
export const listKeyOf = (dialect: Dialect): string => LIST_KEYS[dialect];

/** The list of messages inside a history or a whole request. */
export function messagesIn(input: unknown): readonly unknown[] {
  if (Array.isArray(input)) return input;
  const key = Object.values(LIST_KEYS).find((listKey) => isFields(input) && Array.isArray(input[listKey]));
  return isFields(input) && key !== undefined ? listOf(input, key) : [];
}

export interface ReadResult {
  readonly id: unknown;
  /** The result as JSON text, so that any content can be searched. */
  readonly text: string;
  /** Every string in it. */
  readonly texts: readonly string[];
}

const resultOf = (id: unknown, content: unknown): ReadResult => ({
  id,
  text: typeof content === 'string' ? content : (JSON.stringify(content) ?? ''),
  texts: [...stringsIn(content)],
});

/** The text of a list of one text; else its JSON. */
const onlyText = (content: unknown): unknown => {
  const only: unknown = Array.isArray(content) && content.length === 1 ? content[0] : undefined;
  return isFields(only) && typeof only['text'] === 'string' ? only['text'] : content;
};

const resultKinds: ReadonlySet<unknown> = new Set(['tool_result', 'tool-return', 'retry-prompt']);

/** The results in a model message of the AI SDK, each with what its output says. */
function modelResults(message: Fields): ReadResult[] {
  return listOf(message, 'content')
    .filter(isFields)
    .filter((part) => part['type'] === 'tool-result')
    .map(({ toolCallId, output }) => resultOf(toolCallId, isFields(output) ? output['value'] : output));
}

/** The results in a message of the AI SDK's user interface, each in the part of its call. */
function interfaceResults(message: Fields): ReadResult[] {
  return listOf(message, 'parts')
    .filter(isFields)
    .filter(({ state }) => state === 'output-available' || state === 'output-error')
    .map(({ toolCallId, output, errorText }) => resultOf(toolCallId, errorText ?? output));
}

/** The result that a LangChain message is, in any of its wrappings. */
function chainResults(message: Fields): ReadResult[] {
  const inner = [message['kwargs'], message['data']].find(isFields) ?? message;
  return 'tool_call_id' in inner ? [resultOf(inner['tool_call_id'], inner['content'])] : [];
}

/** The result that an item of the OpenAI Agents SDK is. */
function agentResults({ type, callId, call_id: id, output, tools }: Fields): ReadResult[] {
  if (!/_(call_result|call_output|search_output)$/.test(String(type))) return [];
  const said = isFields(output) && output['type'] === 'text' ? output['text'] : (output ?? tools);
  return [resultOf(callId ?? id, said)];
}

function resultsIn(dialect: Dialect, message: Fields): ReadResult[] {
  if (dialect === 'openai-agents') return agentResults(message);
  if (dialect === 'langchain') return chainResults(message);
  if (dialect === 'ai-sdk-ui') return interfaceResults(message);
  if (dialect === 'ai-sdk-model') return modelResults(message);
  if (dialect === 'openai-chat' || dialect === 'mistral-chat') {
    return message['role'] === 'tool' ? [resultOf(message['tool_call_id'], message['content'])] : [];
  }
  if (dialect === 'bedrock-converse') {
    return listOf(message, 'content')
      .map((part) => (isFields(part) ? part['toolResult'] : undefined))
      .filter(isFields)
      .map((result) => resultOf(result['toolUseId'], onlyText(result['content'])));
  }
  if (dialect === 'gemini') return contentResults(message);
  if (dialect === 'openai-responses') return outputsIn(message);
  const [listKey, typeKey, idKey] =
    dialect === 'pydantic-ai' ? ['parts', 'part_kind', 'tool_call_id'] : ['content', 'type', 'tool_use_id'];
  return listOf(message, listKey)
    .filter(isFields)
    .filter(
      (part) =>
        resultKinds.has(part[typeKey]) && (part[typeKey] !== 'retry-prompt' || typeof part['tool_name'] === 'string'),
    )
    .map((part) => resultOf(part[idKey], part['content']));
}

/** Ids are optional there, and the name of the tool then stands for one. */
function contentResults(message: Fields): ReadResult[] {
  return listOf(message, 'parts')
    .map((part) => (isFields(part) ? (part['functionResponse'] ?? part['function_response']) : undefined))
    .filter(isFields)
    .map(({ id, name, response }) => {
      const values = isFields(response) ? Object.values(response) : [];
      return resultOf(id ?? name, values.length === 1 ? values[0] : response);
    });
}

/** An entry of the Responses API that answers a call. */
function outputsIn({ type, call_id: id, output }: Fields): ReadResult[] {
  return typeof type === 'string' && type.endsWith('_output') ? [resultOf(id, output)] : [];
}

/** Every result of a call in a well-formed history. */
export const readResults = (dialect: Dialect, input: unknown): ReadResult[] =>
  messagesIn(input)
    .filter(isFields)
    .flatMap((message) => resultsIn(dialect, message));

/** All strings in a value, keys left out. */
export function stringsIn(value: unknown, into: Set<string> = new Set()): Set<string> {
  if (typeof value === 'string') into.add(value);
  else if (Array.isArray(value)) for (const child of value) stringsIn(child, into);
  else if (isFields(value)) for (const key of Object.keys(value)) stringsIn(value[key], into);
  return into;
}

/** Freezes a value all the way down, so that any write to it throws. */
export function deepFreeze<T>(value: T): T {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    open.push(...Object.values(next));
  }
  return value;
}

/** A writable deep copy of generated data, faster than structuredClone; own keys named __proto__ stay own keys. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isFields(value)) return value;
  const copy: Fields = {};
  for (const key of Object.keys(value)) {
    if (key === '__proto__') Object.defineProperty(copy, key, { value: copyOf(value[key]), enumerable: true });
    else copy[key] = copyOf(value[key]);
  }
  return copy;
}
