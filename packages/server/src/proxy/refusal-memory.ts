import type { RequestBody } from '@rethread/adapters/request';
import { createHash } from 'node:crypto';

/** The part of a judgement that tells conversations apart. */
type Spoken = {
  readonly upstream: string;
  readonly dialect: string;
  readonly model: string | undefined;
  readonly body: RequestBody;
};

type Remembered = { readonly count: number; readonly digest: string; readonly refusal: string };

const LISTS = ['messages', 'input', 'contents'] as const;

/** The messages of a request. */
export function listIn(body: RequestBody): readonly unknown[] | undefined {
  for (const name of LISTS) {
    const list = body[name];
    if (Array.isArray(list)) return list as readonly unknown[];
  }
  return undefined;
}

/** Marks that clients move from message to message in every request. */
const MOVING: ReadonlySet<string> = new Set(['cache_control', 'cachePoint', 'prompt_cache_breakpoint']);

/** Remembers how the beginning of a history was refused, so that later requests need not be refused for it again. */
export class RefusalMemory {
  readonly #conversations = new Map<string, Remembered[]>();
  readonly #most: number;

  constructor(most = 1000) {
    this.#most = most;
  }

  /** Remembers a refusal that was answered with success, for histories that begin with `count` messages of this one. */
  remember(spoken: Spoken, refusal: string, count: number): void {
    const list = listIn(spoken.body);
    if (list === undefined || count === 0) return;
    const name = nameOf(spoken, list);
    const known = this.#conversations.get(name) ?? [];
    const entry = { count, digest: digestOf(list.slice(0, count)), refusal };
    // The newest conversation is the last one to be forgotten.
    this.#conversations.delete(name);
    this.#conversations.set(name, [...known.filter(({ digest }) => digest !== entry.digest), entry].slice(-16));
    const [oldest] = this.#conversations.keys();
    if (this.#conversations.size > this.#most && oldest !== undefined) this.#conversations.delete(oldest);
  }

  /** How the beginning of this history was refused before. */
  refusalOf(spoken: Spoken): string | undefined {
    const list = this.#conversations.size === 0 ? undefined : listIn(spoken.body);
    if (list === undefined) return undefined;
    const known = this.#conversations.get(nameOf(spoken, list));
    return known?.find(({ count, digest }) => count <= list.length && digestOf(list.slice(0, count)) === digest)
      ?.refusal;
  }
}

function nameOf({ upstream, dialect, model }: Spoken, list: readonly unknown[]): string {
  return JSON.stringify([upstream, dialect, model, digestOf(list.slice(0, 1))]);
}

function digestOf(messages: readonly unknown[]): string {
  const text = JSON.stringify(messages, (key, value: unknown) => (MOVING.has(key) ? undefined : value));
  return createHash('sha256').update(text).digest('base64');
}
