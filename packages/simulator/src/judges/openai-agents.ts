import { type Docket, isObject, type JsonObject, type Matter } from './docket.ts';
import { isGivenBack, isKnownId, isPart, isReturned, PAIRS } from './openai-agents-fields.ts';
import { findLone, TextScan } from './text-scan.ts';

/** The rows of section 3 as they meet the items of the Agents SDK, which spells them in its own way. */
export const OPENAI_AGENTS_CHECKS = [
  'shape',
  'an-json-utf16',
  'or-nonempty',
  'or-part-type',
  'or-phase',
  'or-args',
  'or-callid',
  'or-id-prefix',
  'or-id-dup',
  'or-call-answered',
  'or-output-orphan',
  'or-reason-follow',
] as const;

type Row = (typeof OPENAI_AGENTS_CHECKS)[number];

const ANSWERS: ReadonlyMap<string, string> = new Map([...PAIRS].map(([call, answer]) => [answer, call]));
const SEARCHES = /^tool_search_/;
/** Other things that a model made. */
const MADE: ReadonlySet<string> = new Set([
  'hosted_tool_call',
  'tool_search_call',
  'tool_search_output',
  'program',
  'program_output',
  'compaction',
  'unknown',
]);
const PHASES: ReadonlySet<unknown> = new Set([undefined, null, 'commentary', 'final_answer']);

interface Pair {
  call: string | undefined;
  answer: string | undefined;
}

/** Judges a list of items of the OpenAI Agents SDK. */
export function judgeOpenaiAgents(matter: Matter, docket: Docket<Row>): void {
  new Walk(matter, docket).run();
}

class Walk {
  readonly #matter: Matter;
  readonly #docket: Docket<Row>;
  /** By type of the call and by id: where the two stand. */
  readonly #pairs = new Map<string, Map<string, Pair>>();
  readonly #ids = new Set<string>();
  readonly #programs = new Set<unknown>();
  /** Reasoning under an id that nothing has followed yet. */
  #thoughts: { readonly id: string; readonly pointer: string }[] = [];

  constructor(matter: Matter, docket: Docket<Row>) {
    this.#matter = matter;
    this.#docket = docket;
  }

  run(): void {
    const { list, purpose } = this.#matter;
    if (list.length === 0 && purpose === 'request') this.#docket.refuse('or-nonempty', '', 'there is nothing to send');
    for (const [index, item] of list.entries()) this.#item(item, `/${index}`);
    this.#endThoughts();
    for (const [type, pairs] of this.#pairs) for (const [id, pair] of pairs) this.#judgePair(type, id, pair);
  }

  #item(item: unknown, at: string): void {
    const scan = new TextScan();
    scan.scan(item);
    const type = isObject(item) ? (item.type === undefined ? 'message' : item.type) : undefined;
    if (!isObject(item) || scan.unreadable || typeof type !== 'string') {
      this.#endThoughts();
      return this.#docket.refuse('shape', at, 'this is not an item');
    }
    if (scan.lone) this.#docket.refuse('an-json-utf16', `${at}${findLone(item) ?? ''}`, 'no low surrogate in string');
    const id = this.#id(item, type, at);
    if (type === 'message') return this.#message(item, at);
    if (type === 'reasoning') return this.#reasoning(item, id, at);
    if (isCarried(item, type)) return this.#made(item, at);
    if (PAIRS.has(type)) return this.#call(item, type, at);
    this.#endThoughts();
    const call = ANSWERS.get(type);
    if (call === undefined) return this.#docket.refuse('shape', at, `Unsupported item ${type}`);
    this.#result(item, call, at);
  }

  /** The id under which the provider keeps the item. */
  #id(item: JsonObject, type: string, at: string): string | undefined {
    const { id } = item;
    const fake = id === 'FAKE_ID' && (type === 'function_call' || item.role === 'assistant');
    if (id === undefined || id === null || fake) return undefined;
    if (!isKnownId(id, type)) {
      this.#docket.refuse('or-id-prefix', at, 'the provider did not give this id');
      return typeof id === 'string' ? id : undefined;
    }
    if (this.#ids.has(id)) this.#docket.refuse('or-id-dup', at, `Duplicate item found with id ${id}`);
    this.#ids.add(id);
    return id;
  }

