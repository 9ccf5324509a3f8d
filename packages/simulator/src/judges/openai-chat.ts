import { type Docket, isLongerThan, isObject, type JsonObject, type Matter } from './docket.ts';
import { type ChatProfile, chatProfile } from './model-profile.ts';
import { findLone, TextScan } from './text-scan.ts';

/** The rows of CONTRACTS.md section 2 that can be seen; strict JSON is a row of section 1 but binds every provider. */
export const CHAT_CHECKS = [
  'shape',
  'an-json-utf16',
  'oc-nonempty',
  'oc-answered',
  'oc-tool-orphan',
  'oc-tool-id',
  'oc-id-dup',
  'oc-calls-nonempty',
  'oc-id-40',
  'oc-args-string',
  'oc-call-type',
  'oc-content-null',
  'oc-parts-min',
  'oc-role-enum',
  'oc-name',
  'oc-reasoning-tools',
] as const;

type ChatRow = (typeof CHAT_CHECKS)[number];

interface Call {
  times: number;
  results: number;
}

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);
const MEDIA: ReadonlySet<string> = new Set(['image_url', 'input_audio', 'file']);
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_TOOLS = 128;

/** Judges a history or a request of the OpenAI Chat Completions API. */
export function judgeOpenaiChat(matter: Matter, docket: Docket<ChatRow>): void {
  new Walk(matter, docket).run();
}

class Walk {
  readonly #matter: Matter;
  readonly #docket: Docket<ChatRow>;
  readonly #profile: ChatProfile;
  readonly #scan = new TextScan();
  /** Calls of the assistant message whose answers the walk is among. */
  readonly #calls = new Map<string, Call>();
  /** Index of that assistant message, or -1 outside such a run. */
  #asked = -1;

  constructor(matter: Matter, docket: Docket<ChatRow>) {
    this.#matter = matter;
    this.#docket = docket;
    this.#profile = chatProfile(matter.model);
  }

  run(): void {
    const { messages, purpose } = this.#matter;
    for (let i = 0; i < messages.length; i++) this.#judgeMessage(i, messages[i]);
    this.#settle();
    if (purpose === 'request') this.#judgeRequest();
  }

