import { type Docket, isObject, isPlainName, type JsonObject, type Matter } from './docket.ts';
import { isForeignPair } from './foreign-pair.ts';
import { findLone, TextScan } from './text-scan.ts';

/**
 * The framework's own row, and those of the providers behind it that it hands messages on to as they are: it neither
 * renames ids nor drops empty texts.
 */
export const LANGCHAIN_CHECKS = [
  'shape',
  'an-json-utf16',
  'an-messages-nonempty',
  'an-system-first',
  'an-system-model',
  'an-prefill',
  'an-content-nonempty',
  'an-text-nonblank',
  'an-think-not-last',
  'an-id-regex',
  'an-id-unique',
  'an-input-object',
  'oc-name',
  'oc-parts-min',
  'oc-tool-orphan',
  'lg-invalid',
] as const;

type Row = (typeof LANGCHAIN_CHECKS)[number];
type Role = 'user' | 'assistant' | 'system' | 'tool';

const MISSING = 'Found AIMessages with tool_calls that do not have a corresponding ToolMessage.';
const PREFILL = 'This model does not support assistant message prefill. The conversation must end with a user message.';
const EMPTY = 'empty array. Expected an array with minimum length 1, but got an empty array instead.';
const LENIENT = /(^|[^a-z0-9])(gpt-|chatgpt|o\d)/i;
const CLAUDE = /claude/i;
const THOUGHTS: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'reasoning']);
const CALLS: ReadonlySet<unknown> = new Set(['tool_use', 'tool_call']);
const RESULTS: ReadonlySet<unknown> = new Set(
  'tool_result tool-result tool-return function_call_output function_call_result retry-prompt'.split(' '),
);
const ROLES: Readonly<Record<string, Role>> = {
  human: 'user',
  user: 'user',
  function: 'user',
  ai: 'assistant',
  assistant: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
};

interface Call {
  readonly id: unknown;
  readonly name: unknown;
  /** Whether the arguments have the form of the place they stand in. */
  readonly sound: boolean;
  /** Whether the framework lists the call, so that every converter sees it. */
  readonly listed: boolean;
  readonly pointer: string;
}

/** Judges a list of LangChain messages: objects, serialised ones, or plain ones. */
export function judgeLangChain(matter: Matter, docket: Docket<Row>): void {
  new Walk(matter, docket).run();
}

class Walk {
  readonly #matter: Matter;
  readonly #docket: Docket<Row>;
  readonly #lenient: boolean;
  readonly #longIds: boolean;
  /** Calls of the last answer, and whether each has its result. */
  #open = new Map<string, { readonly pointer: string; answered: boolean }>();
  #last: Role | 'calling' | undefined;
  /** How many messages there are beside those of the system. */
  #spoke = 0;

  constructor(matter: Matter, docket: Docket<Row>) {
    this.#matter = matter;
    this.#docket = docket;
    this.#lenient = LENIENT.test(matter.model ?? '');
    this.#longIds = CLAUDE.test(matter.model ?? '');
  }

  run(): void {
    const { list, purpose } = this.#matter;
    for (const [index, message] of list.entries()) this.#message(message, `/${index}`);
    this.#closeStep();
    if (purpose !== 'request') return;
    if (list.length === 0) this.#docket.refuse('an-messages-nonempty', '', 'there is no message to send');
    else if (!this.#lenient && this.#spoke === 0) {
      this.#docket.refuse('an-messages-nonempty', '', 'there is nothing but instructions to send');
    }
    if (this.#last === 'assistant' && !this.#lenient) {
      this.#docket.refuse('an-prefill', `/${list.length - 1}`, PREFILL);
    }
  }

