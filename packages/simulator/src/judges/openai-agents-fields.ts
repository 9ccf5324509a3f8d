import { isObject, isPlainName, type JsonObject } from './docket.ts';

/** Calls that somebody outside answers, with the items that answer them. */
export const PAIRS: ReadonlyMap<string, string> = new Map([
  ['function_call', 'function_call_result'],
  ['computer_call', 'computer_call_result'],
  ['shell_call', 'shell_call_output'],
  ['apply_patch_call', 'apply_patch_call_output'],
  ['tool_search_call', 'tool_search_output'],
]);

const PREFIXES: ReadonlyMap<string, string> = new Map([
  ['message', 'msg'],
  ['function_call', 'fc'],
  ['reasoning', 'rs'],
]);

export function isKnownId(id: unknown, type: string): id is string {
  return typeof id === 'string' && isPlainName(id) && id.length <= 64 && id.startsWith(PREFIXES.get(type) ?? '');
}

const SENT = {
  user: new Set(['input_text', 'input_image', 'input_file', 'audio']),
  assistant: new Set(['output_text', 'refusal', 'audio', 'image']),
};

/** Whether the framework sends a part in a message of a role; undefined for what is no part at all. */
export function isPart(part: unknown, role: 'user' | 'assistant'): boolean | undefined {
  if (!isObject(part) || typeof part.type !== 'string') return undefined;
  if (part.type === 'refusal' && typeof part.refusal !== 'string') return undefined;
  if (part.type.endsWith('text') && typeof part.text !== 'string') return undefined;
  return SENT[role].has(part.type) && isSomewhere(part);
}

const FILE = /^\s*(?:data:|https:\/\/|[A-Za-z0-9+/=]+\s*$)/;

/** A picture or a file is where the framework looks for it. */
function isSomewhere(part: JsonObject): boolean {
  const { type, image, imageUrl, file, fileData, fileUrl, fileId } = part;
  const [held, others] =
    type === 'input_image'
      ? [image, [imageUrl, fileId]]
      : type === 'input_file'
        ? [file, [fileData, fileUrl, fileId]]
        : [];
  if (others === undefined) return true;
  if (typeof held === 'string') return type === 'input_image' || FILE.test(held);
  if (isObject(held) && (typeof held.id === 'string' || typeof held.url === 'string')) return true;
  return others.some((other) => typeof other === 'string');
}

/** Whether a tool returned something in the form that its item has. */
export function isReturned({ type, output, tools }: JsonObject): boolean {
  switch (type) {
    case 'function_call_result':
      return isFunctionOutput(output);
    case 'computer_call_result':
      return isObject(output) && typeof output.data === 'string';
    case 'shell_call_output':
      return Array.isArray(output);
    case 'apply_patch_call_output':
      return output === undefined || output === null || typeof output === 'string';
    default:
      return Array.isArray(tools);
  }
}

function isFunctionOutput(output: unknown): boolean {
  if (Array.isArray(output)) {
    return [...output].every((piece) => isPart(piece, 'user') === true && isObject(piece) && piece.type !== 'audio');
  }
  if (!isObject(output)) return typeof output === 'string';
  return output.type === 'text' ? typeof output.text === 'string' : output.type === 'image' || output.type === 'file';
}

const TOOLS = /^(?:web_search|file_search|code_interpreter|image_generation)(?:_call)?$/;
const REMOTE = /^mcp_(?:list_tools|approval_request|approval_response|call)$/;

/** Whether an item has what the framework needs to give it back; a decision is the person's own. */
export function isGivenBack(item: JsonObject): boolean | 'decision' {
  const { type, name, action, actions, providerData: data } = item;
  switch (type) {
    case 'hosted_tool_call': {
      if (!isObject(data)) return false;
      const own = typeof data.type === 'string' && (TOOLS.test(data.type) || REMOTE.test(data.type));
      const called = own ? data.type : typeof name === 'string' && REMOTE.test(name) ? name : undefined;
      return called === 'mcp_approval_response' ? 'decision' : called !== undefined;
    }
    case 'compaction':
      return typeof (item.encrypted_content ?? item.encryptedContent) === 'string';
    case 'program':
      return typeof item.fingerprint === 'string';
    case 'unknown':
      return isObject(data) && typeof data.type === 'string';
    case 'tool_search_output':
      return Array.isArray(item.tools);
    case 'computer_call':
      return isObject(action) || (Array.isArray(actions) && actions.length > 0);
    case 'shell_call':
      return isObject(action) && Array.isArray(action.commands);
    case 'apply_patch_call':
      return isObject(item.operation);
    default:
      return true;
  }
}
