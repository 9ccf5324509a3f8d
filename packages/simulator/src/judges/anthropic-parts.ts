import { type Hearing, placeHere, pointerHere, refuseHere, stringFault } from './anthropic-hearing.ts';
import {
  CALL,
  DOCUMENT,
  IMAGE,
  type Kind,
  kindOf,
  MCP_CALL,
  REDACTED,
  RESULT,
  SERVER_CALL,
  TEXT,
  THINKING,
} from './anthropic-kinds.ts';
import type { Turns } from './anthropic-turns.ts';
import { isLongerThan, isObject, isPlainName, type JsonObject } from './docket.ts';
import { isForeignPair } from './foreign-pair.ts';

type Role = 'user' | 'assistant' | 'system';

const SERVER_ID = /^srvtoolu_[a-zA-Z0-9_]+$/;
const NEVER_IN_RESULT: ReadonlySet<Kind> = new Set([CALL, RESULT, SERVER_CALL, THINKING, REDACTED]);
/** What a result may hold; the state of a browser comes back from the members of a toolset. */
const IN_RESULT: ReadonlySet<string> = new Set(
  'text image document search_result tool_reference browser_state'.split(' '),
);
const MAX_IMAGE = 10 * 1024 * 1024;

/** What a part is judged with: the walk, the pairing, and the content and role of its message. */
export interface PartBench {
  readonly hearing: Hearing;
  readonly turns: Turns;
  readonly content: readonly unknown[];
  readonly role: Role;
}

/** Judges one part of a message and hands calls and results on to the pairing. */
export function judgePart(bench: PartBench, part: unknown): void {
  const { hearing, turns, role } = bench;
  if (!isObject(part) || typeof part.type !== 'string') {
    refuseUntyped(hearing, part);
    if (role === 'user') turns.otherUserPart();
    return;
  }
  const kind = kindOf(part.type);
  judgeCommon(hearing, part, kind);
  const foreign = kind.keys === undefined && (isForeignPair(kind.type, part) || kind.type === 'reasoning');
  if (foreign || (kind.isForeign && hearing.matter.whole)) refuseHere(hearing, 'shape', noTag(hearing, kind));
  const misplaced = kind.home !== undefined && kind.home !== role && !isShownMedia(kind, role);
  if (misplaced) {
    const text = `messages.${hearing.message}: \`${kind.type}\` blocks can only be in \`${kind.home}\` messages`;
    refuseHere(hearing, 'an-block-role', text);
  }
  if (role === 'assistant') {
    turns.assistantPart(kind.type);
    if (!misplaced && kind !== TEXT) judgeAssistantPart(bench, part, kind);
  } else if (role === 'user') {
    if (kind === RESULT) judgeResult(hearing, turns, part);
    else turns.otherUserPart();
  } else noteMention(hearing, part);
}

/** Said of whole requests only: a stored history may hold what its keeper leaves to others to translate. */
const noTag = (hearing: Hearing, { type }: Kind): string =>
  `${placeHere(hearing)}: Input tag '${type}' found using 'type' does not match any of the expected tags`;

/** No row says that an assistant shows no image or document. */
const isShownMedia = (kind: Kind, role: Role): boolean => role === 'assistant' && (kind === IMAGE || kind === DOCUMENT);

function refuseUntyped(hearing: Hearing, part: unknown): void {
  hearing.scan.scan(part);
  const fault = isObject(part) ? `.type: ${stringFault(part.type)}` : ': Input should be a valid dictionary';
  refuseHere(hearing, 'shape', `${placeHere(hearing)}${fault}`);
}

/** What holds for a part wherever it stands: its keys, its text, its cache marker. One walk over its keys sees all. */
function judgeCommon(hearing: Hearing, part: JsonObject, kind: Kind): void {
  const { scan } = hearing;
  if (kind === TEXT) judgeText(hearing, part);
  else if (kind === IMAGE || kind === DOCUMENT) judgeMedia(hearing, part, kind);
  const [a, b, c] = kind.usual;
  for (const key in part) {
    if (key === 'type' && kind.keys !== undefined) continue;
    const value = part[key];
    scan.units += key.length + 4;
    if (typeof value === 'string') scan.text(value);
    // Parts inside a result are scanned as they are judged, one by one.
    else if (kind !== RESULT || key !== 'content' || !Array.isArray(value)) scan.scan(value);
    if (key === a || key === b || key === c) continue;
    if (key === 'cache_control' && value !== undefined && value !== null) hearing.markers++;
    if (value !== undefined) judgeKey(hearing, kind, key);
  }
}

