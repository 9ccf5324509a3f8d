import { fitsSchema, isOptions } from './ai-sdk-schema.ts';
import { type Docket, isObject, isPlainName, type JsonObject, type Matter } from './docket.ts';
import { findLone, TextScan } from './text-scan.ts';

/** The rows of section 8 on model messages; `ai-converters` is for what would leave the SDK unfit to be sent. */
export const AI_SDK_MODEL_CHECKS = [
  'shape',
  'an-json-utf16',
  'an-prefill',
  'ai-schema',
  'ai-nonempty',
  'ai-system',
  'ai-missing-results',
  'ai-converters',
] as const;

type Row = (typeof AI_SDK_MODEL_CHECKS)[number];

const SCHEMA = 'The messages do not match the ModelMessage[] schema.';
const SYSTEM = 'System messages are not allowed in the prompt or messages fields. Use the instructions option instead.';
const PREFILL = 'This model does not support assistant message prefill. The conversation must end with a user message.';
const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);
/** Names of models that take any short id, blank text, and an answer to end with. */
const LENIENT = /(^|[^a-z0-9])(gpt-|chatgpt|o\d)/i;
/** Names of models that restrict the characters of an id, and not its length. */
const CLAUDE = /claude/i;

interface Call {
  readonly pointer: string;
  /** Index of the message with its result; -1 while there is none. */
  answeredIn: number;
}

/** Judges a list of AI SDK model messages. */
export function judgeAiSdkModel(matter: Matter, docket: Docket<Row>): void {
  new Walk(matter, docket).run();
}

class Walk {
  readonly #matter: Matter;
  readonly #docket: Docket<Row>;
  readonly #lenient: boolean;
  readonly #longIds: boolean;
  /** Calls of the last assistant message, while nothing but tool messages has followed. */
  #calls = new Map<string, Call>();
  /** Approval ids of the requests so far, with the calls they ask about. */
  readonly #asked = new Map<string, string>();
  /** Calls that the provider runs itself and has not answered. */
  readonly #running = new Map<string, string>();
  readonly #approvable = new Set<string>();
  readonly #called = new Set<string>();
  readonly #names = new Map<string, string>();
  #index = -1;

  constructor(matter: Matter, docket: Docket<Row>) {
    this.#matter = matter;
    this.#docket = docket;
    this.#lenient = LENIENT.test(matter.model ?? '');
    this.#longIds = CLAUDE.test(matter.model ?? '');
  }

  run(): void {
    const { list, purpose } = this.#matter;
    if (list.length === 0 && purpose === 'request')
      this.#docket.refuse('ai-nonempty', '', 'messages must not be empty');
    for (const [index, message] of list.entries()) this.#message(message, index);
    this.#end();
  }

