import { type Docket, isObject, isPlainName, type JsonObject, type Matter } from './docket.ts';
import { findLone, TextScan } from './text-scan.ts';

/** The rows of section 8 as they meet messages of the user interface on their way to a model. */
export const AI_SDK_UI_CHECKS = [
  'shape',
  'an-json-utf16',
  'an-prefill',
  'ai-schema',
  'ai-nonempty',
  'ai-system',
  'ai-missing-results',
  'ai-converters',
] as const;

type Row = (typeof AI_SDK_UI_CHECKS)[number];

const SYSTEM = 'System messages are not allowed in the prompt or messages fields. Use the instructions option instead.';
const PREFILL = 'This model does not support assistant message prefill. The conversation must end with a user message.';
const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant']);
const LENIENT = /(^|[^a-z0-9])(gpt-|chatgpt|o\d)/i;
const CLAUDE = /claude/i;

interface Placed {
  readonly part: JsonObject;
  readonly pointer: string;
}

/** Judges a list of AI SDK messages of the user interface. */
export function judgeAiSdkUi(matter: Matter, docket: Docket<Row>): void {
  new Walk(matter, docket).run();
}

class Walk {
  readonly #matter: Matter;
  readonly #docket: Docket<Row>;
  readonly #lenient: boolean;
  readonly #longIds: boolean;
  /** Calls that the provider runs itself and has not answered, by pointer. */
  readonly #running = new Map<string, string>();
  /** What the model messages would end with. */
  #ending: 'nothing' | 'user' | 'assistant' | 'tool' | 'paused' | 'open' = 'nothing';

  constructor(matter: Matter, docket: Docket<Row>) {
    this.#matter = matter;
    this.#docket = docket;
    this.#lenient = LENIENT.test(matter.model ?? '');
    this.#longIds = CLAUDE.test(matter.model ?? '');
  }

  run(): void {
    const { list, purpose } = this.#matter;
    for (const [index, message] of list.entries()) this.#message(message, index);
    if (purpose !== 'request') return;
    const last = `/${list.length - 1}`;
    const empty = list.length === 0 ? '' : last;
    if (this.#ending === 'nothing') this.#docket.refuse('ai-nonempty', empty, 'messages must not be empty');
    if (this.#ending === 'assistant' && !this.#lenient) this.#docket.refuse('an-prefill', last, PREFILL);
  }

  #message(message: unknown, index: number): void {
    const at = `/${index}`;
    const scan = new TextScan();
    scan.scan(message);
    if (!isObject(message) || scan.unreadable || !ROLES.has(message.role) || !Array.isArray(message.parts)) {
      return this.#docket.refuse('shape', at, 'this is not a message of the user interface');
    }
    if (scan.lone)
      this.#docket.refuse('an-json-utf16', `${at}${findLone(message) ?? ''}`, 'no low surrogate in string');
    const placed: Placed[] = [];
    for (const [place, part] of message.parts.entries()) {
      const pointer = `${at}/parts/${place}`;
      if (!isObject(part) || typeof part.type !== 'string') this.#docket.refuse('shape', pointer, 'this is not a part');
      else if (isReadable(part, String(message.role))) placed.push({ part, pointer });
      else this.#docket.refuse('ai-schema', pointer, 'the SDK cannot convert this part');
    }
    if (message.role === 'system') this.#system(at);
    else if (placed.length < message.parts.length) this.#ending = 'open';
    else if (message.role === 'user') this.#user(placed, at);
    else this.#assistant(placed, index);
  }

  #system(at: string): void {
    this.#leaveRunning();
    this.#ending = 'user';
    if (this.#matter.body?.allowSystemInMessages !== true) this.#docket.refuse('ai-system', at, SYSTEM);
  }

  #user(parts: readonly Placed[], at: string): void {
    this.#leaveRunning();
    this.#ending = 'user';
    const sent = parts.filter(
      ({ part }) => part.type === 'file' || isText(part) || String(part.type).startsWith('data-'),
    );
    if (sent.length === 0) this.#docket.refuse('ai-converters', at, 'the provider would get a message without content');
    this.#blanks(sent);
  }

  #blanks(parts: readonly Placed[]): void {
    for (const { part, pointer } of parts) {
      if (this.#lenient || part.type !== 'text' || part.text === '' || String(part.text).trim() !== '') continue;
      this.#docket.refuse('ai-converters', pointer, 'the provider would get a blank text');
    }
  }

