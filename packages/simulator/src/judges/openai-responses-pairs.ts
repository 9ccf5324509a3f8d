import { isObject, type JsonObject } from './docket.ts';
import { ANSWERS, CALLS, ID_PREFIXES, typeOf } from './openai-responses-entries.ts';
import type { ResponsesHearing } from './openai-responses-rows.ts';
import { ofInput } from './openai-responses-words.ts';

interface Pair {
  /** Index of the call, `CHAINED` for one that stands before the input, or `NOWHERE`. */
  call: number;
  answer: number;
}

interface Breach {
  readonly i: number;
  readonly row: 'or-call-answered' | 'or-output-orphan' | 'or-reference';
  readonly text: string;
}

const NOWHERE = -2;
const CHAINED = -1;

/** Calls and their outputs, matched by call id wherever they stand. */
export class Pairs {
  readonly #hearing: ResponsesHearing;
  readonly #pairs = new Map<string, Map<string, Pair>>();
  /**
   * How many references there are, by what their ids begin with. One counts as the call of a client's tool, but never
   * as that of a function.
   */
  readonly #references = new Map<string | undefined, number>();

  constructor(hearing: ResponsesHearing) {
    this.#hearing = hearing;
  }

  see(i: number, type: string, entry: JsonObject): void {
    if (type === 'message') return;
    if (CALLS.has(type)) {
      // What the server searched itself needs no answer of the client.
      if (type === 'tool_search_call' && entry.execution === 'server') return;
      const pair = this.#pairOf(type, entry.call_id);
      if (pair !== undefined && pair.call === NOWHERE) pair.call = i;
    } else if (type === 'item_reference') this.#noteReference(String(entry.id));
    else this.#answer(i, type, entry);
  }

  /** Takes in what stands before the input. */
  remember(chain: readonly unknown[]): void {
    for (const entry of chain) {
      if (!isObject(entry)) continue;
      const type = typeOf(entry);
      if (typeof type === 'string') this.see(CHAINED, type, entry);
    }
  }

  finish(chainUnknown: boolean): void {
    const breaches: Breach[] = [];
    for (const [type, pairs] of this.#pairs) {
      const words = CALLS.get(type)?.words ?? type;
      for (const [id, { call, answer }] of pairs) {
        if (answer === NOWHERE) {
          breaches.push({ i: call, row: 'or-call-answered', text: `No tool output found for ${words} ${id}.` });
        } else if (call === NOWHERE && answer !== CHAINED && !chainUnknown) {
          const referred = this.#claimReference(type);
          if (referred && type !== 'function_call') continue;
          const text = `No tool call found for ${words} output with call_id ${id}.`;
          breaches.push({ i: answer, row: referred ? 'or-reference' : 'or-output-orphan', text });
        }
      }
    }
    breaches.sort((a, b) => a.i - b.i);
    for (const { i, row, text } of breaches) {
      this.#hearing.docket.refuse(row, i === CHAINED ? '' : `/${i}`, ofInput(text));
    }
  }

  #answer(i: number, type: string, entry: JsonObject): void {
    const call = ANSWERS.get(type);
    if (call === undefined || (type === 'tool_search_output' && entry.execution === 'server')) return;
    // The published schema of this one type calls the field `id`, the server `call_id`.
    const id = entry.call_id ?? (type === 'local_shell_call_output' ? entry.id : undefined);
    const pair = this.#pairOf(call, id);
    if (pair !== undefined && pair.answer === NOWHERE) pair.answer = i;
  }

  #pairOf(type: string, id: unknown): Pair | undefined {
    if (typeof id !== 'string') return undefined;
    let pairs = this.#pairs.get(type);
    if (pairs === undefined) this.#pairs.set(type, (pairs = new Map<string, Pair>()));
    let pair = pairs.get(id);
    if (pair === undefined) pairs.set(id, (pair = { call: NOWHERE, answer: NOWHERE }));
    return pair;
  }

  #noteReference(id: string): void {
    const prefix = [...ID_PREFIXES.values()].find((each) => id.startsWith(`${each}_`));
    this.#references.set(prefix, (this.#references.get(prefix) ?? 0) + 1);
  }

  #claimReference(type: string): boolean {
    const prefix = ID_PREFIXES.get(type);
    const left = this.#references.get(prefix) ?? 0;
    this.#references.set(prefix, left - 1);
    return left > 0;
  }
}
