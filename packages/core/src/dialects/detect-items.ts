import { isRecord } from '../model/value.ts';

type Wire = Record<string, unknown>;

/** Types of the OpenAI Responses API that no other format has, beside those that hold a call id. */
const TYPES: ReadonlySet<unknown> = new Set([
  'item_reference',
  'web_search_call',
  'file_search_call',
  'image_generation_call',
  'code_interpreter_call',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'additional_tools',
  'compaction',
  'compaction_trigger',
]);

const OWN_TOOLS =
  /^(?:(?:function|custom_tool|computer|shell|local_shell|apply_patch)_call(?:_output)?|tool_search_(?:call|output))$/;

const PIECES: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'input_image', 'input_file']);

/** True for an item of the OpenAI Responses API that shows itself as one. */
export function isItem(message: Wire): boolean {
  const { type, content } = message;
  if (typeof type === 'string' && type !== 'message') {
    if (TYPES.has(type)) return true;
    if (type === 'reasoning') return 'summary' in message || 'encrypted_content' in message;
    // Those of one's own tools are known by their names alone, because an id may have been lost.
    return OWN_TOOLS.test(type) || ('call_id' in message && /_(?:call|output)$/.test(type));
  }
  // Others put this type on messages too, but only on those whose content is a list of their own pieces.
  if (type === 'message' && typeof content === 'string') return true;
  return Array.isArray(content) && content.some((piece) => isRecord(piece) && isPieceOf(piece, type));
}

function isPieceOf(piece: Wire, type: unknown): boolean {
  return PIECES.has(piece['type']) || (type === 'message' && piece['type'] === 'refusal');
}

/** Types of the OpenAI Agents SDK for JavaScript that the API behind it does not have. */
const AGENT_TYPES: ReadonlySet<unknown> = new Set(['function_call_result', 'computer_call_result', 'hosted_tool_call']);

/** The SDK spells the API's items in its own way, and keeps what it does not know under a key of its own. */
export function isAgentItem(message: Wire): boolean {
  const { type, role, callId, providerData, content } = message;
  if (AGENT_TYPES.has(type)) return true;
  if (type === 'reasoning') return isAgentThought(message);
  if (typeof type === 'string' && typeof callId === 'string') return /_(call|output)$|^program$/.test(type);
  if (type === 'compaction' || type === 'unknown') return isRecord(providerData);
  if ((type !== undefined && type !== 'message') || typeof role !== 'string') return false;
  if (isRecord(providerData) || message['id'] === 'FAKE_ID') return true;
  return Array.isArray(content) && content.some(isAgentPiece);
}

/** The API has a summary, or what is sealed, where the SDK has content. */
function isAgentThought(message: Wire): boolean {
  const { content, rawContent } = message;
  if (rawContent !== undefined) return true;
  if (!Array.isArray(content) || 'summary' in message || 'encrypted_content' in message) return false;
  return content.every((piece) => isRecord(piece) && piece['type'] === 'input_text');
}

function isAgentPiece(piece: unknown): boolean {
  if (!isRecord(piece) || !PIECES.has(piece['type'])) return false;
  return isRecord(piece['providerData']) || 'image' in piece || 'file' in piece;
}

/** True for a whole request of that API. */
export function hasInput(body: Wire): boolean {
  const { input, type, role } = body;
  if (type !== undefined || role !== undefined) return false;
  return Array.isArray(input) || (typeof input === 'string' && 'model' in body);
}
