import type { SealCheck } from './seal-check.ts';

/** One reason why a provider would refuse the input. */
export interface Refusal extends Said {
  /** Row of CONTRACTS.md, or `shape` for input that cannot be read as this dialect at all. */
  readonly row: string;
  /** JSON pointer into the input as it was given. */
  readonly pointer: string;
}

/** What the provider answers: its words, and what its error envelope holds beside them. */
export interface Said {
  /** The provider's own words, with ids and indexes filled in. */
  readonly text: string;
  /** HTTP status; 400 when absent. */
  readonly status?: number;
  readonly type?: string;
  readonly code?: string | null;
  readonly param?: string | null;
  /** What a client reads instead of the words to decide what to do next. */
  readonly details?: JsonObject;
}

export type Purpose = 'history' | 'request';
export type JsonObject = Readonly<Record<string, unknown>>;

/** What a dialect's judge is asked to look at. */
export interface Matter {
  /** The messages, items or contents. */
  readonly list: readonly unknown[];
  /** The request around the list, where one was given. */
  readonly body: JsonObject | undefined;
  readonly purpose: Purpose;
  readonly model: string | undefined;
  /** How a model is read whose name says nothing: strictly or leniently. */
  readonly strict: boolean;
  /** Whether the body is all that was sent, so that what lies beside the list is judged as well. */
  readonly whole: boolean;
  readonly seals: SealCheck | undefined;
}

/** Collects refusals; places are given relative to the list. */
export class Docket<Row extends string = string> {
  readonly refusals: Refusal[] = [];
  /** Whether the list was given as its only entry, so that no index leads to that. */
  lone = false;
  readonly #root: string;
  readonly #disabled: ReadonlySet<string>;

  constructor(root: string, disabled: ReadonlySet<string>) {
    this.#root = root;
    this.#disabled = disabled;
  }

  refuse(row: Row, pointer: string, said: string | Said): void {
    const below = this.lone && pointer.startsWith('/0') ? pointer.slice(2) : pointer;
    this.refuseOutside(row, this.#root + below, said);
  }

  /** For what lies outside the list, such as the declared tools of a body. */
  refuseOutside(row: Row, pointer: string, said: string | Said): void {
    if (this.#disabled.has(row)) return;
    this.refusals.push(typeof said === 'string' ? { row, text: said, pointer } : { row, ...said, pointer });
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Providers count code points, so a string that is long only in UTF-16 units is measured again. */
export function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || [...text].length > limit);
}

const PLAIN = new Uint8Array(128);
for (const plain of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-') PLAIN[plain.charCodeAt(0)] = 1;

/** Whether a string is made of letters, digits, `_` and `-`, at least one of them: what providers allow in names. */
export function isPlainName(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (PLAIN[text.charCodeAt(i)] !== 1) return false;
  return text !== '';
}
