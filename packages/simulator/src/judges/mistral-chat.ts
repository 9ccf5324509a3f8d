import { type Docket, isObject, isPlainName, type JsonObject, type Matter } from './docket.ts';
import { isForeignPair } from './foreign-pair.ts';
import type { MistralRow } from './mistral-rows.ts';
import { findLone, flawsBeside, TextScan } from './text-scan.ts';

export { MISTRAL_CHECKS, mistralStage } from './mistral-rows.ts';

type Role = 'system' | 'user' | 'assistant' | 'tool';

/** What differs between generations of the API. */
interface MistralProfile {
  /** Ids have exactly nine letters and digits. */
  readonly nine: boolean;
  /** A user may speak directly after a tool. */
  readonly userAfterTool: boolean;
  readonly endsInSystem: boolean;
  readonly thinks: boolean;
}

const AFTER: Readonly<Record<Role, readonly Role[]>> = {
  system: ['user', 'assistant', 'system'],
  user: ['assistant', 'system', 'user'],
  assistant: ['assistant', 'user', 'tool'],
  tool: ['assistant', 'tool', 'user'],
};
const CHUNKS: Readonly<Record<string, string>> = {
  thinking: 'ThinkChunk',
  image_url: 'ImageURLChunk',
  document_url: 'DocumentURLChunk',
  input_audio: 'AudioChunk',
  file: 'FileChunk',
};
/** Thoughts as other APIs have them among the content; no chunk here is called so. */
const THOUGHTS: ReadonlySet<string> = new Set(['reasoning', 'redacted_thinking']);
const NINE = /^[a-zA-Z0-9]{9}$/;
const MAX_NAME = 64;
const COUNT = 'Not the same number of function calls and responses';
const START = 'Conversation must start with a user message or system message';
/** The first model on record that takes any id and a user after a tool. */
const RELAXED_SINCE = 2603;

function mistralProfile(model: string | undefined, strict: boolean): MistralProfile {
  const stamp = /-(\d{4})$/.exec(model ?? '');
  const relaxed = stamp === null ? !strict : Number(stamp[1]) >= RELAXED_SINCE;
  const thinks = relaxed || /(^|\/)magistral/i.test(model ?? '');
  return { nine: !relaxed, userAfterTool: relaxed, endsInSystem: relaxed, thinks };
}

/** Judges a history or a request of the Mistral chat API. */
export function judgeMistralChat(matter: Matter, docket: Docket<MistralRow>): void {
  new Walk(matter, docket).run();
}

class Walk {
  readonly #matter: Matter;
  readonly #docket: Docket<MistralRow>;
  readonly #profile: MistralProfile;
  readonly #scan = new TextScan();
  #previous: Role | undefined;
  /** Ids that are still to be answered, and those that have been, since the assistant spoke last. */
  readonly #open = new Set<string>();
  readonly #answered = new Set<string>();

  constructor(matter: Matter, docket: Docket<MistralRow>) {
    this.#matter = matter;
    this.#docket = docket;
    this.#profile = mistralProfile(matter.model, matter.strict);
  }

  run(): void {
    const { list, purpose, body } = this.#matter;
    for (let i = 0; i < list.length; i++) this.#judgeMessage(i, list[i]);
    this.#settle('');
    if (purpose === 'request') this.#judgeEnd();
    if (purpose === 'request' && body !== undefined) {
      for (const { row, pointer, text } of flawsBeside(body, 'messages'))
        this.#docket.refuseOutside(row, pointer, text);
    }
  }

