import type { JsonObject } from '../judges/docket.ts';
import { stopOf, type Reply, type ReplyPart, type Stop } from '../models/reply.ts';
import type { Seals, ToSeal } from '../models/seals.ts';
import type { ApiName } from './api.ts';
import type { Ids } from './ids.ts';

/** Token figures of one answer. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly reasoning: number;
}

interface Rendered {
  readonly n: number;
  readonly api: ApiName;
  readonly ids: Ids;
  readonly reply: Reply;
  readonly body: JsonObject;
  readonly model: string;
  readonly bodyBytes: number;
  readonly seals: Seals;
  readonly createdMs: number;
}

/** A reply on its way to the wire: ids, token figures and seals are made here, the same for JSON and stream. */
export class Rendering {
  readonly reply: Reply;
  readonly body: JsonObject;
  readonly model: string;
  readonly stop: Stop;
  readonly usage: Usage;
  /** Seconds, as the APIs write it. */
  readonly created: number;
  readonly #n: number;
  readonly #api: ApiName;
  readonly #ids: Ids;
  readonly #seals: Seals;

  constructor(rendered: Rendered) {
    this.reply = rendered.reply;
    this.body = rendered.body;
    this.model = rendered.model;
    this.stop = stopOf(rendered.reply);
    this.usage = usageOf(rendered.reply, rendered.bodyBytes);
    this.created = Math.floor(rendered.createdMs / 1000);
    this.#n = rendered.n;
    this.#api = rendered.api;
    this.#ids = rendered.ids;
    this.#seals = rendered.seals;
  }

  /** An id that no other request and no other part of this reply has. */
  id(prefix: string, index = 0): string {
    return this.#ids.id(prefix, this.#n, index);
  }

  get bindsPrefix(): boolean {
    return this.#seals.binds(this.model);
  }

  seal(toSeal: Omit<ToSeal, 'model' | 'api'>): string {
    return this.#seals.seal({ api: this.#api, model: this.model, ...toSeal });
  }
}

const CHARACTERS_PER_TOKEN = 4;

export const tokensIn = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

function usageOf({ parts, usage }: Reply, bodyBytes: number): Usage {
  const cached = Math.max(0, usage?.cached ?? 0);
  const input = usage?.input ?? Math.max(tokensIn(bodyBytes), cached);
  const reasoning = Math.max(0, usage?.reasoning ?? tokensIn(count(parts, true)));
  const output = usage?.output ?? Math.max(1, tokensIn(count(parts, false)) + reasoning);
  // What is a share of another figure is no more than that: clients subtract one from the other.
  return { input, output, reasoning: Math.min(reasoning, output), cached: Math.min(cached, input) };
}

function count(parts: readonly ReplyPart[], reasoning: boolean): number {
  let characters = 0;
  for (const part of parts) {
    if ((part.kind === 'reasoning') !== reasoning) continue;
    if (part.kind === 'call') characters += 2 * part.tool.length + 40;
    else if (part.kind !== 'opaque') characters += part.text.length;
  }
  return characters;
}
