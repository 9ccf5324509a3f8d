import { isObject, type JsonObject } from '../judges/docket.ts';
import type { KeptEntry, ResponseMemory } from '../judges/judge.ts';

interface Stored {
  readonly previous: string | undefined;
  readonly input: readonly unknown[];
  readonly output: readonly JsonObject[];
}

const KEPT = 1000;

/** The responses that the server stores, so that a later request can go on from one of them. */
export class StoredResponses implements ResponseMemory {
  readonly #responses = new Map<string, Stored>();
  readonly #entries = new Map<string, KeptEntry>();

  /** Keeps a response together with what it answered. */
  keep(id: string, body: JsonObject, output: readonly JsonObject[]): void {
    const previous = typeof body.previous_response_id === 'string' ? body.previous_response_id : undefined;
    this.#responses.set(id, { previous, input: inputOf(body), output });
    let reasoning: string | undefined;
    for (const [index, entry] of output.entries()) {
      const own = entry.type === 'reasoning';
      const follower = own ? idOf(output[index + 1]) : undefined;
      const kept = idOf(entry);
      if (kept !== undefined) {
        this.#entries.set(kept, { type: String(entry.type), reasoning: own ? undefined : reasoning, follower });
      }
      if (own) reasoning = kept;
    }
    if (this.#responses.size > KEPT) this.#forgetOldest();
  }

  entry(id: string): KeptEntry | undefined {
    return this.#entries.get(id);
  }

  chain(id: string): readonly unknown[] | undefined {
    const links: Stored[] = [];
    for (let at: string | undefined = id; at !== undefined; at = links.at(-1)?.previous) {
      const found = this.#responses.get(at);
      if (found === undefined) return links.length === 0 ? undefined : flat(links);
      links.push(found);
    }
    return flat(links);
  }

  #forgetOldest(): void {
    const [oldest] = this.#responses;
    if (oldest === undefined) return;
    const [id, { output }] = oldest;
    this.#responses.delete(id);
    for (const entry of output) this.#entries.delete(String(entry.id));
  }
}

const flat = (links: readonly Stored[]): unknown[] =>
  links.toReversed().flatMap(({ input, output }) => [...input, ...output]);

const idOf = (entry: JsonObject | undefined): string | undefined =>
  entry !== undefined && typeof entry.id === 'string' ? entry.id : undefined;

/** The input as a list; a bare string stands for one message of the user. */
export function inputOf(body: JsonObject): readonly unknown[] {
  const { input } = body;
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  return Array.isArray(input) ? input.filter(isObject) : [];
}
