import { type Docket, isObject, type JsonObject, type Matter } from './docket.ts';
import { findLone, TextScan } from './text-scan.ts';

/** The framework's own rows; pairing that the framework would mend by itself is held against `py-repair`. */
export const PYDANTIC_CHECKS = ['shape', 'an-json-utf16', 'py-history', 'py-repair'] as const;

type PydanticRow = (typeof PYDANTIC_CHECKS)[number];
type Kind = 'request' | 'response';

interface Call {
  readonly message: number;
  readonly part: number;
  times: number;
  results: number;
}

const BUILTIN_CALLS: ReadonlySet<unknown> = new Set(['builtin-tool-call', 'native-tool-call']);
const BUILTIN_RETURNS: ReadonlySet<unknown> = new Set(['builtin-tool-return', 'native-tool-return']);
const UNPROCESSED = 'Cannot provide a new user prompt when the message history contains unprocessed tool calls.';

/** Judges a list of pydantic-ai messages. */
export function judgePydanticAi(matter: Matter, docket: Docket<PydanticRow>): void {
  new Walk(matter, docket).run();
}

class Walk {
  readonly #matter: Matter;
  readonly #docket: Docket<PydanticRow>;
  readonly #scan = new TextScan();
  /** Calls of the last run of responses. */
  readonly #calls = new Map<string, Call>();
  readonly #builtin = new Map<string, number>();
  #kind: Kind | '' = '';
  /** Whether an earlier request of this run already holds a user prompt. */
  #prompted = false;
  #message = 0;
  #part = 0;

  constructor(matter: Matter, docket: Docket<PydanticRow>) {
    this.#matter = matter;
    this.#docket = docket;
  }

  run(): void {
    const { list, purpose } = this.#matter;
    for (let i = 0; i < list.length; i++) this.#judgeMessage(i, list[i]);
    this.#settle();
    if (purpose !== 'request') return;
    if (list.length === 0) this.#docket.refuse('py-history', '', 'Processed history cannot be empty.');
    else if (this.#kind === 'response') {
      const text = 'Processed history must end with a `ModelRequest`.';
      this.#docket.refuse('py-history', `/${list.length - 1}`, text);
    }
  }

  #judgeMessage(i: number, message: unknown): void {
    this.#message = i;
    const docket = this.#docket;
    if (!isObject(message) || (message.kind !== 'request' && message.kind !== 'response')) {
      docket.refuse('shape', `/${i}`, 'expected a message whose kind is request or response');
      return;
    }
    this.#scanTexts(i, message);
    this.#enter(message.kind);
    const { parts } = message;
    if (!Array.isArray(parts)) {
      docket.refuse('shape', `/${i}/parts`, 'expected a list of parts');
      return;
    }
    let prompts = false;
    for (let k = 0; k < parts.length; k++) {
      this.#part = k;
      const part: unknown = parts[k];
      if (!isObject(part) || typeof kindOf(part) !== 'string')
        this.#refuseShape('expected a part with a string part_kind');
      else if (message.kind === 'response') this.#judgeResponsePart(part);
      else if (this.#judgeRequestPart(part)) prompts = true;
    }
    if (message.kind === 'response') this.#endResponse(message);
    else if (prompts) this.#prompted = true;
  }

