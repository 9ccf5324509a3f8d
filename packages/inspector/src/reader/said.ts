import { isObject, jsonOf, listAt, numberAt, objectAt, optional, textAt, type JsonObject } from './value.ts';

/** A piece of what a record says, whatever the tool that wrote it. */
export type SaidPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string; readonly isSealed: boolean }
  | { readonly kind: 'call'; readonly id: string; readonly tool: string; readonly input: string }
  | { readonly kind: 'result'; readonly id: string; readonly text: string; readonly outcome: 'ok' | 'error' | 'open' }
  | { readonly kind: 'media'; readonly type: string; readonly data: string }
  | { readonly kind: 'other'; readonly type: string; readonly text: string };

export type Said = {
  readonly role: 'user' | 'assistant' | 'tool' | 'system';
  readonly parts: readonly SaidPart[];
  readonly model?: string;
};

const ROLES: Readonly<Record<string, Said['role']>> = {
  user: 'user',
  human: 'user',
  custom: 'user',
  hookMessage: 'user',
  bashExecution: 'user',
  assistant: 'assistant',
  model: 'assistant',
  gemini: 'assistant',
  ai: 'assistant',
  tool: 'tool',
  toolResult: 'tool',
  system: 'system',
  developer: 'system',
};

/** Where a record keeps its message: in itself, or under one of these keys. */
const HOLDERS = ['message', 'payload', 'event', 'attachment', 'data'] as const;

/** What a record says to the model or heard from it; undefined for the records that a tool keeps for itself. */
export function readSaid(value: JsonObject): Said | undefined {
  const replaced = listAt(value['$set'], 'messages').flatMap((each) =>
    isObject(each) ? (readSaid(each)?.parts ?? []) : [],
  );
  if (replaced.length > 0) return { role: 'user', parts: replaced };
  const inner = HOLDERS.map((key) => objectAt(value, key)).find((held) => held !== undefined && isMessage(held));
  const message = isSummary(value) ? summaryIn(value) : (inner ?? (isMessage(value) ? value : undefined));
  if (message === undefined) return undefined;
  const parts = partsOf(message);
  const role = roleOf(message, parts) ?? roleOf(value, parts) ?? (isSummary(value) ? 'user' : 'assistant');
  if (parts.length === 0 && message['role'] === undefined) return undefined;
  return { role: resultsOnly(parts) ? 'tool' : role, parts, ...optional('model', textAt(message, 'model', 'modelID')) };
}

const summaryIn = (value: JsonObject): JsonObject => {
  const payload = objectAt(value, 'payload');
  return payload === undefined ? value : { ...payload, type: 'compacted' };
};

const isSummary = (value: JsonObject): boolean => /^(compact|branch_summary)/.test(textAt(value, 'type') ?? '');

const resultsOnly = (parts: readonly SaidPart[]): boolean =>
  parts.length > 0 && parts.every(({ kind }) => kind === 'result');

/** A tool of the program tells of its own state under the same names: those records have no role and no known type. */
function isMessage(value: JsonObject): boolean {
  const type = textAt(value, 'type') ?? '';
  const role = textAt(value, 'role');
  if (role !== undefined && Object.hasOwn(ROLES, role)) return true;
  if (role === undefined && Object.hasOwn(READERS, type)) return type !== 'file' || Object.hasOwn(value, 'mime');
  return Object.hasOwn(ROLES, type) && (Object.hasOwn(value, 'content') || Object.hasOwn(value, 'toolCalls'));
}

function roleOf(value: JsonObject, parts: readonly SaidPart[]): Said['role'] | undefined {
  const name = textAt(value, 'role') ?? textAt(value, 'type') ?? '';
  if (Object.hasOwn(ROLES, name)) return ROLES[name];
  return parts.some(({ kind }) => kind === 'result') ? 'tool' : undefined;
}

function partsOf(message: JsonObject): SaidPart[] {
  const { content, parts } = message;
  if (message['role'] === 'toolResult' || message['role'] === 'tool')
    return [...toolMessage(message), ...mediaIn(content)];
  const type = textAt(message, 'type') ?? '';
  if (message['role'] === undefined && Object.hasOwn(READERS, type)) return partOf(message);
  return [
    ...listAt(message, 'thoughts').map(thoughtPart),
    ...reasoningField(message),
    ...contentParts(content),
    ...contentParts(Array.isArray(parts) ? parts : undefined),
    ...bashParts(message),
    ...listAt(message, 'tool_calls').flatMap(chatCall),
    ...listAt(message, 'toolCalls').flatMap(recordedCall),
  ];
}

function contentParts(content: unknown): SaidPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  if (isObject(content)) return partOf(content);
  return Array.isArray(content) ? content.flatMap(partOf) : [];
}