function judgeMedia(hearing: Hearing, part: JsonObject, kind: Kind): void {
  const { source } = part;
  if (kind === IMAGE) hearing.images++;
  if (!hearing.matter.whole) return;
  if (!isObject(source)) {
    const fault = source === undefined ? 'Field required' : 'Input should be a valid dictionary';
    refuseHere(hearing, 'shape', `${placeHere(hearing)}.${kind.type}.source: ${fault}`);
  } else if (kind === IMAGE && typeof source.data === 'string' && source.data.length > MAX_IMAGE) {
    const size = `${source.data.length} bytes > ${MAX_IMAGE} bytes`;
    const place = `${placeHere(hearing)}.image.source.base64`;
    refuseHere(hearing, 'an-images', `${place}: image exceeds 10 MB maximum: ${size}`);
  }
}

function judgeKey(hearing: Hearing, kind: Kind, key: string): void {
  if (!key.isWellFormed()) hearing.scan.lone = true;
  if (kind.keys === undefined || kind.keys.has(key)) return;
  refuseHere(hearing, 'an-extra-keys', `${placeHere(hearing)}.${kind.type}.${key}: Extra inputs are not permitted`);
}

function judgeText(hearing: Hearing, part: JsonObject): void {
  const { text } = part;
  if (typeof text !== 'string') {
    refuseHere(hearing, 'shape', `${placeHere(hearing)}.text.text: ${stringFault(text)}`);
  } else if (text === '') {
    if (part.cache_control !== undefined && part.cache_control !== null) {
      const place = placeHere(hearing);
      refuseHere(hearing, 'an-cache-empty', `${place}.text: cache_control cannot be set for empty text blocks`);
    } else refuseHere(hearing, 'an-text-nonempty', 'messages: text content blocks must be non-empty');
  } else refuseBlank(hearing, text);
  if (hearing.matter.whole && Array.isArray(part.citations)) judgeCitations(hearing, part.citations);
}

/** A citation of a search result carries a sealed place in it, which must come back. */
function judgeCitations(hearing: Hearing, citations: readonly unknown[]): void {
  for (const [i, citation] of citations.entries()) {
    if (!isObject(citation) || citation.type !== 'web_search_result_location') continue;
    const { encrypted_index: index } = citation;
    if (typeof index === 'string' && index !== '') continue;
    refuseHere(
      hearing,
      'an-encrypted',
      `${placeHere(hearing)}.text.citations.${i}.encrypted_index: ${sealFault(index)}`,
    );
  }
}

/** Search results carry their page sealed; a redacted or lost one is refused. */
function judgeFinds(hearing: Hearing, found: readonly unknown[]): void {
  for (const [i, find] of found.entries()) {
    if (!isObject(find) || find.type !== 'web_search_result') continue;
    const { encrypted_content: page } = find;
    if (typeof page === 'string' && page !== '') continue;
    const place = `${placeHere(hearing)}.web_search_tool_result.content.${i}`;
    refuseHere(hearing, 'an-encrypted', `${place}.encrypted_content: ${sealFault(page)}`);
  }
}

const sealFault = (value: unknown): string =>
  value === '' ? 'String should have at least 1 character' : stringFault(value);

export function refuseBlank(hearing: Hearing, text: string): void {
  const first = text.charCodeAt(0);
  if ((first > 0x20 && first < 0x7f) || text.trim() !== '') return;
  refuseHere(hearing, 'an-text-nonblank', 'messages: text content blocks must contain non-whitespace text');
}

function judgeAssistantPart(bench: PartBench, part: JsonObject, kind: Kind): void {
  const { hearing, turns } = bench;
  if (kind === CALL) judgeCall(hearing, turns, part);
  else if (kind === THINKING || kind === REDACTED) judgeThinking(bench, part, kind);
  else if (kind === SERVER_CALL || kind === MCP_CALL) judgeServerCall(hearing, turns, part);
  else if (kind.isServerResult) {
    const { type } = kind;
    const id = part.tool_use_id;
    if (typeof id === 'string') turns.serverResult(type, id);
    else refuseHere(hearing, 'shape', `${placeHere(hearing)}.${type}.tool_use_id: ${stringFault(id)}`);
    if (hearing.matter.whole && Array.isArray(part.content)) judgeFinds(hearing, part.content);
    noteSearchMentions(hearing, part);
  }
}

function judgeThinking({ hearing, content }: PartBench, part: JsonObject, kind: Kind): void {
  const { signature, data } = part;
  if (kind === REDACTED) {
    if (typeof data !== 'string' || data.trim() === '') {
      const text = `${placeHere(hearing)}: Invalid \`data\` in \`redacted_thinking\` block`;
      refuseHere(hearing, 'an-sig-valid', text);
      return;
    }
  } else if (typeof signature !== 'string') {
    refuseHere(hearing, 'an-sig-valid', `${placeHere(hearing)}.thinking.signature: Field required`);
    return;
  } else if (signature.trim() === '' || typeof part.thinking !== 'string') {
    refuseHere(hearing, 'an-sig-empty', `${placeHere(hearing)}.thinking: each thinking block must contain thinking`);
    return;
  }
  if (hearing.matter.seals === undefined) return;
  hearing.sealed.push({ message: hearing.message, part: hearing.part, content, thinking: part });
}

