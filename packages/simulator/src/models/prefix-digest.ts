import { createHash, type Hash } from 'node:crypto';

import { isObject, type JsonObject } from '../judges/docket.ts';
import { canonical } from './canonical.ts';

interface Running {
  readonly hash: Hash;
  /** Digest of everything before the message with this index. */
  readonly before: Buffer[];
  role: unknown;
}

/** Digests of what stands before each message of a request, computed once for all reasoning in it. */
export class PrefixDigest {
  readonly #known = new WeakMap<JsonObject, Running>();

  /** Digest of the system prompt, the tools and the first messages of a body. */
  of(body: JsonObject, length: number): Buffer {
    const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
    let running = this.#known.get(body);
    if (running === undefined) {
      running = begin(body);
      this.#known.set(body, running);
    }
    // A turn that was paused and goes on may be one message or several, so its own beginning is no part of the prefix.
    let end = Math.min(length, messages.length);
    while (end > 0 && roleOf(messages[end - 1]) === 'assistant') end--;
    for (let i = running.before.length; i <= end; i++) running.before.push(extend(running, messages[i - 1]));
    return running.before[end] ?? Buffer.alloc(0);
  }
}

function begin(body: JsonObject): Running {
  const hash = createHash('sha256');
  hash.update(canonical([partsOf(body.system), body.tools ?? []], 'cache_control'));
  return { hash, before: [hash.copy().digest()], role: undefined };
}

const roleOf = (message: unknown): unknown => (isObject(message) ? message.role : undefined);

function extend(running: Running, message: unknown): Buffer {
  const role = roleOf(message);
  // Neighbours of one role are one turn to the provider, whether they come as one message or as two.
  if (role !== running.role) running.hash.update(`\n${String(role)}\n`);
  running.role = role;
  for (const part of partsOf(isObject(message) ? message.content : undefined)) {
    // Reasoning has a chain of its own, whose beginning may be dropped.
    if (isObject(part) && (part.type === 'thinking' || part.type === 'redacted_thinking')) continue;
    running.hash.update(canonical(part, 'cache_control'));
  }
  return running.hash.copy().digest();
}

function partsOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === 'string' ? [{ type: 'text', text: content }] : [];
}
