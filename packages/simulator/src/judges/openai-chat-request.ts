import { type Docket, isObject, isPlainName, type Matter, type Said } from './docket.ts';
import type { ChatProfile } from './model-profile.ts';
import { chatHost } from './openai-chat-hosts.ts';
import type { ChatRow } from './openai-chat-rows.ts';
import { emptyArray, wrongType } from './openai-words.ts';
import { flawsBeside } from './text-scan.ts';

const MAX_TOOLS = 128;
const MAX_NAME = 64;

/** Rows that concern the list as a whole and the fields beside it; they bind requests only. */
export function judgeChatRequest(matter: Matter, profile: ChatProfile, docket: Docket<ChatRow>): void {
  const { list, body, model } = matter;
  if (list.length === 0) docket.refuse('oc-nonempty', '', emptyArray('messages'));
  if (body === undefined) return;
  for (const { row, pointer, text } of flawsBeside(body, 'messages')) docket.refuseOutside(row, pointer, text);
  if (matter.whole && typeof body.model !== 'string') {
    docket.refuseOutside('shape', '/model', { text: 'you must provide a model parameter', code: null, param: null });
  }
  const { tools } = body;
  if (!Array.isArray(tools)) {
    if (matter.whole && tools !== undefined && tools !== null)
      docket.refuseOutside('shape', '/tools', wrongType('tools', tools, 'an array of objects'));
    return;
  }
  if (tools.length > MAX_TOOLS && !chatHost(model).free) {
    const text =
      `Invalid 'tools': array too long. Expected an array with maximum length ${MAX_TOOLS}, ` +
      `but got an array with length ${tools.length} instead.`;
    docket.refuseOutside('oc-name', '/tools', { text, code: 'array_above_max_length', param: 'tools' });
  }
  if (matter.whole) judgeTools(tools, docket);
  if (!profile.noToolsWhileReasoning || (body.reasoning_effort ?? 'none') === 'none') return;
  if (!tools.some((tool) => isObject(tool) && tool.type === 'function')) return;
  docket.refuseOutside('oc-reasoning-tools', '/reasoning_effort', {
    text:
      `Function tools with reasoning_effort are not supported for ${model ?? 'this model'} in /v1/chat/completions. ` +
      'Please use /v1/responses instead.',
    code: null,
    param: 'reasoning_effort',
  });
}

function judgeTools(tools: readonly unknown[], docket: Docket<ChatRow>): void {
  for (let i = 0; i < tools.length; i++) {
    const tool = tools[i];
    if (!isObject(tool)) {
      docket.refuseOutside('shape', `/tools/${i}`, wrongType(`tools[${i}]`, tool, 'an object'));
      continue;
    }
    if (tool.type !== 'function') continue;
    const name = isObject(tool.function) ? tool.function.name : undefined;
    const param = `tools[${i}].function.name`;
    const pointer = `/tools/${i}/function/name`;
    if (typeof name !== 'string') docket.refuseOutside('shape', `/tools/${i}`, wrongType(param, name, 'a string'));
    else if (!isPlainName(name)) docket.refuseOutside('oc-name', pointer, patternFault(param));
    else if (name.length > MAX_NAME)
      docket.refuseOutside('oc-name', pointer, lengthFault({ param, value: name, most: MAX_NAME }));
  }
}

export function emptyFault(param: string): Said {
  const expected = 'Expected a string with minimum length 1, but got an empty string instead.';
  return { text: `Invalid '${param}': empty string. ${expected}`, code: 'empty_string', param };
}

export function patternFault(param: string): Said {
  const text =
    `Invalid '${param}': string does not match pattern. ` +
    "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.";
  return { text, code: 'invalid_value', param };
}

interface Length {
  readonly param: string;
  readonly value: string;
  readonly most: number;
}

function lengthFault({ param, value, most }: Length): Said {
  const text =
    `Invalid '${param}': string too long. Expected a string with maximum length ${most}, ` +
    `but got a string with length ${[...value].length}`;
  return { text, code: 'string_above_max_length', param };
}

export function refuseLength(docket: Docket<ChatRow>, row: ChatRow, at: Length & { readonly pointer: string }): void {
  docket.refuse(row, at.pointer, lengthFault(at));
}