  #judgeRequest(): void {
    const { messages, body } = this.#matter;
    if (messages.length === 0) this.#docket.refuse('oc-nonempty', '', emptyArray('messages'));
    if (body === undefined || !Array.isArray(body.tools)) return;
    const count = body.tools.length;
    if (count > MAX_TOOLS) {
      this.#docket.refuseOutside(
        'oc-name',
        '/tools',
        `Invalid 'tools': array too long. Expected an array with maximum length ${MAX_TOOLS}, ` +
          `but got an array with length ${count} instead.`,
      );
    }
    const effort = body.reasoning_effort ?? 'none';
    const functions = body.tools.some((tool) => isObject(tool) && tool.type === 'function');
    if (this.#profile.noToolsWhileReasoning && functions && effort !== 'none') {
      this.#docket.refuseOutside('oc-reasoning-tools', '/reasoning_effort', '/v1/responses');
    }
  }

  #judgeMessage(i: number, message: unknown): void {
    const docket = this.#docket;
    if (!isObject(message)) {
      this.#settle();
      docket.refuse('shape', `/${i}`, `messages[${i}]: expected an object`);
      return;
    }
    this.#scanTexts(i, message);
    const { role } = message;
    if (!ROLES.has(role) || (!this.#profile.systemRole && (role === 'system' || role === 'developer'))) {
      const text = `Unsupported value: 'messages[${i}].role' does not support '${String(role)}' with this model.`;
      docket.refuse('oc-role-enum', `/${i}/role`, text);
    }
    if (role === 'tool') this.#judgeTool(i, message);
    else this.#settle();
    if (role === 'assistant') this.#judgeCalls(i, message);
    this.#judgeContent(i, message);
  }

  #scanTexts(i: number, message: JsonObject): void {
    const scan = this.#scan;
    scan.scan(message);
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
      docket.refuse('shape', `/${i}/tool_call_id`, `messages[${i}].tool_call_id: expected a string`);
    } else if (this.#asked < 0) {
      docket.refuse(
        'oc-tool-orphan',
        `/${i}`,
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      );
    } else {
      const call = this.#calls.get(id);
      if (call === undefined) {
        const text = `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`;
        docket.refuse('oc-tool-id', `/${i}/tool_call_id`, text);
      } else if (++call.results > call.times) this.#refuseDuplicate(i, id, `/${i}/tool_call_id`);
    }
  }

  #refuseDuplicate(i: number, id: string, pointer: string): void {
    this.#docket.refuse('oc-id-dup', pointer, `Duplicate value for 'tool_call_id' of ${id} in message[${i}]`);
  }

  #settle(): void {
    if (this.#asked < 0) return;
    let open: string[] | undefined;
    for (const [id, call] of this.#calls) if (call.results === 0) (open ??= []).push(id);
    if (open !== undefined) {
      this.#docket.refuse(
        'oc-answered',
        `/${this.#asked}`,
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
          `The following tool_call_ids did not have response messages: ${open.join(', ')}`,
      );
    }
    this.#asked = -1;
    this.#calls.clear();
  }

  #judgeCalls(i: number, message: JsonObject): void {
    const calls = message.tool_calls;
    if (calls === undefined || calls === null) return;
    if (!Array.isArray(calls)) {
      this.#docket.refuse('shape', `/${i}/tool_calls`, `messages[${i}].tool_calls: expected a list`);
    } else if (calls.length === 0) {
      this.#docket.refuse('oc-calls-nonempty', `/${i}/tool_calls`, emptyArray(`messages[${i}].tool_calls`));
    } else {
      this.#asked = i;
      for (let k = 0; k < calls.length; k++) this.#judgeCall(i, k, calls[k]);
    }
  }

  #judgeCall(i: number, k: number, call: unknown): void {
    const docket = this.#docket;
    const place = `messages[${i}].tool_calls[${k}]`;
    const pointer = `/${i}/tool_calls/${k}`;
    if (!isObject(call)) {
      docket.refuse('shape', pointer, `${place}: expected an object`);
      return;
    }
    const { id, type } = call;
    if (typeof id !== 'string' || id === '') {
      docket.refuse('shape', `${pointer}/id`, `${place}.id: expected a string of at least one character`);
    } else {
      if (isLongerThan(id, 40)) {
        docket.refuse(
          'oc-id-40',
          `${pointer}/id`,
          `Invalid '${place}.id': string too long. Expected a string with maximum length 40, ` +
            `but got a string with length ${[...id].length}`,
        );
      }
      const known = this.#calls.get(id);
      if (known === undefined) this.#calls.set(id, { times: 1, results: 0 });
      else {
        known.times++;
        this.#refuseDuplicate(i, id, `${pointer}/id`);
      }
    }
    if (type === 'function' || type === 'custom') this.#judgeTarget(call[type], type, { place, pointer });
    else docket.refuse('oc-call-type', `${pointer}/type`, `${place}.type: expected function or custom`);
  }

  #judgeTarget(target: unknown, type: 'function' | 'custom', at: { place: string; pointer: string }): void {
    const docket = this.#docket;
    const place = `${at.place}.${type}`;
    const pointer = `${at.pointer}/${type}`;
    if (!isObject(target)) {
      docket.refuse('shape', pointer, `${place}: expected an object`);
      return;
    }
    const { name } = target;
    if (typeof name !== 'string') docket.refuse('shape', `${pointer}/name`, `${place}.name: expected a string`);
    else if (type === 'function' && !NAME.test(name)) {
      docket.refuse('oc-name', `${pointer}/name`, `${place}.name: expected 1 to 64 of a-z, A-Z, 0-9, _ and -`);
    }
    const field = type === 'function' ? 'arguments' : 'input';
    const given = target[field];
    if (typeof given === 'string') return;
    docket.refuse(
      'oc-args-string',
      `${pointer}/${field}`,
      `Invalid type for '${place}.${field}': expected a string, but got ${nameType(given)} instead.`,
    );
  }

  #judgeContent(i: number, message: JsonObject): void {
    const { content } = message;
    if (typeof content === 'string') return;
    if (content === undefined || content === null) {
      if (this.#profile.nullContent || (message.role === 'assistant' && speaksOtherwise(message))) return;
      this.#docket.refuse(
        'oc-content-null',
        `/${i}/content`,
        "Invalid value for 'content': expected a string, got null.",
      );
    } else if (!Array.isArray(content)) {
      this.#docket.refuse('shape', `/${i}/content`, `messages[${i}].content: expected a string or a list`);
    } else if (content.length === 0) {
      this.#docket.refuse('oc-parts-min', `/${i}/content`, emptyArray(`messages[${i}].content`));
    } else {
      for (let k = 0; k < content.length; k++) this.#judgePart(i, k, message);
    }
  }

  #judgePart(i: number, k: number, message: JsonObject): void {
    const content = message.content as readonly unknown[];
    const part = content[k];
    const pointer = `/${i}/content/${k}`;
    if (!isObject(part) || typeof part.type !== 'string') {
      this.#docket.refuse('shape', pointer, `messages[${i}].content[${k}]: expected an object with a string type`);
      return;
    }
    const { type } = part;
    if (type === 'text' && typeof part.text !== 'string') {
      this.#docket.refuse('shape', `${pointer}/text`, `messages[${i}].content[${k}].text: expected a string`);
    }
    if (fits(String(message.role), type, content.length)) return;
    const text = `Invalid 'messages[${i}]'. Content blocks are expected to be either text or image_url type.`;
    this.#docket.refuse('oc-parts-min', pointer, text);
  }
}

function fits(role: string, type: string, count: number): boolean {
  if (role === 'assistant') return type === 'text' || (type === 'refusal' && count === 1);
  if (role === 'tool' || role === 'system' || role === 'developer') return !MEDIA.has(type);
  return true;
}

/** An assistant message may go without content when it calls, refuses or speaks instead. */
function speaksOtherwise(message: JsonObject): boolean {
  const { tool_calls: calls, function_call: call, refusal, audio } = message;
  return (Array.isArray(calls) && calls.length > 0) || isObject(call) || typeof refusal === 'string' || isObject(audio);
}

const emptyArray = (what: string): string =>
  `Invalid '${what}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;

function nameType(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