function partOf(part: unknown): SaidPart[] {
  if (typeof part === 'string') return [{ kind: 'text', text: part }];
  if (!isObject(part)) return [];
  const type = textAt(part, 'type');
  const read = type !== undefined && Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  if (read !== undefined) return read(part);
  const untyped = type === undefined ? readUntyped(part) : undefined;
  return untyped ?? [{ kind: 'other', type: type ?? Object.keys(part)[0] ?? 'part', text: jsonOf(part) }];
}

/** Parts of Gemini's API say by their key what they are. */
function readUntyped(part: JsonObject): SaidPart[] | undefined {
  const call = objectAt(part, 'functionCall');
  const response = objectAt(part, 'functionResponse');
  if (call !== undefined) return [callPart(call, call['args'])];
  if (response !== undefined) return [resultPart(response, response['response'])];
  if (objectAt(part, 'inlineData') !== undefined) return [mediaPart(part)];
  const text = textAt(part, 'text');
  if (text === undefined) return undefined;
  return [part['thought'] === true ? { kind: 'reasoning', text, isSealed: false } : { kind: 'text', text }];
}

const readText = (part: JsonObject): SaidPart[] => {
  const text = textAt(part, 'text', 'refusal', 'content') ?? '';
  return text === '' ? [] : [{ kind: 'text', text }];
};

const readReasoning = (part: JsonObject): SaidPart[] => {
  const pieces = [...listAt(part, 'summary'), ...listAt(part, 'content')].map((each) => textAt(each, 'text') ?? '');
  const text = textAt(part, 'thinking', 'think', 'text', 'reasoning') ?? pieces.join('\n\n');
  const isSealed = ['signature', 'encrypted_content', 'data', 'thinkingSignature', 'encrypted'].some((key) =>
    Object.hasOwn(part, key),
  );
  return [{ kind: 'reasoning', text, isSealed }];
};

const readCall = (part: JsonObject): SaidPart[] => [
  callPart(part, part['input'] ?? part['arguments'] ?? part['args'] ?? part['action'] ?? part['query']),
];

const readResult = (part: JsonObject): SaidPart[] => {
  const content = part['content'] ?? part['output'] ?? part['result'] ?? part['tools'];
  return [resultPart(part, content), ...mediaIn(content)];
};

/** opencode keeps a call and its result in one part. */
const readTool = (part: JsonObject): SaidPart[] => {
  const state = objectAt(part, 'state');
  const call = callPart({ ...part, name: part['tool'] }, state?.['input']);
  const status = textAt(state, 'status');
  if (status !== 'completed' && status !== 'error') return [call];
  const text = textAt(state, 'output', 'error') ?? jsonOf(state?.['output']);
  return [call, { kind: 'result', id: call.id, text, outcome: status === 'error' ? 'error' : 'ok' }];
};

const readSummary = (part: JsonObject): SaidPart[] => {
  const text = textAt(part, 'summary', 'message') ?? '';
  return text === '' ? [] : [{ kind: 'text', text }];
};

const readMedia = (part: JsonObject): SaidPart[] => [mediaPart(part)];

const READERS: Readonly<Record<string, (part: JsonObject) => SaidPart[]>> = {
  text: readText,
  input_text: readText,
  output_text: readText,
  refusal: readText,
  // Kimi Code
  'content.part': (part) => partOf(part['part']),
  'tool.call': readCall,
  'tool.result': readResult,
  // A summary is a message of the user, whatever record it stands in.
  compaction: readSummary,
  compacted: readSummary,
  branch_summary: readSummary,
  agent_message: (part) => (Object.hasOwn(part, 'author') ? contentParts(part['content']) : []),
  queued_command: (part) => contentParts(part['prompt']),
  thinking: readReasoning,
  redacted_thinking: readReasoning,
  reasoning: readReasoning,
  think: readReasoning,
  tool_use: readCall,
  server_tool_use: readCall,
  mcp_tool_use: readCall,
  toolCall: readCall,
  'tool-call': readCall,
  function_call: readCall,
  custom_tool_call: readCall,
  local_shell_call: readCall,
  web_search_call: readCall,
  tool_search_call: readCall,
  tool_result: readResult,
  web_search_tool_result: readResult,
  mcp_tool_result: readResult,
  'tool-result': readResult,
  function_call_output: readResult,
  custom_tool_call_output: readResult,
  local_shell_call_output: readResult,
  tool_search_output: readResult,
  tool: readTool,
  image: readMedia,
  input_image: readMedia,
  image_url: readMedia,
  document: readMedia,
  input_file: readMedia,
  file: readMedia,
};