  #assistant(parts: readonly Placed[], index: number): void {
    let block: Placed[] = [];
    const blocks: Placed[][] = [];
    for (const placed of parts) {
      const { type } = placed.part;
      if (type === 'step-start' || type === 'steering-message') {
        blocks.push(block);
        block = [];
        if (type === 'steering-message') blocks.push([placed]);
      } else block.push(placed);
    }
    blocks.push(block);
    const open: Placed[] = [];
    const spoken = blocks.filter((each) => each.some(({ part }) => isSent(part)));
    for (const each of spoken) this.#block(each, { index, last: each === spoken.at(-1) }, open);
    this.#missing(open);
  }

  /** One answer of the model, with the results of the calls in it. */
  #block(block: readonly Placed[], { index, last }: { index: number; last: boolean }, open: Placed[]): void {
    const sent = block.filter(({ part }) => isSent(part));
    if (sent.some(({ part }) => part.type === 'steering-message')) {
      this.#ending = 'user';
      return;
    }
    this.#blanks(sent);
    const ids = new Set<unknown>();
    const tools = sent.filter(({ part }) => isTool(part));
    const final = last && index === this.#matter.list.length - 1;
    for (const placed of tools) {
      this.#tool(placed, { final, repeated: ids.has(placed.part.toolCallId) }, open);
      ids.add(placed.part.toolCallId);
    }
    const end = sent.at(-1);
    if (end?.part.type === 'reasoning' && isSealed(end.part)) {
      this.#docket.refuse('ai-converters', end.pointer, 'the provider would get a message that ends in reasoning');
    }
    const own = tools.filter(({ part }) => part.providerExecuted !== true);
    if (own.length > 0) this.#ending = 'tool';
    else if (end !== undefined) this.#ending = isTool(end.part) ? 'paused' : 'assistant';
  }

  #tool({ part, pointer }: Placed, { final, repeated }: { final: boolean; repeated: boolean }, open: Placed[]): void {
    const name = nameOf(part);
    const input = part.state === 'output-error' ? (part.input ?? part.rawInput) : part.input;
    if (input === undefined) {
      this.#docket.refuse('ai-converters', pointer, 'a call would be sent without input');
    }
    if (typeof part.toolCallId !== 'string' || (part.providerExecuted !== true && !this.#isLegal(part.toolCallId))) {
      this.#docket.refuse('ai-converters', pointer, 'ids are sent as they are');
    }
    if (typeof name !== 'string' || (part.providerExecuted !== true && (!isPlainName(name) || name.length > 128))) {
      this.#docket.refuse('ai-converters', pointer, 'names are sent as they are');
    }
    if (repeated) this.#docket.refuse('ai-converters', pointer, 'two calls of one step share an id');
    if (part.providerExecuted === true && this.#running.has(String(part.toolCallId))) {
      this.#docket.refuse('ai-converters', pointer, 'a call that the provider runs itself is made again');
    }
    if (isSettled(part)) return;
    const approved = isObject(part.approval) && part.approval.approved === true && part.state === 'approval-responded';
    if (part.providerExecuted === true) {
      if (!isObject(part.approval)) this.#running.set(String(part.toolCallId), pointer);
    } else if (!approved || !final || !this.#has(name)) open.push({ part, pointer });
  }

  /** The SDK can only run what it has. */
  #has(name: unknown): boolean {
    const { tools } = this.#matter.body ?? {};
    return !isObject(tools) || Object.hasOwn(tools, String(name));
  }

  #isLegal(id: string): boolean {
    if (this.#lenient) return id !== '' && id.length <= 40;
    return isPlainName(id) && (this.#longIds || id.length <= 40);
  }

  #missing(open: readonly Placed[]): void {
    const [first] = open;
    if (first === undefined) return;
    const many = open.length > 1;
    const ids = open.map(({ part }) => String(part.toolCallId)).join(', ');
    const text = `Tool result${many ? 's are' : ' is'} missing for tool call${many ? 's' : ''} ${ids}.`;
    this.#docket.refuse('ai-missing-results', first.pointer, text);
  }

  /** The user goes on, so what the provider was running is over. */
  #leaveRunning(): void {
    for (const pointer of this.#running.values()) {
      this.#docket.refuse('ai-converters', pointer, 'a call that the provider ran itself was left open');
    }
    this.#running.clear();
  }
}

/** Whether a part of an answer becomes part of a model message. */
function isSent(part: JsonObject): boolean {
  const type = String(part.type);
  if (type === 'text') return isText(part) || part.providerMetadata !== undefined;
  if (!isTool(part)) return ['custom', 'file', 'reasoning', 'reasoning-file', 'steering-message'].includes(type);
  // What the model never finished saying is left out.
  return part.state !== 'input-streaming';
}

const isText = ({ type, text }: JsonObject): boolean => type === 'text' && text !== '';

const isTool = ({ type }: JsonObject): boolean => type === 'dynamic-tool' || String(type).startsWith('tool-');

const nameOf = (part: JsonObject): unknown =>
  part.type === 'dynamic-tool' ? part.toolName : String(part.type).slice('tool-'.length);

/** A part that the SDK can read: a text is one, and a file is somewhere. */
function isReadable(part: JsonObject, role: string): boolean {
  const { type, text, url } = part;
  if (type === 'text') return typeof text === 'string';
  if (role === 'system' || (role === 'user' && type !== 'file')) return true;
  if (type === 'reasoning') return typeof text === 'string';
  if (type === 'file') return isObject(part.providerReference) || isAddress(url);
  if (type === 'reasoning-file') return isAddress(url);
  if (type !== 'steering-message') return true;
  return (
    Array.isArray(part.parts) && part.parts.every((each) => isObject(each) && isReadable(each, 'user') && isSaid(each))
  );
}

const isSaid = ({ type }: JsonObject): boolean => type === 'text' || type === 'file';

function isAddress(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url);
}

function isSettled({ state, approval }: JsonObject): boolean {
  if (state === 'approval-responded') return isObject(approval) && approval.approved === false;
  return state === 'output-available' || state === 'output-error' || state === 'output-denied';
}

function isSealed({ providerMetadata }: JsonObject): boolean {
  return isObject(providerMetadata) && Object.keys(providerMetadata).length > 0;
}
