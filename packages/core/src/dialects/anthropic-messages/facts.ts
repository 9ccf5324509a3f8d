import { idText, isLegalId } from '../../model/call-id.ts';
import type { RequestFacts, Sink } from '../../model/codec.ts';
import type { Role } from '../../model/part.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { charactersOf, countKeys, isBlank, isRecord } from '../../model/value.ts';
import { hasCallsBeside } from '../calls-beside.ts';
import { charactersElsewhere, saysElsewhere } from '../elsewhere.ts';
import { isPairOrThought } from '../foreign-piece.ts';
import { salvageable, strangerCharacters } from '../salvage.ts';
import { checkValue, scanInput, scanValue } from '../scan-value.ts';
import {
  CALL_KEYS,
  CAMEL_RESULT_KEYS,
  DOCUMENT_KEYS,
  IMAGE_KEYS,
  MESSAGE_KEYS,
  pieceKeys,
  REASONING_KEYS,
  REDACTED_KEYS,
  RESULT_KEYS,
  scanKeys,
  scanMarker,
  SERVER_CALL_KEYS,
  TEXT_KEYS,
} from './keys.ts';
import { isCamelResult, isMute, resultIdOf } from './read.ts';

type Wire = Record<string, unknown>;

const MAX_NAME = 200;
const SERVER_ID = /^srvtoolu_[a-zA-Z0-9_]+$/;
const RESULT_REFUSES: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
]);

/** Reports who speaks, every part and every fact about them. */
export function scan(wire: unknown, sink: Sink): void {
  if (!isRecord(wire)) return scanUnreadable(wire, undefined, sink);
  const role = wire['role'];
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return scanUnreadable(wire, role, sink);
  sink.message(role);
  const content = wire['content'];
  const bare = sink.deep && content !== undefined && countKeys(wire) === 2;
  if (!bare && role === 'assistant' && hasCallsBeside(wire)) {
    sink.fact('content-unreadable', 'tool_calls');
    sink.total += salvageable(wire);
    return;
  }
  if (!bare && isMute(content) && saysElsewhere(wire, 'content')) {
    sink.fact('content-unreadable', 'elsewhere');
    sink.total += charactersElsewhere(wire, 'content');
    return;
  }
  if (sink.deep && !bare) scanKeys(wire, MESSAGE_KEYS, sink);
  if (typeof content === 'string') {
    if (content === '') return sink.fact(role === 'system' ? 'system-empty' : 'empty-message');
    sink.part('text', undefined, false);
    if (sink.deep) scanText(content, sink);
  } else if (Array.isArray(content)) {
    if (content.length === 0) scanEmpty(wire, role, sink);
    scanParts(content, role, sink);
  } else {
    sink.fact('content-unreadable');
    sink.total += salvageable(wire);
  }
}

function scanUnreadable(wire: unknown, role: unknown, sink: Sink): void {
  sink.message('unreadable');
  if (typeof role === 'string') sink.fact('role-foreign', role);
  else sink.fact('message-unreadable');
  sink.total += salvageable(wire);
}

function scanEmpty(wire: Wire, role: Role, sink: Sink): void {
  if (role !== 'system') sink.fact('empty-message');
  else if (!isRecord(wire['output_config'])) sink.fact('system-empty');
}

function scanParts(content: readonly unknown[], role: Role, sink: Sink): void {
  const count = content.length;
  let reasoning = false;
  for (let i = 0; i < count; i += 1) {
    const part = content[i];
    // A list inside the list has no type and counts as unreadable, so it needs no test of its own here.
    if (typeof part !== 'object' || part === null) {
      scanStranger(part, sink);
      continue;
    }
    const before = reasoning;
    const type = (part as Wire)['type'];
    reasoning = type === 'thinking' || type === 'redacted_thinking';
    if (type === 'tool_result') scanResult(part as Wire, role, sink);
    else if (type === 'tool_use') scanCall(part as Wire, role, sink);
    else if (type === 'text') scanTextPart(part as Wire, sink);
    else if (reasoning) {
      scanReasoning(part as Wire, role, sink);
      scanReasoningPlace(content, { at: i, before, role }, sink);
    } else if (type === 'image' || type === 'document') scanMedia(part as Wire, role, sink);
    else scanOther(part as Wire, role, sink);
  }
}

function scanStranger(part: unknown, sink: Sink): void {
  sink.part('opaque', undefined, false);
  if (isPairOrThought(part)) sink.fact('content-unreadable', 'tool_calls');
  else sink.fact('part-unreadable');
  sink.total += charactersOf(part);
}