  #message(message: unknown, index: number): void {
    const at = `/${index}`;
    this.#index = index;
    const scan = new TextScan();
    scan.scan(message);
    if (!isObject(message) || scan.unreadable || !ROLES.has(message.role)) {
      return this.#docket.refuse('shape', at, 'this is not a model message');
    }
    if (scan.lone)
      this.#docket.refuse('an-json-utf16', `${at}${findLone(message) ?? ''}`, 'no low surrogate in string');
    const { role, content } = message;
    if (role !== 'tool') this.#closeStep(role === 'assistant' ? 'assistant' : 'user');
    if (typeof content !== 'string' && !Array.isArray(content)) {
      return this.#docket.refuse('shape', at, 'the content is neither a text nor a list of parts');
    }
    if (message.providerOptions !== undefined && !isOptions(message.providerOptions)) {
      return this.#docket.refuse('ai-schema', `${at}/providerOptions`, SCHEMA);
    }
    if (role === 'system') return this.#system(content, at);
    if (typeof content === 'string') this.#string(content, String(role), at);
    else this.#parts(content, String(role), at);
  }

  #system(content: unknown, at: string): void {
    if (typeof content !== 'string') this.#docket.refuse('ai-schema', `${at}/content`, SCHEMA);
    else if (this.#matter.body?.allowSystemInMessages !== true) this.#docket.refuse('ai-system', at, SYSTEM);
  }

  #string(content: string, role: string, at: string): void {
    if (role === 'tool') this.#docket.refuse('ai-schema', `${at}/content`, SCHEMA);
    else if (!this.#lenient && content.trim() === '') {
      this.#docket.refuse('ai-converters', `${at}/content`, 'the provider would get a message with a blank text');
    }
  }

  #parts(content: readonly unknown[], role: string, at: string): void {
    const parts: { readonly part: JsonObject; readonly pointer: string }[] = [];
    for (const [index, part] of content.entries()) {
      const pointer = `${at}/content/${index}`;
      if (fitsSchema(part, role)) parts.push({ part, pointer });
      else this.#docket.refuse(isObject(part) ? 'ai-schema' : 'shape', pointer, SCHEMA);
    }
    if (parts.length < content.length) return;
    if (role === 'tool') for (const { part, pointer } of parts) this.#toolPart(part, pointer);
    else {
      if (!parts.some(({ part }) => isSent(part, role))) {
        this.#docket.refuse('ai-converters', at, 'the provider would get a message without content');
      }
      for (const { part, pointer } of parts) this.#part(part, parts, pointer);
      const last = parts.findLast(({ part }) => isSent(part, role));
      if (last?.part.type === 'reasoning' && isSealed(last.part)) {
        this.#docket.refuse('ai-converters', last.pointer, 'the provider would get a message that ends in reasoning');
      }
    }
  }

  #part(part: JsonObject, beside: readonly { readonly part: JsonObject }[], pointer: string): void {
    const { type, text } = part;
    if (type === 'text' && !this.#lenient && text !== '' && String(text).trim() === '') {
      this.#docket.refuse('ai-converters', pointer, 'the provider would get a blank text');
    } else if (type === 'tool-approval-request') {
      this.#asked.set(String(part.approvalId), String(part.toolCallId));
      this.#approvable.add(String(part.toolCallId));
    } else if (type === 'tool-call') this.#call(part, pointer);
    else if (type === 'tool-result') {
      const own = beside.some(({ part: call }) => isClientCall(call) && call.toolCallId === part.toolCallId);
      if (own) this.#docket.refuse('ai-converters', pointer, 'a result stands in the message of its call');
      else if (!this.#running.delete(String(part.toolCallId))) {
        this.#docket.refuse('ai-converters', pointer, 'a result of the provider’s own tool has no call');
      }
    }
  }

  #call(part: JsonObject, pointer: string): void {
    const id = String(part.toolCallId);
    this.#called.add(id);
    this.#names.set(id, String(part.toolName));
    if (part.input === undefined) this.#docket.refuse('ai-converters', pointer, 'a call would be sent without input');
    if (part.providerExecuted === true) {
      if (this.#running.has(id)) this.#docket.refuse('ai-converters', pointer, 'two calls of one step share an id');
      this.#running.set(id, pointer);
      return;
    }
    if (!this.#isLegal(id)) this.#docket.refuse('ai-converters', `${pointer}/toolCallId`, 'ids are sent as they are');
    const name = String(part.toolName);
    if (!isPlainName(name) || name.length > 128) {
      this.#docket.refuse('ai-converters', `${pointer}/toolName`, 'names are sent as they are');
    }
    if (this.#calls.has(id)) this.#docket.refuse('ai-converters', pointer, 'two calls of one step share an id');
    else this.#calls.set(id, { pointer, answeredIn: -1 });
  }

  #isLegal(id: string): boolean {
    if (this.#lenient) return id !== '' && id.length <= 40;
    return isPlainName(id) && (this.#longIds || id.length <= 40);
  }

  #toolPart(part: JsonObject, pointer: string): void {
    if (part.type !== 'tool-result') return;
    const call = this.#calls.get(String(part.toolCallId));
    if (call === undefined)
      this.#docket.refuse('ai-converters', pointer, 'a result answers no call of the step before');
    else if (call.answeredIn !== -1) this.#docket.refuse('ai-converters', pointer, 'a call is answered twice');
    else call.answeredIn = this.#index;
  }

  /** A message that is no tool message ends the step before it. */
  #closeStep(next: 'user' | 'assistant'): void {
    this.#missing(() => false);
    this.#calls = new Map();
    if (next === 'assistant') return;
    for (const [id, pointer] of this.#running) {
      if (this.#approvable.has(id)) continue;
      this.#docket.refuse('ai-converters', pointer, 'a call that the provider ran itself was left open');
    }
    this.#running.clear();
  }

  #missing(settled: (id: string) => boolean): void {
    const open = [...this.#calls].filter(([id, { answeredIn }]) => answeredIn === -1 && !settled(id));
    const [first] = open;
    if (first === undefined) return;
    const ids = open.map(([id]) => id).join(', ');
    const [verb, noun] = open.length > 1 ? ['s are', 's'] : [' is', ''];
    const text = `Tool result${verb} missing for tool call${noun} ${ids}.`;
    this.#docket.refuse('ai-missing-results', first[1].pointer, text);
  }

  /** What the last message answers by an approval, the SDK itself runs or denies before it sends anything. */
  #end(): void {
    const { list, purpose } = this.#matter;
    const last = list.at(-1);
    if (isObject(last) && last.role === 'tool' && Array.isArray(last.content) && last.content.length === 0) {
      this.#docket.refuse('ai-converters', `/${list.length - 1}`, 'an empty message of results ends the list');
    }
    const decided = this.#decisions(last, list.length - 1);
    this.#missing((id) => decided.has(id));
    if (purpose === 'request' && !this.#lenient && isObject(last) && last.role === 'assistant' && !this.#paused(last)) {
      this.#docket.refuse('an-prefill', `/${list.length - 1}`, PREFILL);
    }
  }

  #decisions(last: unknown, index: number): ReadonlySet<string> {
    const decided = new Set<string>();
    if (!isObject(last) || last.role !== 'tool' || !Array.isArray(last.content)) return decided;
    for (const [place, part] of last.content.entries()) {
      if (!isObject(part) || part.type !== 'tool-approval-response') continue;
      const id = String(part.approvalId);
      const call = this.#asked.get(id);
      const pointer = `/${index}/content/${place}`;
      if (call !== undefined && this.#called.has(call)) this.#decide(call, pointer, decided);
      else this.#docket.refuse('ai-missing-results', pointer, unknownApproval(id, call));
    }
    return decided;
  }

  /** Only a result in the same message keeps the SDK from acting on a decision, and it can only run what it has. */
  #decide(id: string, pointer: string, decided: Set<string>): void {
    const call = this.#calls.get(id);
    if (call !== undefined && call.answeredIn !== -1 && call.answeredIn < this.#index) {
      this.#docket.refuse('ai-converters', pointer, 'a call that has its result would be run again');
    }
    const { tools } = this.#matter.body ?? {};
    if (!isObject(tools) || Object.hasOwn(tools, this.#names.get(id) ?? '')) decided.add(id);
  }

  /** An open call of the assistant is reported by itself; a turn that the provider paused may be sent again. */
  #paused(last: JsonObject): boolean {
    if (this.#calls.size > 0) return true;
    const end: unknown = Array.isArray(last.content) ? last.content.at(-1) : undefined;
    return isObject(end) && (end.type === 'tool-result' || (end.type === 'tool-call' && end.providerExecuted === true));
  }
}

function unknownApproval(id: string, call: string | undefined): string {
  if (call !== undefined) return `Tool call "${call}" not found for approval request "${id}".`;
  return (
    `Tool approval response references unknown approvalId: "${id}". ` +
    'No matching tool-approval-request found in message history.'
  );
}

const isClientCall = (part: JsonObject): boolean => part.type === 'tool-call' && part.providerExecuted !== true;

/** Empty texts and requests for approval are left out by the SDK. */
function isSent({ type, text, providerOptions }: JsonObject, role: string): boolean {
  if (type === 'tool-approval-request') return false;
  return type !== 'text' || text !== '' || (role === 'assistant' && providerOptions !== undefined);
}

function isSealed({ providerOptions }: JsonObject): boolean {
  return isObject(providerOptions) && Object.keys(providerOptions).length > 0;
}
