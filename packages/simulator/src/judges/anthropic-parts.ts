import { type Hearing, placeHere, pointerHere, refuseHere } from './anthropic-hearing.ts';
import type { Turns } from './anthropic-turns.ts';
import { isLongerThan, isObject, type JsonObject } from './docket.ts';

type Role = 'user' | 'assistant' | 'system';

const keys = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const ALLOWED_KEYS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['text', keys('type text cache_control citations')],
  ['tool_use', keys('type id name input cache_control caller toolset_name')],
  ['tool_result', keys('type tool_use_id content is_error cache_control toolset_name')],
  ['thinking', keys('type thinking signature')],
  ['redacted_thinking', keys('type data')],
  ['image', keys('type source cache_control')],
  ['document', keys('type source title context citations cache_control')],
  ['server_tool_use', keys('type id name input cache_control caller')],
]);

const CLIENT_ID = /^[a-zA-Z0-9_-]+$/;
const SERVER_ID = /^srvtoolu_[a-zA-Z0-9_]+$/;
const ASSISTANT_ONLY: ReadonlySet<string> = new Set([
  'tool_use',
  'server_tool_use',
  'mcp_tool_use',
  'thinking',
  'redacted_thinking',
]);
const USER_ONLY: ReadonlySet<string> = new Set(['tool_result', 'image', 'document']);
const NEVER_IN_RESULT: ReadonlySet<string> = new Set(['tool_use', 'tool_result', 'thinking']);

export const isThinking = (type: string): boolean => type === 'thinking' || type === 'redacted_thinking';
export const isServerResult = (type: string): boolean => type !== 'tool_result' && type.endsWith('_tool_result');

/** Judges one part of a message and hands calls and results on to the pairing. */
export function judgePart(hearing: Hearing, turns: Turns, subject: { part: unknown; role: Role }): void {
  const { part, role } = subject;
  if (!isObject(part) || typeof part.type !== 'string') {
    refuseHere(hearing, 'shape', `${placeHere(hearing)}: expected an object with a string type`);
    if (role === 'user') turns.otherUserPart();
    return;
  }
  const { type } = part;
  judgeCommon(hearing, part, type);
  const home = homeOf(type, role);
  if (home !== undefined && home !== role) {
    const place = `messages.${hearing.message}`;
    refuseHere(hearing, 'an-block-role', `${place}: \`${type}\` blocks can only be in \`${home}\` messages`);
  }
  const misplaced = home !== undefined && home !== role;
  if (role === 'assistant') {
    turns.assistantPart(type);
    if (!misplaced) judgeAssistantPart(hearing, turns, part);
  } else if (role === 'user') {
    if (type === 'tool_result') judgeResult(hearing, turns, part);
    else turns.otherUserPart();
  } else noteMention(hearing, part);
}

function homeOf(type: string, role: Role): Role | undefined {
  if (ASSISTANT_ONLY.has(type)) return 'assistant';
  if (USER_ONLY.has(type)) return role === 'assistant' && type !== 'tool_result' ? undefined : 'user';
  return isServerResult(type) ? 'assistant' : undefined;
}

/** What holds for a part wherever it stands: its keys, its text, its cache marker. */
function judgeCommon(hearing: Hearing, part: JsonObject, type: string): void {
  if (type === 'text') judgeText(hearing, part);
  else if (type === 'image') hearing.images++;
  if (part.cache_control !== undefined && part.cache_control !== null) hearing.markers++;
  const allowed = ALLOWED_KEYS.get(type);
  if (allowed === undefined) return;
  for (const key in part) {
    if (allowed.has(key) || part[key] === undefined) continue;
    refuseHere(hearing, 'an-extra-keys', `${placeHere(hearing)}.${type}.${key}: Extra inputs are not permitted`);
  }
}

function judgeText(hearing: Hearing, part: JsonObject): void {
  const { text } = part;
  if (typeof text !== 'string') {
    refuseHere(hearing, 'shape', `${placeHere(hearing)}.text.text: expected a string`);
  } else if (text === '') {
    if (part.cache_control !== undefined && part.cache_control !== null) {
      const place = placeHere(hearing);
      refuseHere(hearing, 'an-cache-empty', `${place}.text: cache_control cannot be set for empty text blocks`);
    } else refuseHere(hearing, 'an-text-nonempty', 'messages: text content blocks must be non-empty');
  } else refuseBlank(hearing, text);
}

export function refuseBlank(hearing: Hearing, text: string): void {
  const first = text.charCodeAt(0);
  if ((first > 0x20 && first < 0x7f) || text.trim() !== '') return;
  refuseHere(hearing, 'an-text-nonblank', 'messages: text content blocks must contain non-whitespace text');
}

function judgeAssistantPart(hearing: Hearing, turns: Turns, part: JsonObject): void {
  const type = part.type as string;
  if (type === 'text') return;
  if (type === 'tool_use') judgeCall(hearing, turns, part);
  else if (type === 'thinking') judgeThinking(hearing, part);
  else if (type === 'redacted_thinking') {
    if (typeof part.data === 'string' && part.data !== '') return;
    refuseHere(hearing, 'an-sig-valid', `${placeHere(hearing)}: Invalid \`data\` in \`redacted_thinking\` block`);
  } else if (type === 'server_tool_use' || type === 'mcp_tool_use') judgeServerCall(hearing, turns, part);
  else if (isServerResult(type)) {
    if (typeof part.tool_use_id === 'string') turns.serverResult(type, part.tool_use_id);
    else refuseHere(hearing, 'shape', `${placeHere(hearing)}.${type}.tool_use_id: expected a string`);
    noteSearchMentions(hearing, part);
  }
}

function judgeThinking(hearing: Hearing, part: JsonObject): void {
  const place = placeHere(hearing);
  if (typeof part.signature !== 'string') {
    refuseHere(hearing, 'an-sig-valid', `${place}.thinking.signature: Field required`);
  } else if (part.signature === '' || typeof part.thinking !== 'string') {
    refuseHere(hearing, 'an-sig-empty', `${place}.thinking: each thinking block must contain thinking`);
  }
}

function judgeCall(hearing: Hearing, turns: Turns, part: JsonObject): void {
  const { id, name, input } = part;
  hearing.firstToolPart ??= pointerHere(hearing);
  if (typeof id !== 'string') {
    refuseHere(hearing, 'shape', `${placeHere(hearing)}.tool_use.id: expected a string`);
  } else {
    if (!CLIENT_ID.test(id)) {
      const place = placeHere(hearing);
      refuseHere(hearing, 'an-id-regex', `${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
    }
    turns.call(id, part.toolset_name ?? undefined);
  }
  if (typeof name !== 'string') {
    refuseHere(hearing, 'shape', `${placeHere(hearing)}.tool_use.name: expected a string`);
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
    refuseHere(hearing, 'shape', `${placeHere(hearing)}.${String(type)}.id: expected a string`);
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
    refuseHere(hearing, 'shape', `${placeHere(hearing)}: expected an object with a string type`);
    return;
  }
  judgeCommon(hearing, inner, inner.type);
  if (NEVER_IN_RESULT.has(inner.type)) {
    refuseHere(hearing, 'an-result-content', `the content of a tool result cannot hold \`${inner.type}\` blocks`);
  } else if (isError && inner.type !== 'text') {
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