type Stand = { readonly at: number; readonly before: boolean; readonly role: Role };

function scanReasoningPlace(content: readonly unknown[], { at, before, role }: Stand, sink: Sink): void {
  if (!before && at > 0 && !opensWithReasoning(content)) sink.fact('reasoning-not-first');
  if (at === content.length - 1 && role === 'assistant') sink.fact('reasoning-last');
}

function opensWithReasoning(content: readonly unknown[]): boolean {
  const first = content[0];
  return isRecord(first) && (first['type'] === 'thinking' || first['type'] === 'redacted_thinking');
}

function scanMedia(part: Wire, role: Role, sink: Sink): void {
  const image = part['type'] === 'image';
  sink.part('media', undefined, false);
  if (role === 'system') sink.fact('part-in-wrong-role', 'user');
  if (image) sink.fact('image');
  if (!sink.deep) return;
  scanValue(part['source'], sink);
  scanKeys(part, image ? IMAGE_KEYS : DOCUMENT_KEYS, sink);
}

function scanOther(part: Wire, role: Role, sink: Sink): void {
  const type = part['type'];
  if (typeof type !== 'string') return scanStranger(part, sink);
  if (type === 'server_tool_use' || type === 'mcp_tool_use') return scanServerCall(part, role, sink);
  if (type.endsWith('_tool_result')) {
    sink.part('result', idOf(part['tool_use_id']), true);
    if (role !== 'assistant') sink.fact('part-in-wrong-role', 'assistant');
    if (type === 'tool_search_tool_result') scanFoundTools(part, sink);
  } else {
    sink.part('opaque', undefined, false);
    if (isPairOrThought(part)) sink.fact('content-unreadable', 'tool_calls');
    scanReference(part, sink);
  }
  if (!sink.deep) return;
  scanMarker(part, sink);
  scanValue(part, sink);
}

function scanText(text: string, sink: Sink): void {
  sink.total += text.length;
  // Nearly every text begins with a visible character, which needs no further look.
  const first = text.charCodeAt(0);
  if (!(first > 32 && first < 127) && isBlank(text)) sink.fact('blank-text');
  else if (!text.isWellFormed()) sink.fact('lone-surrogate');
}

function scanTextPart(part: Wire, sink: Sink): void {
  sink.part('text', undefined, false);
  if (!sink.deep) return;
  const text = part['text'];
  if (typeof text !== 'string') {
    sink.total += strangerCharacters(part);
    sink.fact('part-unreadable');
  } else {
    scanText(text, sink);
    if (countKeys(part) !== 2) scanKeys(part, TEXT_KEYS, sink);
  }
}

function scanCall(part: Wire, role: Role, sink: Sink): void {
  const id = part['id'];
  sink.part('call', typeof id === 'string' ? id : idText(id), false);
  if (role !== 'assistant') sink.fact('part-in-wrong-role', 'assistant');
  if (!sink.deep) {
    if (part['toolset_name'] !== undefined) sink.fact('toolset-call');
    return;
  }
  const { name, input } = part;
  if (typeof id !== 'string' || !isLegalId(id, sink.profile)) sink.fact('call-id-malformed');
  if (typeof name === 'string' && name !== '' && name.length <= MAX_NAME) scanWords(name, sink);
  else {
    sink.fact('call-name-malformed');
    scanValue(name, sink);
  }
  if (isRecord(input)) scanInput(input, sink);
  else {
    sink.fact('call-input-malformed');
    scanValue(input, sink);
  }
  if (id !== undefined && name !== undefined && input !== undefined && countKeys(part) === 4) return;
  if (part['toolset_name'] !== undefined) sink.fact('toolset-call');
  scanKeys(part, CALL_KEYS, sink);
}

function scanServerCall(part: Wire, role: Role, sink: Sink): void {
  const id = part['id'];
  sink.part('call', idOf(id), true);
  if (role !== 'assistant') sink.fact('part-in-wrong-role', 'assistant');
  if (part['type'] === 'server_tool_use') {
    if (typeof id !== 'string' || !SERVER_ID.test(id)) sink.fact('server-call-id-malformed');
    const name = part['name'];
    if (sink.request !== undefined && !isDeclared(name, sink.request)) {
      sink.fact('server-tool-undeclared', String(name));
    }
  } else if (idOf(id) === undefined) sink.fact('server-call-id-malformed');
  if (!sink.deep) return;
  if (part['type'] === 'mcp_tool_use') scanMarker(part, sink);
  else scanKeys(part, SERVER_CALL_KEYS, sink);
  checkValue(part, sink);
  sink.total += charactersOf(part['input']);
}