  #scanTexts(i: number, message: JsonObject): void {
    const scan = this.#scan;
    scan.scan(message);
    if (scan.unreadable) {
      scan.unreadable = false;
      this.#docket.refuse('shape', `/${i}`, 'cannot be written as JSON');
    }
    if (!scan.lone) return;
    scan.lone = false;
    this.#docket.refuse('an-json-utf16', `/${i}${findLone(message) ?? ''}`, 'no low surrogate in string');
  }

  #refuseShape(text: string): void {
    this.#docket.refuse('shape', `/${this.#message}/parts/${this.#part}`, text);
  }

  #enter(kind: Kind): void {
    if (kind === this.#kind) return;
    if (kind === 'response') this.#settle();
    this.#prompted = false;
    this.#kind = kind;
  }

  #judgeResponsePart(part: JsonObject): void {
    const kind = kindOf(part);
    if (kind === 'text') return;
    if (kind === 'tool-return' || isRetryOfCall(part)) {
      this.#refuseShape(`a ${String(kind)} belongs in a request`);
      return;
    }
    const builtinCall = BUILTIN_CALLS.has(kind);
    if (kind !== 'tool-call' && !builtinCall && !BUILTIN_RETURNS.has(kind)) return;
    const id = this.#readId(part);
    if (id === undefined) return;
    if (kind === 'tool-call') this.#call(id, this.#part);
    else if (builtinCall) this.#builtin.set(id, this.#part);
    else if (!this.#builtin.delete(id))
      this.#refuseUnpaired(`${String(kind)} ${id} answers no call before it in its response`);
  }

  #readId(part: JsonObject): string | undefined {
    const id = part.tool_call_id ?? part.toolCallId;
    if (typeof (part.tool_name ?? part.toolName) !== 'string') this.#refuseShape('expected a string tool_name');
    if (typeof id === 'string' && id !== '') return id;
    this.#refuseShape('expected a non-empty string tool_call_id');
    return undefined;
  }

  #refuseUnpaired(text: string, part: number = this.#part): void {
    this.#docket.refuse('py-repair', `/${this.#message}/parts/${part}`, text);
  }

  #call(id: string, part: number): void {
    const known = this.#calls.get(id);
    if (known === undefined) {
      this.#calls.set(id, { message: this.#message, part, times: 1, results: 0 });
      return;
    }
    known.times++;
    this.#refuseUnpaired(`tool_call_id ${id} is used by two calls of one response`, part);
  }

  /** A call of the provider's own tools may wait for its return only in the last response of the list. */
  #endResponse(message: JsonObject): void {
    const legacy = message.tool_calls ?? message.toolCalls;
    if (Array.isArray(legacy)) for (const entry of legacy) this.#judgeLegacyCall(entry);
    if (this.#builtin.size === 0) return;
    if (this.#message < this.#matter.list.length - 1) {
      for (const [id, part] of this.#builtin)
        this.#refuseUnpaired(`built-in call ${id} has no return in its response`, part);
    }
    this.#builtin.clear();
  }

  #judgeLegacyCall(entry: unknown): void {
    const id = isObject(entry) ? (entry.tool_call_id ?? entry.toolCallId ?? entry.id) : undefined;
    if (typeof id !== 'string' || id === '') {
      this.#docket.refuse(
        'shape',
        `/${this.#message}/tool_calls`,
        'expected calls with a non-empty string tool_call_id',
      );
    } else if (this.#calls.get(id)?.message !== this.#message) {
      if (typeof nameIn(entry as JsonObject) !== 'string') {
        this.#docket.refuse('shape', `/${this.#message}/tool_calls`, 'expected calls with a string tool_name');
      }
      this.#call(id, 0);
    }
  }

  /** Returns whether the part is something the user says. */
  #judgeRequestPart(part: JsonObject): boolean {
    const kind = kindOf(part);
    const retry = isRetryOfCall(part);
    if (kind === 'tool-return' || retry) this.#judgeResult(part);
    else if (kind === 'tool-call') this.#refuseShape('a tool-call belongs in a response');
    return kind === 'user-prompt' || (kind === 'retry-prompt' && !retry);
  }

  #judgeResult(part: JsonObject): void {
    const id = this.#readId(part);
    if (id === undefined) return;
    const call = this.#calls.get(id);
    if (call === undefined) {
      this.#refuseUnpaired(`${String(kindOf(part))} ${id} answers no call of the response before it`);
    } else if (++call.results > call.times) {
      this.#refuseUnpaired(`${String(kindOf(part))} ${id} answers a call that has its result`);
    } else if (this.#prompted) this.#docket.refuse('py-history', `/${this.#message}/parts/${this.#part}`, UNPROCESSED);
  }

  #settle(): void {
    if (this.#calls.size === 0) return;
    for (const call of this.#calls.values()) {
      if (call.results > 0) continue;
      this.#docket.refuse('py-history', `/${call.message}/parts/${call.part}`, UNPROCESSED);
      break;
    }
    this.#calls.clear();
  }
}

const kindOf = (part: JsonObject): unknown => part.part_kind ?? part.partKind;

/** A retry prompt that names a tool is the answer to its call; one that names none is said to the model as text. */
function isRetryOfCall(part: JsonObject): boolean {
  return kindOf(part) === 'retry-prompt' && (part.tool_name ?? part.toolName ?? null) !== null;
}

/** The name of the tool in an entry of the older list, in whichever shape it was written. */
function nameIn(entry: JsonObject): unknown {
  const inner = isObject(entry.function) ? entry.function : entry;
  return entry.tool_name ?? entry.toolName ?? inner.name;
}
