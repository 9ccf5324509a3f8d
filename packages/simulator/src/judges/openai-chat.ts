import { CallTable } from './call-table.ts';
import { type Docket, isLongerThan, isObject, isPlainName, type JsonObject, type Matter } from './docket.ts';
import { isForeignPair } from './foreign-pair.ts';
import { type ChatProfile, chatProfile } from './model-profile.ts';
import { type ChatHost, chatHost, judgeChatHost } from './openai-chat-hosts.ts';
import { emptyFault, judgeChatRequest, patternFault, refuseLength } from './openai-chat-request.ts';
import type { ChatRow } from './openai-chat-rows.ts';
import { emptyArray, wrongType } from './openai-words.ts';
import { findLone, TextScan } from './text-scan.ts';

export { CHAT_CHECKS, chatStage } from './openai-chat-rows.ts';

interface Call {
  readonly id: string;
  times: number;
  results: number;
}

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);
const MEDIA: ReadonlySet<string> = new Set(['image_url', 'input_audio', 'file']);
/** Parts of other APIs, which no message of the user holds here. */
const FOREIGN: ReadonlySet<string> = new Set(
  'tool_result tool_use input_text input_image input_file output_text'.split(' '),
);
const ORPHAN =
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
const MAX_ID = 40;
const MAX_NAME = 64;

/** Judges a history or a request of the OpenAI Chat Completions API. */
export function judgeOpenaiChat(matter: Matter, docket: Docket<ChatRow>): void {
  new Walk(matter, docket).run();
}

class Walk {
  readonly #matter: Matter;
  readonly #docket: Docket<ChatRow>;
  readonly #profile: ChatProfile;
  readonly #host: ChatHost;
  readonly #scan = new TextScan();
  /** Calls of the assistant message whose answers the walk is among. */
  readonly #calls = new CallTable<Call>();
  /** Index of that assistant message, or -1 outside such a run. */
  #asked = -1;

  constructor(matter: Matter, docket: Docket<ChatRow>) {
    this.#matter = matter;
    this.#docket = docket;
    this.#profile = chatProfile(matter.model, matter.strict);
    this.#host = chatHost(matter.model);
  }

  run(): void {
    const { list, purpose } = this.#matter;
    for (let i = 0; i < list.length; i++) this.#judgeMessage(i, list[i]);
    this.#settle(list.length);
    judgeChatHost(this.#matter, this.#host, this.#docket);
    if (purpose === 'request') judgeChatRequest(this.#matter, this.#profile, this.#docket);
  }

  #judgeMessage(i: number, message: unknown): void {
    if (!isObject(message)) {
      this.#settle(i);
      this.#docket.refuse('shape', `/${i}`, wrongType(`messages[${i}]`, message ?? null, 'an object'));
      return;
    }
    this.#scanTexts(i, message);
    const { role } = message;
    if (!ROLES.has(role) || (!this.#profile.systemRole && (role === 'system' || role === 'developer'))) {
      const param = `messages[${i}].role`;
      const text = `Unsupported value: '${param}' does not support '${String(role)}' with this model.`;
      const said = role === undefined ? wrongType(param, role, 'a string') : { text, code: 'unsupported_value', param };
      this.#docket.refuse('oc-role-enum', `/${i}/role`, said);
    }
    if (role === 'tool') this.#judgeTool(i, message);
    else this.#settle(i);
    if (role === 'assistant') this.#judgeCalls(i, message.tool_calls);
    if (typeof message.content !== 'string') this.#judgeContent(i, message);
  }

  #scanTexts(i: number, message: JsonObject): void {
    const scan = this.#scan;
    for (const key in message) {
      const value = message[key];
      if (typeof value !== 'string') scan.scan(value);
      else if (!value.isWellFormed()) scan.lone = true;
      if (!key.isWellFormed()) scan.lone = true;
    }
    if (scan.unreadable) {
      scan.unreadable = false;
      this.#docket.refuse('shape', `/${i}`, `messages[${i}]: cannot be written as JSON`);
    }
    if (!scan.lone) return;
    scan.lone = false;
    this.#docket.refuse('an-json-utf16', `/${i}${findLone(message) ?? ''}`, 'no low surrogate in string');
  }

  #judgeTool(i: number, message: JsonObject): void {
    const docket = this.#docket;
    const id = message.tool_call_id;
    if (typeof id !== 'string') {
      docket.refuse('shape', `/${i}/tool_call_id`, wrongType(`messages[${i}].tool_call_id`, id, 'a string'));
    } else if (this.#asked < 0) {
      docket.refuse('oc-tool-orphan', `/${i}`, {
        text: ORPHAN,
        code: null,
        param: `messages.[${i}].role`,
      });
    } else {
      const call = this.#calls.find(id);
      if (call === undefined) {
        const text = `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`;
        docket.refuse('oc-tool-id', `/${i}/tool_call_id`, {
          text,
          code: null,
          param: `messages.[${i}].tool_call_id`,
        });
      } else if (++call.results > call.times) this.#refuseDuplicate(i, id, `/${i}/tool_call_id`);
    }
  }

