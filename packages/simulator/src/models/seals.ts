import { createHash, createHmac } from 'node:crypto';

import type { ApiName } from '../apis/api.ts';
import { isObject, type JsonObject } from '../judges/docket.ts';
import type { SealCheck, Sealed, SealVerdict } from '../judges/seal-check.ts';
import { canonical } from './canonical.ts';
import { PrefixDigest } from './prefix-digest.ts';
import * as form from './seal-form.ts';
import { TurnSeals } from './turn-seals.ts';

/** What a seal is made for. */
export interface ToSeal {
  readonly api: ApiName;
  readonly model: string;
  readonly kind: form.SealKind;
  /**
   * What is known again: the words of reasoning, a call, the id of an item. What nobody can read, and what clients
   * put together anew, is sealed without it.
   */
  readonly content: unknown;
  /** The seal of the reasoning before this one. */
  readonly previous?: string | undefined;
  /** What stands before it in its reply. */
  readonly place?: form.SealPlace;
  /** The reply it belongs to, how many seals of it come before this one, and how many there are in all. */
  readonly among?: { readonly reply: string; readonly index: number; readonly total: number };
  /** The request that was answered and the number of its messages, where the model binds what stands before. */
  readonly around?: { readonly body: JsonObject; readonly length: number } | undefined;
}

/** Signs reasoning so that it is known again, and tells what was done to it meanwhile. */
export class Seals {
  readonly #secret: string;
  readonly #digest = new PrefixDigest();
  readonly #turns = new TurnSeals();
  readonly #binds: (model: string) => boolean;

  constructor(secret: string, binds: (model: string) => boolean = bindsPrefix) {
    this.#secret = secret;
    this.#binds = binds;
  }

  binds(model: string): boolean {
    return this.#binds(model);
  }

  seal({ api, model, kind, content, previous, place = 'first', among, around }: ToSeal): string {
    const bytes = form.blank();
    bytes[form.KIND] = form.KINDS[kind];
    bytes[form.PLACE] = form.PLACES[place];
    if (among !== undefined) {
      bytes.writeUInt16BE(Math.min(among.index, 0xffff), form.INDEX);
      bytes.writeUInt16BE(Math.min(among.total, 0xffff), form.TOTAL);
      form.write(bytes, form.REPLY, digest(among.reply));
    }
    form.write(bytes, form.MODEL, digest(readerOf(api, model)));
    if (content !== undefined) form.write(bytes, form.CONTENT, covered(content));
    if (around !== undefined) form.write(bytes, form.PREFIX, this.#digest.of(around.body, around.length));
    if (previous !== undefined) form.write(bytes, form.PREVIOUS, digest(previous));
    form.write(bytes, form.MAC, this.#mac(api, bytes));
    return bytes.toString('base64');
  }

  /** Given to the judge of one API, which knows no seal of another. */
  checkFor(api: ApiName): SealCheck {
    return (sealed) => this.#check(api, sealed);
  }

  #mac(api: ApiName, bytes: Buffer): Buffer {
    const mac = createHmac('sha256', this.#secret).update(`${api}\0`);
    return mac.update(bytes.subarray(0, form.MAC.at)).digest();
  }

  #check(api: ApiName, sealed: Sealed): SealVerdict {
    const { model = '' } = sealed;
    const bytes = form.read(sealed.seal);
    if (bytes === undefined || !form.holds(bytes, form.MAC, this.#mac(api, bytes))) return 'foreign';
    // Claude ignores what it cannot read; the others refuse what another of their models sealed.
    if (api !== 'anthropic-messages' && !form.holds(bytes, form.MODEL, digest(readerOf(api, model)))) return 'foreign';
    const content = contentOf(api, sealed);
    if (bytes[form.KIND] !== form.KINDS[kindOf(api, sealed.content)]) return 'changed';
    const known = content === undefined || form.isBlank(bytes, form.CONTENT);
    if (!known && !form.holds(bytes, form.CONTENT, covered(content))) return 'changed';
    if (sealed.latest === true && !(isInPlace(sealed, bytes) && this.#turns.isWhole(sealed, bytes))) return 'changed';
    return this.#binds(model) && !form.isBlank(bytes, form.PREFIX) ? this.#checkPrefix(sealed, bytes) : 'genuine';
  }

  #checkPrefix({ body, message, previous }: Sealed, bytes: Buffer): SealVerdict {
    if (!form.holds(bytes, form.PREFIX, this.#digest.of(body ?? {}, message))) return 'prefix-changed';
    // A leading run of reasoning may be dropped, so a seal without any before it has an unbroken chain.
    return previous === undefined || form.holds(bytes, form.PREVIOUS, digest(previous)) ? 'genuine' : 'chain-broken';
  }
}

/** Who can read a seal: OpenAI's models of one family read each other's, Gemini's models only their own. */
function readerOf(api: ApiName, model: string): string {
  if (api !== 'openai-responses') return model;
  return /(?:^|[/:])(gpt-\d+|o\d+)/.exec(model)?.[1] ?? model;
}

function kindOf(api: ApiName, content: unknown): form.SealKind {
  if (api === 'openai-responses') return 'item';
  if (api !== 'gemini') return content === undefined ? 'redacted' : 'thinking';
  if (isObject(content) && content.functionCall !== undefined) return 'call';
  return isObject(content) && content.text !== undefined ? 'text' : 'other';
}

/** What the seal must know again. The Responses API seals what it does not show, so the id of the item tells it. */
function contentOf(api: ApiName, { body, content, message, seal }: Sealed): unknown {
  if (api !== 'openai-responses') return content;
  const item: unknown = Array.isArray(body?.input) ? body.input[message] : undefined;
  return isObject(item) && item.encrypted_content === seal ? (item.id ?? undefined) : undefined;
}

/**
 * Claude models that accept their reasoning only behind the very conversation it was given in: Fable and Mythos from
 * 5.1 on, the others from 5.5 on.
 */
function bindsPrefix(model: string): boolean {
  const found = /claude-(fable|mythos|opus|sonnet|haiku)-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(model);
  if (found === null) return false;
  const version = Number(found[2]) * 100 + Number(found[3] ?? 0);
  return version >= (found[1] === 'fable' || found[1] === 'mythos' ? 501 : 505);
}

/** In the latest reply nothing may have come before reasoning that began it, nor be gone between two of them. */
function isInPlace({ before = [], previous }: Sealed, bytes: Buffer): boolean {
  const place = bytes[form.PLACE];
  if (place === form.PLACES.first) return before.length === 0;
  const neighbour = before.at(-1);
  const adjacent = isObject(neighbour) && (neighbour.type === 'thinking' || neighbour.type === 'redacted_thinking');
  if (adjacent !== (place === form.PLACES['after-reasoning'])) return false;
  return place === form.PLACES['after-others'] || (previous !== undefined && follows(bytes, previous));
}

const follows = (bytes: Buffer, previous: string): boolean => form.holds(bytes, form.PREVIOUS, digest(previous));

const digest = (words: string): Buffer => createHash('sha256').update(words).digest();

/** A call is known again by its tool and its arguments, whatever a client does to the fields beside them. */
function covered(content: unknown): Buffer {
  const called = isObject(content) && isObject(content.functionCall) ? content.functionCall : undefined;
  return digest(canonical(called === undefined ? content : [called.name, called.args ?? {}]));
}