  #message(message: unknown, at: string): void {
    const form = readForm(message);
    const scan = new TextScan();
    scan.scan(form === undefined || !isInstance(message) ? message : sentFields(form.fields));
    if (form === undefined || scan.unreadable) return this.#docket.refuse('shape', at, 'this is not a message');
    const { role, fields, below } = form;
    if (scan.lone) {
      const where = isInstance(message) ? '' : (findLone(message) ?? '');
      this.#docket.refuse('an-json-utf16', `${at}${where}`, 'no low surrogate in string');
    }
    const inner = `${at}${below}`;
    if (role === 'system') this.#system(at);
    else this.#spoke += 1;
    if (role === 'tool') this.#result(fields, inner);
    else this.#spoken(role, fields, inner);
  }

  /** Some converters take the system out of the first message alone. */
  #system(at: string): void {
    if (this.#lenient || at === '/0') return;
    if (this.#spoke === 0) this.#docket.refuse('an-system-first', at, 'a second message of the system');
    else this.#docket.refuse('an-system-model', at, "role 'system' is not supported on this model");
  }

  #result({ content, tool_call_id: id }: JsonObject, at: string): void {
    this.#last = 'tool';
    const sound =
      typeof content === 'string' || (Array.isArray(content) && content.length > 0 && content.every(isTold));
    if (!sound) this.#docket.refuse('shape', at, 'a result has no content');
    const call = this.#open.get(String(id));
    if (typeof id !== 'string' || call === undefined) {
      this.#docket.refuse('oc-tool-orphan', at, 'a result answers no call of the answer before it');
    } else if (call.answered) this.#docket.refuse('oc-tool-orphan', at, 'a call is answered twice');
    else call.answered = true;
  }

  #spoken(role: Exclude<Role, 'tool'>, fields: JsonObject, at: string): void {
    this.#closeStep();
    this.#last = role;
    const { content } = fields;
    const calls = role === 'assistant' ? callsOf(fields, at) : [];
    if (calls === undefined) return this.#docket.refuse('shape', at, 'a call is none');
    const said = content ?? (role === 'assistant' ? [] : undefined);
    if (typeof said !== 'string' && !Array.isArray(said)) {
      return this.#docket.refuse('shape', at, 'the content is neither a text nor a list');
    }
    if (typeof said === 'string') this.#text(said, { silent: calls.length > 0, at: `${at}/content` });
    else this.#pieces(said, { calling: calls.length > 0, mayThink: role === 'assistant' }, at);
    if (Array.isArray(said) && calls.length > 0 && !this.#longIds && said.every(isLeftOut(calls, this.#lenient))) {
      const where = `Invalid 'messages[${at.split('/')[1] ?? ''}].content'`;
      this.#docket.refuse('oc-parts-min', at, `${where}: ${EMPTY}`);
    }
    for (const call of calls) this.#call(call);
    if (calls.length > 0) this.#last = 'calling';
  }

  #text(said: string, { silent, at }: { silent: boolean; at: string }): void {
    if (said === '' && (silent || this.#lenient)) return;
    if (said === '') this.#docket.refuse('an-content-nonempty', at, 'a message says nothing');
    else if (!this.#lenient && said.trim() === '') this.#docket.refuse('an-text-nonblank', at, 'a text is blank');
  }

  #pieces(said: readonly unknown[], { calling, mayThink }: { calling: boolean; mayThink: boolean }, at: string): void {
    if (said.length === 0 && !calling) this.#docket.refuse('an-content-nonempty', at, 'a message says nothing');
    for (const [index, piece] of said.entries()) {
      const pointer = `${at}/content/${index}`;
      if (!isPiece(piece) || isMisplaced(piece, mayThink)) {
        this.#docket.refuse('shape', pointer, 'this is not a part');
      }
      const text = isObject(piece) && piece.type === 'text' ? piece.text : piece;
      if (typeof text !== 'string' || this.#lenient || text.trim() !== '') continue;
      this.#docket.refuse('an-text-nonblank', pointer, 'a text is blank');
    }
    const last = said.at(-1);
    if (mayThink && !calling && isObject(last) && THOUGHTS.has(last.type)) {
      this.#docket.refuse('an-think-not-last', `${at}/content/${said.length - 1}`, 'a message ends in reasoning');
    }
  }

  #call({ id, name, sound, listed, pointer }: Call): void {
    if (!listed && !this.#longIds) {
      this.#docket.refuse('oc-tool-orphan', pointer, 'a call stands only among the content');
    }
    const legal =
      typeof id === 'string' && (this.#lenient ? id !== '' : isPlainName(id)) && (this.#longIds || id.length <= 40);
    if (!legal) this.#docket.refuse('an-id-regex', pointer, 'ids are sent as they are');
    if (typeof name !== 'string' || !isPlainName(name) || name.length > 128) {
      this.#docket.refuse('oc-name', pointer, 'names are sent as they are');
    }
    if (!sound) this.#docket.refuse('an-input-object', pointer, 'the arguments have the wrong form');
    if (typeof id !== 'string') return;
    if (this.#open.has(id)) this.#docket.refuse('an-id-unique', pointer, 'two calls of one answer share an id');
    else this.#open.set(id, { pointer, answered: false });
  }

  #closeStep(): void {
    const open = [...this.#open.values()].find(({ answered }) => !answered);
    if (open !== undefined) this.#docket.refuse('lg-invalid', open.pointer, MISSING);
    this.#open = new Map();
  }
}

/** A message is a list of fields in one of several wrappings. */
function readForm(message: unknown): { role: Role; fields: JsonObject; below: string } | undefined {
  if (!isObject(message)) return undefined;
  if (message.lc === 1 && Array.isArray(message.id) && isObject(message.kwargs)) {
    const role = roleOf(
      String(message.id.at(-1))
        .replace(/Message(Chunk)?$/, '')
        .toLowerCase(),
      message.kwargs,
    );
    return role === undefined ? undefined : { role, fields: revived(message.kwargs), below: '/kwargs' };
  }
  const fields = isObject(message.data) && message.content === undefined ? message.data : message;
  const role = roleOf(typeName(message), fields);
  return role === undefined ? undefined : { role, fields, below: fields === message ? '' : '/data' };
}

/** The framework makes the content of a serialised message from its blocks. */
function revived(kwargs: JsonObject): JsonObject {
  const { content, content_blocks: blocks } = kwargs;
  return content === undefined && Array.isArray(blocks) ? { ...kwargs, content: blocks } : kwargs;
}

function typeName(message: JsonObject): unknown {
  if (typeof message.type === 'string') return message.type.replace(/MessageChunk$/, '').toLowerCase();
  for (const key of ['getType', '_getType']) {
    const ask = message[key];
    if (typeof ask === 'function') return ask.call(message) as unknown;
  }
  return message.role;
}

/** A generic message says itself who speaks. */
function roleOf(type: unknown, fields: JsonObject): Role | undefined {
  const name = type === 'generic' || type === 'chat' ? (fields.role ?? 'user') : type;
  if (typeof name !== 'string') return undefined;
  const role = Object.hasOwn(ROLES, name) ? ROLES[name] : undefined;
  return role === undefined && name !== type ? 'user' : role;
}

const isInstance = (message: unknown): boolean =>
  isObject(message) && ['getType', '_getType'].some((key) => typeof message[key] === 'function');

const sentFields = ({ content, tool_calls, tool_call_id, name, additional_kwargs }: JsonObject): JsonObject => ({
  content,
  tool_calls,
  tool_call_id,
  name,
  additional_kwargs,
});

/** Whether a converter leaves a piece of content out: a copy of a call of the list or, for one provider, reasoning. */
const isLeftOut =
  (calls: readonly Call[], lenient: boolean) =>
  (piece: unknown): boolean => {
    if (!isObject(piece)) return false;
    if (THOUGHTS.has(piece.type)) return lenient && calls.every(({ listed }) => listed);
    return CALLS.has(piece.type) && calls.some(({ listed, id }) => listed && id === piece.id);
  };

const isPiece = (piece: unknown): boolean =>
  typeof piece === 'string' ||
  (isObject(piece) && typeof piece.type === 'string' && (piece.type !== 'text' || typeof piece.text === 'string'));

/** Whether this is a part that a result may hold. */
const isTold = (piece: unknown): boolean => isPiece(piece) && !isMisplaced(piece, false);

/** Whether this is half of a pair in a form that nobody looks for in what a user says, or in an answer. */
const isMisplaced = (piece: unknown, answer: boolean): boolean => {
  if (!isObject(piece) || typeof piece.type !== 'string') return false;
  if (!answer) return RESULTS.has(piece.type);
  return !RESULTS.has(piece.type) && !CALLS.has(piece.type) && isForeignPair(piece.type, piece);
};

/** The calls of an answer, each once, though it may stand in three places; undefined where one of them is none. */
function callsOf(fields: JsonObject, at: string): Call[] | undefined {
  const raw = isObject(fields.additional_kwargs) ? fields.additional_kwargs.tool_calls : undefined;
  const own = Array.isArray(fields.tool_calls) && fields.tool_calls.length > 0;
  const listed: unknown = own ? fields.tool_calls : raw;
  const below = own ? '/tool_calls' : '/additional_kwargs/tool_calls';
  const calls: Call[] = [];
  for (const [index, entry] of (Array.isArray(listed) ? listed : []).entries()) {
    if (!isObject(entry)) return undefined;
    calls.push({ ...readCall(entry, `${at}${below}/${index}`), listed: true });
  }
  const known = new Set(calls.map(({ id }) => id));
  const content = Array.isArray(fields.content) ? fields.content : [];
  for (const [index, piece] of content.entries()) {
    if (!isObject(piece) || !CALLS.has(piece.type) || known.has(piece.id)) continue;
    calls.push({ ...readCall(piece, `${at}/content/${index}`), listed: false });
  }
  return calls;
}

function readCall(entry: JsonObject, pointer: string): Omit<Call, 'listed'> {
  if (isObject(entry.function)) {
    const { name, arguments: text } = entry.function;
    return { id: entry.id, name, sound: typeof text === 'string', pointer };
  }
  return { id: entry.id, name: entry.name, sound: isObject(entry.args ?? entry.input), pointer };
}