function judgeCall(hearing: Hearing, turns: Turns, part: JsonObject): void {
  const { id, name, input } = part;
  hearing.firstToolPart ??= pointerHere(hearing);
  if (typeof id !== 'string') {
    refuseHere(hearing, 'shape', `${placeHere(hearing)}.tool_use.id: ${stringFault(id)}`);
  } else {
    if (!isPlainName(id)) {
      const place = placeHere(hearing);
      refuseHere(hearing, 'an-id-regex', `${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
    }
    turns.call(id, part.toolset_name ?? undefined);
  }
  if (typeof name !== 'string') {
    refuseHere(hearing, 'shape', `${placeHere(hearing)}.tool_use.name: ${stringFault(name)}`);
  } else if (name === '') {
    const place = placeHere(hearing);
    refuseHere(hearing, 'an-name-len', `${place}.tool_use.name: String should have at least 1 character`);
  } else if (isLongerThan(name, 200)) {
    const place = placeHere(hearing);
    refuseHere(hearing, 'an-name-len', `${place}.tool_use.name: String should have at most 200 characters`);
  }
  if (isObject(input)) return;
  refuseHere(hearing, 'an-input-object', `${placeHere(hearing)}.tool_use.input: Input should be a valid dictionary`);
}

function judgeServerCall(hearing: Hearing, turns: Turns, part: JsonObject): void {
  const { id, type } = part;
  if (typeof id !== 'string') {
    refuseHere(hearing, 'shape', `${placeHere(hearing)}.${String(type)}.id: ${stringFault(id)}`);
    return;
  }
  const own = type === 'server_tool_use';
  if (own && !SERVER_ID.test(id)) {
    const place = placeHere(hearing);
    refuseHere(
      hearing,
      'an-server-id',
      `${place}.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'`,
    );
  }
  const use = { name: own ? part.name : 'mcp', id, message: hearing.message, part: hearing.part };
  turns.serverCall(use);
  if (own) hearing.serverUses.push(use);
}

function judgeResult(hearing: Hearing, turns: Turns, part: JsonObject): void {
  const id = part.tool_use_id;
  hearing.firstToolPart ??= pointerHere(hearing);
  if (typeof id !== 'string') {
    turns.resultCount++;
    refuseHere(hearing, 'an-result-id', `${placeHere(hearing)}.tool_result.tool_use_id: Field required`);
  } else turns.result(id, part);
  const { content } = part;
  if (content === undefined || typeof content === 'string') return;
  if (!Array.isArray(content) || content.length === 0) {
    refuseHere(hearing, 'an-result-content', 'the content of a tool result is absent, a string or a non-empty list');
    return;
  }
  for (let i = 0; i < content.length; i++) {
    hearing.inner = i;
    judgeInnerPart(hearing, content[i], part.is_error === true);
  }
  hearing.inner = -1;
}

function judgeInnerPart(hearing: Hearing, inner: unknown, isError: boolean): void {
  if (!isObject(inner) || typeof inner.type !== 'string') {
    refuseUntyped(hearing, inner);
    return;
  }
  const { whole, strict } = hearing.matter;
  const kind = kindOf(inner.type);
  judgeCommon(hearing, inner, kind);
  if (NEVER_IN_RESULT.has(kind)) {
    refuseHere(hearing, 'an-result-content', `the content of a tool result cannot hold \`${kind.type}\` blocks`);
  } else if (whole && (kind.isForeign || (strict && !IN_RESULT.has(kind.type)))) {
    refuseHere(hearing, 'an-result-content', noTag(hearing, kind));
  } else if (isError && kind !== TEXT) {
    refuseHere(hearing, 'an-result-content', 'all content must be type "text" if "is_error" is true');
  }
  noteMention(hearing, inner);
}

/** Remembers a reference to a tool by name: in a result, or the tool a system message adds or removes. */
function noteMention(hearing: Hearing, part: JsonObject): void {
  const { type } = part;
  if (type === 'tool_reference') {
    hearing.mentions.push({ name: part.tool_name ?? part.name, pointer: pointerHere(hearing) });
  } else if ((type === 'tool_addition' || type === 'tool_removal') && isObject(part.tool)) {
    hearing.mentions.push({ name: part.tool.tool_name ?? part.tool.name, pointer: `${pointerHere(hearing)}/tool` });
  }
}

function noteSearchMentions(hearing: Hearing, part: JsonObject): void {
  const found = isObject(part.content) ? part.content.tool_references : undefined;
  if (!Array.isArray(found)) return;
  for (const [i, reference] of found.entries()) {
    if (!isObject(reference)) continue;
    const pointer = `${pointerHere(hearing)}/content/tool_references/${i}`;
    hearing.mentions.push({ name: reference.tool_name ?? reference.name, pointer });
  }
}
