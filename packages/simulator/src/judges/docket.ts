/** One reason why a provider would refuse the input. */
export interface Refusal {
  /** Row of CONTRACTS.md, or `shape` for input that cannot be read as this dialect at all. */
  readonly row: string;
  /** The provider's own words, with ids and indexes filled in. */
  readonly text: string;
  /** JSON pointer into the input as it was given. */
  readonly pointer: string;
}

export type Purpose = 'history' | 'request';
export type JsonObject = Readonly<Record<string, unknown>>;

/** What a dialect's judge is asked to look at. */
export interface Matter {
  readonly messages: readonly unknown[];
  readonly body: JsonObject | undefined;
  readonly purpose: Purpose;
  readonly model: string | undefined;
}

/** Collects refusals; places are given relative to the list of messages. */
export class Docket<Row extends string = string> {
  readonly refusals: Refusal[] = [];
  readonly #root: string;
  readonly #disabled: ReadonlySet<string>;

  constructor(root: string, disabled: ReadonlySet<string>) {
    this.#root = root;
    this.#disabled = disabled;
  }

  refuse(row: Row, pointer: string, text: string): void {
    if (!this.#disabled.has(row)) this.refusals.push({ row, text, pointer: this.#root + pointer });
  }

  /** For what lies outside the list, such as the declared tools of a body. */
  refuseOutside(row: Row, pointer: string, text: string): void {
    if (!this.#disabled.has(row)) this.refusals.push({ row, text, pointer });
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Providers count code points, so a string that is long only in UTF-16 units is measured again. */
export function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || [...text].length > limit);
}