  #refuseDuplicate(i: number, id: string, pointer: string): void {
    const text = `Duplicate value for 'tool_call_id' of ${id} in message[${i}]`;
    this.#docket.refuse('oc-id-dup', pointer, { text, code: null, param: null });
  }

  /** Ends the run of answers; `next` is the message that came instead of one more of them. */
  #settle(next: number): void {
    if (this.#asked < 0) return;
    let open: string[] | undefined;
    for (const call of this.#calls.calls) if (call.results === 0) (open ??= []).push(call.id);
    if (open !== undefined) {
      // The provider names the message that stands where an answer should; at the end there is none but the last.
      const named = Math.min(next, this.#matter.list.length - 1);
      this.#docket.refuse('oc-answered', `/${this.#asked}`, {
        text:
          "An assistant message with 'tool_calls' must be followed by tool messages responding to each " +
          `'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`,
        code: null,
        param: `messages.[${named}].role`,
      });
    }
    this.#asked = -1;
    this.#calls.clear();
  }

  #judgeCalls(i: number, calls: unknown): void {
    if (calls === undefined || calls === null) return;
    const param = `messages[${i}].tool_calls`;
    if (!Array.isArray(calls)) {
      this.#docket.refuse('shape', `/${i}/tool_calls`, wrongType(param, calls, 'an array of objects'));
    } else if (calls.length === 0) {
      this.#docket.refuse('oc-calls-nonempty', `/${i}/tool_calls`, emptyArray(param));
    } else {
      this.#asked = i;
      for (let k = 0; k < calls.length; k++) this.#judgeCall(i, k, calls[k]);
    }
  }

  #judgeCall(i: number, k: number, call: unknown): void {
    if (!isObject(call)) {
      const said = wrongType(`messages[${i}].tool_calls[${k}]`, call, 'an object');
      this.#docket.refuse('shape', `/${i}/tool_calls/${k}`, said);
      return;
    }
    const { id, type } = call;
    const isCustom = type === 'custom';
    if (typeof id === 'string' && id !== '') this.#note(i, k, id);
    else this.#refuseId(i, k, id);
    if (type !== 'function' && !isCustom) {
      this.#refuseType(i, k, type);
      return;
    }
    const target = call[type];
    const given = isObject(target) ? (isCustom ? target.input : target.arguments) : undefined;
    if (isObject(target) && typeof target.name === 'string' && this.#takes(given, isCustom)) {
      if (isCustom ? target.name !== '' : isPlainName(target.name) && target.name.length <= MAX_NAME) return;
    }
    this.#judgeTarget(target, type, { param: `messages[${i}].tool_calls[${k}]`, pointer: `/${i}/tool_calls/${k}` });
  }

  /** Whether this is a form in which arguments are taken. */
  #takes(given: unknown, isCustom: boolean): boolean {
    return this.#host.objectArguments && !isCustom ? isObject(given) : typeof given === 'string';
  }

  #note(i: number, k: number, id: string): void {
    if (!this.#host.free && isLongerThan(id, MAX_ID)) {
      refuseLength(this.#docket, 'oc-id-40', {
        param: `messages[${i}].tool_calls[${k}].id`,
        pointer: `/${i}/tool_calls/${k}/id`,
        value: id,
        most: MAX_ID,
      });
    }
    const known = this.#calls.find(id);
    if (known === undefined) this.#calls.add({ id, times: 1, results: 0 });
    else {
      known.times++;
      this.#refuseDuplicate(i, id, `/${i}/tool_calls/${k}/id`);
    }
  }

  #refuseId(i: number, k: number, id: unknown): void {
    const param = `messages[${i}].tool_calls[${k}].id`;
    const said = id === '' ? emptyFault(param) : wrongType(param, id, 'a string');
    this.#docket.refuse('shape', `/${i}/tool_calls/${k}/id`, said);
  }

  #refuseType(i: number, k: number, type: unknown): void {
    const param = `messages[${i}].tool_calls[${k}].type`;
    const text = `Invalid value: '${String(type)}'. Supported values are: 'function' and 'custom'.`;
    const said = typeof type === 'string' ? { text, code: 'invalid_value', param } : wrongType(param, type, 'a string');
    this.#docket.refuse('oc-call-type', `/${i}/tool_calls/${k}/type`, said);
  }

  /** Says what is wrong with the target of a call, once something is. */
  #judgeTarget(target: unknown, type: 'function' | 'custom', at: { param: string; pointer: string }): void {
    const docket = this.#docket;
    const param = `${at.param}.${type}`;
    const pointer = `${at.pointer}/${type}`;
    if (!isObject(target)) {
      docket.refuse('shape', pointer, wrongType(param, target, 'an object'));
      return;
    }
    const { name } = target;
    if (typeof name !== 'string') {
      docket.refuse('shape', `${pointer}/name`, wrongType(`${param}.name`, name, 'a string'));
    } else if (type === 'custom') {
      if (name === '') docket.refuse('shape', `${pointer}/name`, emptyFault(`${param}.name`));
    } else if (!isPlainName(name)) {
      docket.refuse('oc-name', `${pointer}/name`, patternFault(`${param}.name`));
    } else if (name.length > MAX_NAME) {
      refuseLength(docket, 'oc-name', {
        param: `${param}.name`,
        pointer: `${pointer}/name`,
        value: name,
        most: MAX_NAME,
      });
    }
    const field = type === 'function' ? 'arguments' : 'input';
    const given = target[field];
    if (this.#takes(given, type === 'custom')) return;
    if (this.#host.objectArguments) {
      docket.refuse('tpl-args-object', `${pointer}/${field}`, 'Can only get item pairs from a mapping');
      return;
    }
    docket.refuse('oc-args-string', `${pointer}/${field}`, wrongType(`${param}.${field}`, given, 'a string'));
  }

  #judgeContent(i: number, message: JsonObject): void {
    const { content } = message;
    if (content === undefined || content === null) {
      if (this.#profile.nullContent || (message.role === 'assistant' && speaksOtherwise(message))) return;
      this.#docket.refuse('oc-content-null', `/${i}/content`, {
        text: "Invalid value for 'content': expected a string, got null.",
        code: null,
        param: `messages.[${i}].content`,
      });
    } else if (!Array.isArray(content)) {
      const expected = 'one of a string or array of objects';
      this.#docket.refuse('shape', `/${i}/content`, wrongType(`messages[${i}].content`, content, expected));
    } else if (content.length === 0) {
      this.#docket.refuse('oc-parts-min', `/${i}/content`, emptyArray(`messages[${i}].content`));
    } else {
      for (let k = 0; k < content.length; k++) this.#judgePart(i, k, message);
    }
  }

  #judgePart(i: number, k: number, message: JsonObject): void {
    const content = message.content as readonly unknown[];
    const part = content[k];
    const type = isObject(part) ? part.type : undefined;
    if (!isObject(part) || typeof type !== 'string') {
      const param = `messages[${i}].content[${k}]`;
      const said = isObject(part) ? wrongType(`${param}.type`, type, 'a string') : wrongType(param, part, 'an object');
      this.#docket.refuse('shape', `/${i}/content/${k}`, said);
      return;
    }
    if (type === 'text' && typeof part.text !== 'string') {
      const said = wrongType(`messages[${i}].content[${k}].text`, part.text, 'a string');
      this.#docket.refuse('shape', `/${i}/content/${k}/text`, said);
    }
    if (message.role === 'user') {
      const foreign = isForeignPair(type, part) || (this.#matter.whole && FOREIGN.has(type));
      if (foreign) this.#refuseForeign(i, k, type);
      return;
    }
    if (this.#fits(message, type, { part, count: content.length })) return;
    const param = `messages[${i}]`;
    const text = `Invalid '${param}'. Content blocks are expected to be either text or image_url type.`;
    this.#docket.refuse('oc-parts-min', `/${i}/content/${k}`, { text, code: 'invalid_value', param });
  }

  #fits({ role }: JsonObject, type: string, { part, count }: { part: JsonObject; count: number }): boolean {
    if (role === 'assistant') return type === 'text' || (type === 'refusal' && count === 1);
    if (role !== 'tool' && role !== 'system' && role !== 'developer') return !isForeignPair(type, part);
    // Providers that speak this dialect add parts of their own, so only a server knows all there are.
    return this.#matter.whole ? type === 'text' : !MEDIA.has(type) && !isForeignPair(type, part);
  }

  #refuseForeign(i: number, k: number, type: string): void {
    const param = `messages[${i}].content[${k}].type`;
    const text = `Invalid value: '${type}'. Supported values are: 'text', 'image_url', 'input_audio' and 'file'.`;
    this.#docket.refuse('shape', `/${i}/content/${k}/type`, { text, code: 'invalid_value', param });
  }
}

/** An assistant message may go without content when it calls, refuses or speaks instead. */
function speaksOtherwise(message: JsonObject): boolean {
  const { tool_calls: calls, function_call: call, refusal, audio } = message;
  return (Array.isArray(calls) && calls.length > 0) || isObject(call) || typeof refusal === 'string' || isObject(audio);
}
