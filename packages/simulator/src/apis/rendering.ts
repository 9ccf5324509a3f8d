import type { JsonObject } from '../judges/docket.ts';
import { stopOf, type Reply, type ReplyPart, type Stop } from '../models/reply.ts';
import type { Seals, ToSeal } from '../models/seals.ts';

/** Token figures of one answer. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly reasoning: number;
}

interface Rendered {
  readonly n: number;
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
  readonly #seals: Seals;

  constructor(rendered: Rendered) {
    this.reply = rendered.reply;
    this.body = rendered.body;
    this.model = rendered.model;
    this.stop = stopOf(rendered.reply);
    this.usage = usageOf(rendered.reply, rendered.bodyBytes);
    this.created = Math.floor(rendered.createdMs / 1000);
    this.#n = rendered.n;
    this.#seals = rendered.seals;
  }

  /** An id that no other request and no other part of this reply has. */
  id(prefix: string, index = 0): string {
    return numberedId(prefix, this.#n, index);
  }

  get bindsPrefix(): boolean {
    return this.#seals.binds(this.model);
  }

  seal(toSeal: Omit<ToSeal, 'model'>): string {
    return this.#seals.seal({ model: this.model, ...toSeal });
  }
}

const ID_DIGITS = 22;

export function numberedId(prefix: string, n: number, index: number): string {
  return prefix + String(n * 1000 + index).padStart(ID_DIGITS, '0');
}

const CHARACTERS_PER_TOKEN = 4;

export const tokensIn = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

function usageOf({ parts, usage }: Reply, bodyBytes: number): Usage {
  const input = usage?.input ?? tokensIn(bodyBytes);
  const reasoning = usage?.reasoning ?? tokensIn(count(parts, true));
  const output = usage?.output ?? Math.max(1, tokensIn(count(parts, false)) + reasoning);
  return { input, output, reasoning, cached: usage?.cached ?? 0 };
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