  #message(item: JsonObject, at: string): void {
    const { role, content } = item;
    if (role === 'assistant') this.#thoughts = [];
    else this.#endThoughts();
    if (role === 'assistant' && !PHASES.has(item.phase)) {
      const phase = JSON.stringify(item.phase);
      const text = `Invalid assistant message phase: ${phase}. Expected "commentary" or "final_answer".`;
      this.#docket.refuse('or-phase', at, text);
    }
    if (typeof content === 'string' && (role === 'user' || role === 'system')) return;
    if ((role !== 'user' && role !== 'assistant') || !Array.isArray(content)) {
      return this.#docket.refuse('shape', at, 'this is not a message');
    }
    if (content.length === 0) this.#docket.refuse('shape', at, 'a message says nothing');
    for (const [index, part] of content.entries()) {
      const pointer = `${at}/content/${index}`;
      const sound = isPart(part, role);
      if (sound === undefined) this.#docket.refuse('shape', pointer, 'this is not a part');
      else if (!sound) this.#docket.refuse('or-part-type', pointer, 'the framework cannot send this part here');
    }
  }

  #reasoning({ content }: JsonObject, id: string | undefined, at: string): void {
    const sound =
      Array.isArray(content) && [...content].every((each) => isObject(each) && typeof each.text === 'string');
    if (!sound) this.#docket.refuse('shape', at, 'reasoning has no content');
    if (id !== undefined) this.#thoughts.push({ id, pointer: at });
  }

  /** Something that the provider gave and gets back, or what a person decided about it. */
  #made(item: JsonObject, at: string): void {
    const whole = isGivenBack(item);
    if (whole === 'decision') this.#endThoughts();
    else this.#thoughts = [];
    if (whole === false) this.#docket.refuse('shape', at, `Unsupported item ${String(item.type)}`);
    const program: unknown = item.callId ?? item.call_id;
    // What has no name is nobody's output.
    if (item.type === 'program' && (program ?? undefined) !== undefined) this.#programs.add(program);
    if (item.type === 'program_output' && !this.#programs.has(program)) {
      this.#docket.refuse(
        'or-output-orphan',
        at,
        `No tool call found for program output with call_id ${String(program)}.`,
      );
    }
  }

  #call(item: JsonObject, type: string, at: string): void {
    this.#thoughts = [];
    const callId = SEARCHES.test(type) ? (item.callId ?? item.call_id) : item.callId;
    if (typeof callId !== 'string' || callId === '' || callId.length > 64) {
      this.#docket.refuse('or-callid', at, 'a call has no id that can be sent');
    }
    if (isGivenBack(item) === false) this.#docket.refuse('shape', at, `Unsupported item ${type}`);
    if (type === 'function_call') {
      const { name } = item;
      if (typeof name !== 'string' || name === '' || name.length > 128) {
        this.#docket.refuse('or-callid', at, 'a call has no name that can be sent');
      }
      if (typeof item.arguments !== 'string') this.#docket.refuse('or-args', at, 'the arguments are not a text');
    }
    if (typeof callId === 'string') this.#pairOf(type, callId).call ??= at;
  }

  #result(item: JsonObject, call: string, at: string): void {
    if (!isReturned(item)) this.#docket.refuse('or-args', at, 'the output is in no form that can be sent');
    const callId = SEARCHES.test(call) ? (item.callId ?? item.call_id) : item.callId;
    if (typeof callId === 'string') this.#pairOf(call, callId).answer ??= at;
    else this.#docket.refuse('or-output-orphan', at, 'a result names no call');
  }

  #pairOf(type: string, id: string): Pair {
    let pairs = this.#pairs.get(type);
    if (pairs === undefined) this.#pairs.set(type, (pairs = new Map<string, Pair>()));
    let pair = pairs.get(id);
    if (pair === undefined) pairs.set(id, (pair = { call: undefined, answer: undefined }));
    return pair;
  }

  #judgePair(type: string, id: string, { call, answer }: Pair): void {
    const words = type.replaceAll('_', ' ');
    if (answer === undefined) {
      this.#docket.refuse('or-call-answered', call ?? '', `No tool output found for ${words} ${id}.`);
    } else if (call === undefined) {
      this.#docket.refuse('or-output-orphan', answer, `No tool call found for ${words} output with call_id ${id}.`);
    }
  }

  #endThoughts(): void {
    for (const { id, pointer } of this.#thoughts) {
      const text = `Item '${id}' of type 'reasoning' was provided without its required following item.`;
      this.#docket.refuse('or-reason-follow', pointer, text);
    }
    this.#thoughts = [];
  }
}

/** What the provider made and nobody else answers; a search is that if it ran it itself. */
function isCarried(item: JsonObject, type: string): boolean {
  if (!SEARCHES.test(type)) return MADE.has(type);
  return item.execution === 'server' || typeof (item.callId ?? item.call_id) !== 'string';
}
