import { isObject, type JsonObject } from '../judges/docket.ts';
import type { Sealed } from '../judges/seal-check.ts';
import * as form from './seal-form.ts';

/** Tells whether the latest turn still has all the reasoning of each reply in it, in the order it was given. */
export class TurnSeals {
  /** The seals of each reply in the latest turn of a request, by their numbers; read once for all of them. */
  readonly #known = new WeakMap<JsonObject, ReadonlyMap<string, readonly number[]>>();

  isWhole({ body, message }: Sealed, bytes: Buffer): boolean {
    const total = bytes.readUInt16BE(form.TOTAL);
    if (body === undefined || total === 0) return true;
    let replies = this.#known.get(body);
    if (replies === undefined) {
      replies = repliesOf(turnOf(body, message));
      this.#known.set(body, replies);
    }
    const numbers = replies.get(form.shown(bytes, form.REPLY)) ?? [];
    return numbers.length === total && numbers.every((number, index) => number === index);
  }
}

/** The parts of the turn this message belongs to: neighbouring messages of the assistant are one turn. */
function turnOf(body: JsonObject, message: number): unknown[] {
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  let first = message;
  while (first > 0 && isAssistant(messages[first - 1])) first--;
  const parts: unknown[] = [];
  for (let i = first; i < messages.length; i++) {
    const each = messages[i];
    if (!isAssistant(each)) break;
    if (Array.isArray(each.content)) for (const part of each.content) parts.push(part);
  }
  return parts;
}

const isAssistant = (message: unknown): message is JsonObject => isObject(message) && message.role === 'assistant';

function repliesOf(parts: readonly unknown[]): Map<string, number[]> {
  const replies = new Map<string, number[]>();
  for (const part of parts) {
    if (!isObject(part)) continue;
    const seal = part.type === 'thinking' ? part.signature : part.type === 'redacted_thinking' ? part.data : undefined;
    const bytes = typeof seal === 'string' ? form.read(seal) : undefined;
    if (bytes === undefined) continue;
    const reply = form.shown(bytes, form.REPLY);
    const numbers = replies.get(reply);
    if (numbers === undefined) replies.set(reply, [bytes.readUInt16BE(form.INDEX)]);
    else numbers.push(bytes.readUInt16BE(form.INDEX));
  }
  return replies;
}
