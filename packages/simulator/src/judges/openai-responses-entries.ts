import type { JsonObject } from './docket.ts';

/** What an item is called in refusals about pairs, and the type of the item that answers it. */
export interface Answerable {
  readonly words: string;
  readonly answer: string;
}

/** Calls that wait for an item of the client. */
export const CALLS: ReadonlyMap<string, Answerable> = new Map([
  ['function_call', { words: 'function call', answer: 'function_call_output' }],
  ['custom_tool_call', { words: 'custom tool call', answer: 'custom_tool_call_output' }],
  ['computer_call', { words: 'computer call', answer: 'computer_call_output' }],
  ['local_shell_call', { words: 'local shell call', answer: 'local_shell_call_output' }],
  ['shell_call', { words: 'shell call', answer: 'shell_call_output' }],
  ['apply_patch_call', { words: 'apply patch call', answer: 'apply_patch_call_output' }],
  ['tool_search_call', { words: 'tool search call', answer: 'tool_search_output' }],
]);

/** The call type each answering type belongs to. */
export const ANSWERS: ReadonlyMap<string, string> = new Map([...CALLS].map(([call, { answer }]) => [answer, call]));

/** How the ids of each type begin, where that is on record. */
export const ID_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['message', 'msg'],
  ['reasoning', 'rs'],
  ['function_call', 'fc'],
  ['custom_tool_call', 'ctc'],
  ['tool_search_call', 'tsc'],
  ['web_search_call', 'ws'],
  ['file_search_call', 'fs'],
  ['code_interpreter_call', 'ci'],
  ['image_generation_call', 'ig'],
  ['computer_call', 'cu'],
  ['mcp_call', 'mcp'],
  ['mcp_list_tools', 'mcpl'],
  ['compaction', 'cmp'],
]);

const OTHER_TYPES = [
  'additional_tools',
  'agent_message',
  'compaction_trigger',
  'item_reference',
  'mcp_approval_request',
  'mcp_approval_response',
  'multi_agent_call',
  'multi_agent_call_output',
  'program',
  'program_output',
];

/** Every type an input item may have, in the order in which refusals list them. */
export const TYPES: readonly string[] = [
  ...new Set([...CALLS.keys(), ...ANSWERS.keys(), ...ID_PREFIXES.keys(), ...OTHER_TYPES]),
].sort();
export const KNOWN_TYPES: ReadonlySet<string> = new Set(TYPES);

export const ROLES: readonly string[] = ['assistant', 'system', 'developer', 'user'];

const CLIENT_TYPES: ReadonlySet<string> = new Set([
  ...ANSWERS.keys(),
  'additional_tools',
  'compaction_trigger',
  'mcp_approval_response',
]);

/** The type of an item; messages and references may leave it out. */
export function typeOf(entry: JsonObject): unknown {
  const { type } = entry;
  if (type !== undefined && type !== null) return type;
  if (entry.role !== undefined) return 'message';
  return typeof entry.id === 'string' ? 'item_reference' : undefined;
}

/** Whether the client wrote the item, so that it stands between two responses of the model. */
export function isByClient(type: string, entry: JsonObject): boolean {
  if (type === 'message') return entry.role !== 'assistant';
  if (type === 'tool_search_output') return entry.execution !== 'server';
  return CLIENT_TYPES.has(type);
}

/** Whether the item is reasoning, by value or by reference. */
export function isReasoning(type: string, entry: JsonObject): boolean {
  return type === 'reasoning' || (type === 'item_reference' && String(entry.id).startsWith('rs_'));
}

export function idOf(entry: JsonObject): string | undefined {
  return typeof entry.id === 'string' ? entry.id : undefined;
}

/** What differs between models, or between OpenAI and those who speak its dialect. */
export interface ResponsesProfile {
  /** Reasoning may come back with its text in the clear. */
  readonly reasoningText: boolean;
  /** An output may leave out the call it answers. */
  readonly outputWithoutCall: boolean;
  /** Types that nobody has written down are refused. */
  readonly knownTypesOnly: boolean;
}

const OPENAI: ResponsesProfile = { reasoningText: false, outputWithoutCall: true, knownTypesOnly: true };
const STRICT: ResponsesProfile = { reasoningText: false, outputWithoutCall: false, knownTypesOnly: true };
const LENIENT: ResponsesProfile = { reasoningText: true, outputWithoutCall: true, knownTypesOnly: false };

export function responsesProfile(model: string | undefined, strict: boolean): ResponsesProfile {
  const unknown = strict ? STRICT : LENIENT;
  if (model === undefined) return unknown;
  const name = model
    .toLowerCase()
    .slice(model.lastIndexOf('/') + 1)
    .replace(/^openai\./, '');
  if (name.startsWith('gpt-oss')) return { ...unknown, reasoningText: true };
  return /^(?:ft:)?(?:gpt-\d|o\d|chatgpt-|codex-|computer-use-)/.test(name) ? OPENAI : unknown;
}