function isDeclared(name: unknown, request: RequestFacts): boolean {
  if (typeof name !== 'string') return false;
  if (request.serverTools.has(name)) return true;
  return name.endsWith('code_execution') && request.serverTools.has('code_execution');
}

/** Tools that a search has found must still be declared. */
function scanFoundTools(part: Wire, sink: Sink): void {
  const content = part['content'];
  const found = isRecord(content) ? content['tool_references'] : undefined;
  if (sink.request === undefined || !Array.isArray(found)) return;
  for (const reference of found as unknown[]) {
    const name = isRecord(reference) ? String(reference['tool_name']) : '';
    if (sink.request.tools?.has(name) !== true) sink.fact('tool-reference-undeclared', [name, 'tool_references']);
  }
}

function scanReference(part: Wire, sink: Sink): void {
  if (sink.request === undefined) return;
  const tool = part['tool'];
  const name = part['type'] === 'tool_addition' && isRecord(tool) ? (tool['tool_name'] ?? tool['name']) : undefined;
  if (typeof name === 'string' && sink.request.tools?.has(name) !== true) sink.fact('tool-reference-undeclared', name);
}

function scanResult(part: Wire, role: Role, sink: Sink): void {
  const { tool_use_id: named, content } = part;
  const id = typeof named === 'string' ? named : resultIdOf(part);
  sink.part('result', id, false);
  if (role !== 'user') sink.fact('part-in-wrong-role', 'user');
  if (id !== undefined && typeof content === 'string' && isPlaceholder(content)) sink.fact('placeholder', id);
  if (!sink.deep) return;
  if (id !== named && id !== undefined) sink.fact('call-id-malformed');
  if (typeof content === 'string') scanWords(content, sink);
  else if (Array.isArray(content)) scanResultContent(content, part, sink);
  else if (content !== undefined) {
    sink.fact('result-content-refused');
    scanValue(content, sink);
  }
  if (content !== undefined && named !== undefined) {
    const count = countKeys(part);
    if (count === 3 || (count === 4 && typeof part['is_error'] === 'boolean')) return;
  }
  scanKeys(part, isCamelResult(part) ? CAMEL_RESULT_KEYS : RESULT_KEYS, sink);
}

/** A text that may be blank. */
function scanWords(text: string, sink: Sink): void {
  sink.total += text.length;
  if (!text.isWellFormed()) sink.fact('lone-surrogate');
}

function scanResultContent(content: readonly unknown[], part: Wire, sink: Sink): void {
  let refused = content.length === 0;
  for (let i = 0; i < content.length; i += 1) {
    const piece = content[i];
    if (!isRecord(piece) || typeof piece['type'] !== 'string' || RESULT_REFUSES.has(piece['type'])) {
      refused = true;
      scanValue(piece, sink);
      continue;
    }
    const type = piece['type'];
    if (type === 'text' && (typeof piece['text'] !== 'string' || isBlank(piece['text']))) refused = true;
    if (type !== 'text' && part['is_error'] === true) refused = true;
    if (type === 'image') sink.fact('image', String(i));
    if (piece['cache_control'] !== undefined && piece['cache_control'] !== null) sink.fact('cache-marker', String(i));
    scanValue(type === 'text' ? piece['text'] : piece, sink);
    if (type === 'tool_reference' && sink.request !== undefined) {
      const name = String(piece['tool_name']);
      if (sink.request.tools?.has(name) !== true) sink.fact('tool-reference-undeclared', [name, String(i)]);
    }
  }
  if (refused) sink.fact('result-content-refused');
  const extra = sink.profile.unknownKeys === 'strip' ? pieceKeys(content) : [];
  if (extra.length > 0) sink.fact('extra-key', extra);
}

function scanReasoning(part: Wire, role: Role, sink: Sink): void {
  sink.part('reasoning', undefined, false);
  if (role !== 'assistant') sink.fact('part-in-wrong-role', 'assistant');
  if (!sink.deep) return;
  const redacted = part['type'] === 'redacted_thinking';
  const seal = redacted ? part['data'] : part['signature'];
  if (
    typeof seal !== 'string' ||
    isBlank(seal) ||
    !seal.isWellFormed() ||
    (!redacted && typeof part['thinking'] !== 'string')
  ) {
    sink.fact('reasoning-unsigned');
  }
  if (!redacted) scanValue(part['thinking'], sink);
  scanKeys(part, redacted ? REDACTED_KEYS : REASONING_KEYS, sink);
}

function idOf(id: unknown): string | undefined {
  return typeof id === 'string' ? id : undefined;
}