  #judgeMessage(i: number, message: unknown): void {
    const role = isObject(message) ? message.role : undefined;
    if (!isObject(message) || !isRole(role)) {
      this.#settle(`/${i}`);
      this.#docket.refuse('shape', `/${i}`, `messages.${i}: not a message of this API`);
      this.#previous = undefined;
      return;
    }
    this.#scanTexts(i, message);
    this.#judgeTransition(i, role);
    if (role === 'tool') this.#judgeTool(i, message);
    else this.#settle(`/${i}`);
    if (role === 'assistant') this.#judgeAssistant(i, message);
    this.#judgeContent(i, role, message.content);
    this.#previous = role;
  }

  #scanTexts(i: number, message: JsonObject): void {
    const scan = this.#scan;
    scan.scan(message);
    if (scan.unreadable) this.#docket.refuse('shape', `/${i}`, `messages.${i}: cannot be written as JSON`);
    if (scan.lone)
      this.#docket.refuse('an-json-utf16', `/${i}${findLone(message) ?? ''}`, 'no low surrogate in string');
    scan.unreadable = false;
    scan.lone = false;
  }

  #judgeTransition(i: number, role: Role): void {
    const previous = this.#previous;
    if (previous === undefined) {
      if (role === 'tool') this.#docket.refuse('mi-transitions', `/${i}`, START);
      return;
    }
    const strict = previous === 'tool' && role === 'user' && !this.#profile.userAfterTool;
    if (AFTER[previous].includes(role) && !strict) return;
    this.#docket.refuse('mi-transitions', `/${i}`, `Unexpected role '${role}' after role '${previous}'`);
  }

  #judgeTool(i: number, message: JsonObject): void {
    const { tool_call_id: id, name } = message;
    if (typeof name === 'string' && !isLegalName(name)) this.#refuseName(i, name);
    if (typeof id === 'string' && this.#open.delete(id)) {
      this.#answered.add(id);
      return;
    }
    const known = typeof id === 'string' && this.#answered.has(id);
    const text = known
      ? `Duplicate tool call id ${id} in tool results`
      : `Unexpected tool call id ${typeof id === 'string' ? id : 'None'} in tool results`;
    this.#docket.refuse('mi-ids-v13', `/${i}`, text);
  }

  #refuseName(i: number, name: unknown): void {
    const text =
      `Function name was ${String(name)} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a ` +
      'maximum length of 64.';
    this.#docket.refuse('mi-name', `/${i}`, text);
  }

  /** Somebody other than a tool speaks, or the list ends: every call must have been answered. */
  #settle(pointer: string): void {
    if (this.#open.size > 0) this.#docket.refuse('mi-count', pointer, COUNT);
    this.#open.clear();
    this.#answered.clear();
  }

  #judgeAssistant(i: number, message: JsonObject): void {
    const { tool_calls: calls, content, prefix } = message;
    if (prefix === true && i < this.#matter.list.length - 1) {
      this.#docket.refuse('mi-prefix', `/${i}`, 'Assistant message with prefix True must be last message');
    }
    const listed = Array.isArray(calls);
    if (!listed && calls !== undefined && calls !== null)
      this.#docket.refuse('shape', `/${i}/tool_calls`, 'tool_calls: expected a list');
    const silent = content === undefined || content === null || content === '' || isEmptyList(content);
    if (!listed || calls.length === 0) {
      const text = 'Assistant message must have either content or tool_calls, but not both.';
      if (silent) this.#docket.refuse('mi-assistant', `/${i}`, text);
      return;
    }
    // The calls of the very first message are not counted, so that their results are one too many.
    if (i === 0) this.#docket.refuse('mi-count', '/0', COUNT);
    for (const [k, call] of calls.entries()) this.#judgeCall(i, k, call);
  }

  #judgeCall(i: number, k: number, call: unknown): void {
    const at = `/${i}/tool_calls/${k}`;
    const callee = isObject(call) ? call.function : undefined;
    if (!isObject(call) || !isObject(callee)) {
      this.#docket.refuse('shape', at, `messages.${i}.tool_calls.${k}: not a call`);
      return;
    }
    const { id } = call;
    const legal = typeof id === 'string' && id !== '' && (!this.#profile.nine || NINE.test(id));
    if (!legal) {
      const text = `Tool call id was ${String(id)} but must be a-z, A-Z, 0-9, with a length of 9.`;
      this.#docket.refuse('mi-id9', at, { text, type: 'invalid_function_call', code: '3280' });
    }
    if (typeof id === 'string') {
      if (this.#open.has(id)) {
        this.#docket.refuse('mi-ids-v13', at, `Duplicate tool call id ${id} in assistant message`);
      }
      this.#open.add(id);
    }
    if (typeof callee.name !== 'string' || !isLegalName(callee.name)) this.#refuseName(i, callee.name);
    if (typeof callee.arguments !== 'string' && !isObject(callee.arguments))
      this.#docket.refuse('shape', at, 'arguments: expected a string or an object');
  }

  #judgeContent(i: number, role: Role, content: unknown): void {
    if (typeof content === 'string') return;
    if (!Array.isArray(content)) {
      if (role !== 'assistant' || (content !== undefined && content !== null))
        this.#docket.refuse('shape', `/${i}`, `messages.${i}.content: expected a string or a list`);
      return;
    }
    if (content.length === 0 && role !== 'assistant')
      this.#docket.refuse('shape', `/${i}/content`, `messages.${i}.content: expected at least one chunk`);
    const strange = new Set<string>();
    for (const [k, chunk] of content.entries()) {
      const type = isObject(chunk) ? chunk.type : undefined;
      const readable = isObject(chunk) && typeof type === 'string' && (type !== 'text' || isText(chunk.text));
      if (!readable) this.#docket.refuse('shape', `/${i}/content/${k}`, 'not a chunk');
      else if (!this.#takes(role, type, chunk)) strange.add(`'${CHUNKS[type] ?? type}'`);
    }
    if (strange.size === 0) return;
    const text = `Unexpected content chunk types in ${role} message: [${[...strange].join(', ')}]`;
    this.#docket.refuse('mi-chunks', `/${i}/content`, text);
  }

  #takes(role: Role, type: string, chunk: JsonObject): boolean {
    if (type === 'thinking') return role === 'assistant' && this.#profile.thinks;
    if (isForeignPair(type, chunk) || (role === 'assistant' && THOUGHTS.has(type))) return false;
    return role === 'user' || !Object.hasOwn(CHUNKS, type);
  }

  #judgeEnd(): void {
    const { list } = this.#matter;
    const last = list.at(-1);
    if (list.length === 0) this.#docket.refuse('mi-nonempty', '', 'Conversation must have at least one message');
    if (!isObject(last)) return;
    const { role, prefix } = last;
    if (list.length === 1 && role === 'assistant') {
      this.#docket.refuse('mi-nonempty', '/0', START);
      return;
    }
    const ends = role === 'assistant' ? prefix === true : role === 'system' ? this.#profile.endsInSystem : isRole(role);
    if (ends) return;
    const text = `Expected last role User or Tool (or Assistant with prefix True) for serving but got ${String(role)}`;
    this.#docket.refuse('mi-last', `/${list.length - 1}`, {
      text,
      type: 'invalid_request_message_order',
      code: '3230',
    });
  }
}

const isRole = (role: unknown): role is Role =>
  role === 'system' || role === 'user' || role === 'assistant' || role === 'tool';
const isText = (text: unknown): boolean => typeof text === 'string';
const isEmptyList = (content: unknown): boolean => Array.isArray(content) && content.length === 0;
const isLegalName = (name: string): boolean => name.length <= MAX_NAME && isPlainName(name);