function callPart(part: JsonObject, input: unknown): SaidPart & { kind: 'call' } {
  const id = textAt(part, 'call_id', 'callID', 'toolCallId', 'id') ?? '';
  const tool = textAt(part, 'name', 'tool', 'toolName') ?? textAt(part, 'type')?.replace(/_call$/, '') ?? '';
  return { kind: 'call', id, tool, input: typeof input === 'string' ? input : jsonOf(input ?? {}) };
}

const chatCall = (call: unknown): SaidPart[] => {
  const made = objectAt(call, 'function');
  return isObject(call) ? [callPart({ ...call, name: made?.['name'] }, made?.['arguments'])] : [];
};

/** Gemini CLI keeps the result of a call inside of it. */
const recordedCall = (call: unknown): SaidPart[] => {
  if (!isObject(call)) return [];
  const made = callPart(call, call['args']);
  const { result } = call;
  if (result === undefined || result === null) return [made];
  const isError = /error|cancel/i.test(textAt(call, 'status') ?? '');
  return [made, { kind: 'result', id: made.id, text: resultText(result), outcome: isError ? 'error' : 'ok' }];
};

function resultPart(part: JsonObject, content: unknown): SaidPart {
  const id = textAt(part, 'tool_use_id', 'call_id', 'toolCallId', 'tool_call_id', 'id') ?? '';
  const isError = part['is_error'] === true || part['isError'] === true;
  return { kind: 'result', id, text: resultText(content), outcome: isError ? 'error' : 'ok' };
}

function toolMessage(message: JsonObject): SaidPart[] {
  return [resultPart(message, message['content'] ?? message['output'])];
}

/** The readable text of a result, whatever it is wrapped in. */
function resultText(content: unknown): string {
  if (typeof content === 'string') return unwrapped(content);
  if (Array.isArray(content)) return content.map(resultText).filter(Boolean).join('\n');
  if (!isObject(content)) return content === undefined || content === null ? '' : jsonOf(content);
  const response = objectAt(objectAt(content, 'functionResponse'), 'response');
  if (response !== undefined) return resultText(response);
  if (isMediaPart(content)) return '';
  return textAt(content, 'text', 'output', 'content', 'error', 'value') ?? jsonOf(content);
}

/** Older versions of Codex keep what a command printed as JSON in a text. */
function unwrapped(text: string): string {
  if (!text.startsWith('{"output":')) return text;
  try {
    return textAt(JSON.parse(text), 'output') ?? text;
  } catch {
    return text;
  }
}

const thoughtPart = (thought: unknown): SaidPart => ({
  kind: 'reasoning',
  text: [textAt(thought, 'subject'), textAt(thought, 'description')].filter(Boolean).join('\n'),
  isSealed: false,
});

const reasoningField = (message: JsonObject): SaidPart[] => {
  const text = textAt(message, 'reasoning_content', 'reasoning');
  return text === undefined || text === '' ? [] : [{ kind: 'reasoning', text, isSealed: false }];
};

const bashParts = (message: JsonObject): SaidPart[] =>
  message['role'] === 'bashExecution'
    ? [{ kind: 'text', text: `$ ${textAt(message, 'command') ?? ''}\n${textAt(message, 'output') ?? ''}` }]
    : [];

const isMediaPart = (part: JsonObject): boolean =>
  /^(image|input_image|image_url|document|input_file|file)$/.test(textAt(part, 'type') ?? '') ||
  Object.hasOwn(part, 'inlineData');

const mediaIn = (content: unknown): SaidPart[] =>
  Array.isArray(content) ? content.filter((part) => isObject(part) && isMediaPart(part)).map(mediaPart) : [];

/** Bytes in base64, wherever a dialect keeps them. An address on the net is named, and never followed. */
function mediaPart(part: JsonObject): SaidPart {
  const source = objectAt(part, 'source') ?? objectAt(part, 'inlineData') ?? objectAt(part, 'image_url') ?? part;
  const url = textAt(source, 'url', 'image_url', 'file_data') ?? textAt(part, 'url', 'image_url');
  const [, mime, data] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(url ?? '') ?? [];
  const type =
    mime ?? textAt(source, 'media_type', 'mimeType', 'mime') ?? textAt(part, 'mimeType', 'mime', 'type') ?? '';
  return { kind: 'media', type, data: data ?? textAt(source, 'data') ?? textAt(part, 'data') ?? '' };
}

/** When a record was written, as it says itself. */
export function timeOf(value: JsonObject): string | undefined {
  const text = textAt(value, 'timestamp', 'time', 'createdAt');
  if (text !== undefined) return text;
  const number = numberAt(value, 'timestamp', 'ts', 'time') ?? numberAt(objectAt(value, 'time'), 'created', 'start');
  const ms = number === undefined ? NaN : number < 1e11 ? number * 1000 : number;
  return ms > 0 && ms < 8.64e15 ? new Date(ms).toISOString() : undefined;
}
