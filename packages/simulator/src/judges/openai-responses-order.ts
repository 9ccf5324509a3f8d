import { isObject, type JsonObject } from './docket.ts';
import { idOf, isByClient, isReasoning, typeOf } from './openai-responses-entries.ts';
import type { ResponsesHearing } from './openai-responses-rows.ts';
import { ofInput } from './openai-responses-words.ts';

/** Holds reasoning against the items it was made with: what must follow it, and what it must stand before. */
export class ReasoningOrder {
  readonly #hearing: ResponsesHearing;
  /** The reasoning item whose following item has not come yet. */
  #waiting: { readonly i: number; readonly entry: JsonObject; readonly id: string } | undefined;
  /** Reasoning met since the client last wrote something. */
  readonly #run = new Set<string>();
  #runReasons = false;
  readonly #met = new Set<string>();
  readonly #programs = new Set<unknown>();
  /** Outputs of programs that have not been met, by index. */
  readonly #printed = new Map<number, unknown>();
  /** A reference does not say what it refers to. */
  #refers = false;

  constructor(hearing: ResponsesHearing) {
    this.#hearing = hearing;
  }

  see(i: number, type: string, entry: JsonObject): void {
    const id = idOf(entry);
    const byClient = isByClient(type, entry);
    const reasoning = isReasoning(type, entry);
    this.#notePrograms(i, type, entry);
    if (this.#waiting !== undefined) this.#follow(id, byClient, reasoning);
    if (byClient) this.#breakRun();
    else if (reasoning) {
      this.#meet(id);
      if (id !== undefined) this.#waiting ??= { i, entry, id };
    } else if (type === 'program') this.#judgeProgram(i, entry, id);
    else if (id !== undefined) this.#judgeOrigin(i, type, id);
  }

  /** Takes in what stands before the input. */
  remember(chain: readonly unknown[]): void {
    for (const entry of chain) {
      const type = isObject(entry) ? typeOf(entry) : undefined;
      if (!isObject(entry) || typeof type !== 'string') continue;
      if (type === 'program') this.#programs.add(entry.call_id);
      if (isByClient(type, entry)) this.#breakRun();
      else if (isReasoning(type, entry)) this.#meet(idOf(entry));
    }
  }

  finish(chainUnknown: boolean): void {
    if (this.#waiting !== undefined) this.#refuseWaiting();
    if (chainUnknown || this.#refers) return;
    for (const [i, id] of this.#printed) {
      const text = `No tool call found for program output with call_id ${String(id)}.`;
      this.#hearing.docket.refuse('or-program', `/${i}`, ofInput(text));
    }
  }

  #notePrograms(i: number, type: string, entry: JsonObject): void {
    if (type === 'program') this.#programs.add(entry.call_id);
    else if (type === 'item_reference') this.#refers ||= !isReasoning(type, entry);
    else if (type === 'program_output' && !this.#programs.has(entry.call_id)) this.#printed.set(i, entry.call_id);
  }

  #breakRun(): void {
    if (!this.#runReasons) return;
    this.#runReasons = false;
    this.#run.clear();
  }

  #meet(id: string | undefined): void {
    this.#runReasons = true;
    if (id === undefined) return;
    this.#run.add(id);
    this.#met.add(id);
  }

  #follow(id: string | undefined, byClient: boolean, reasoning: boolean): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    const wanted = this.#hearing.matter.memory?.entry(waiting.id)?.follower;
    const fits =
      wanted === undefined
        ? !byClient && (reasoning || id !== undefined || this.#isUnstored(waiting.entry))
        : id === wanted;
    if (!fits) this.#refuseWaiting();
    // Reasoning after reasoning leaves the first of them waiting for what both led to.
    else if (!reasoning || wanted !== undefined) this.#waiting = undefined;
  }

  /** What was never stored has no id to be known by: clients then send the items that follow without theirs. */
  #isUnstored(entry: JsonObject): boolean {
    return this.#hearing.matter.body?.store === false && typeof entry.encrypted_content === 'string';
  }

  #refuseWaiting(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    this.#waiting = undefined;
    this.#hearing.docket.refuse(
      'or-reason-follow',
      `/${waiting.i}`,
      ofInput(`Item '${waiting.id}' of type 'reasoning' was provided without its required following item.`),
    );
  }

  #judgeOrigin(i: number, type: string, id: string): void {
    const kept = this.#hearing.matter.memory?.entry(id);
    const reasoning = kept?.reasoning;
    if (reasoning === undefined || this.#run.has(reasoning)) return;
    const row = this.#met.has(reasoning) ? 'or-parallel-order' : 'or-needs-reason';
    this.#hearing.docket.refuse(row, `/${i}`, ofInput(withoutReasoning({ id, type: kept?.type ?? type, reasoning })));
  }

  /** Programs are always made with reasoning, so its absence shows even to one who did not make them. */
  #judgeProgram(i: number, entry: JsonObject, id: string | undefined): void {
    if (this.#runReasons) return;
    const reasoning = id === undefined ? undefined : this.#hearing.matter.memory?.entry(id)?.reasoning;
    const text = withoutReasoning({ id: id ?? String(entry.call_id), type: 'program', reasoning });
    this.#hearing.docket.refuse('or-program', `/${i}`, ofInput(text));
  }
}

interface Bereft {
  readonly id: string;
  readonly type: string;
  readonly reasoning: string | undefined;
}

function withoutReasoning({ id, type, reasoning }: Bereft): string {
  const text = `Item '${id}' of type '${type}' was provided without its required 'reasoning' item`;
  return reasoning === undefined ? `${text}.` : `${text}: '${reasoning}'.`;
}
