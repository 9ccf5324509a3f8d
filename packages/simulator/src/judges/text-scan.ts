import type { JsonObject } from './docket.ts';

const SHALLOW = 200;
const FLAWLESS: readonly Flaw[] = [];

/** Something that cannot be written as strict JSON. */
export interface Flaw {
  readonly row: 'shape' | 'an-json-utf16';
  readonly pointer: string;
  readonly text: string;
}

/** Walks JSON and notes its size, lone surrogates, and what JSON cannot carry. */
export class TextScan {
  /** Upper bound of the number of characters of the JSON text, escapes not counted. */
  units = 0;
  lone = false;
  /** Set when the value is cyclic or holds something JSON has no form for. */
  unreadable = false;
  #deep = false;

  scan(value: unknown): void {
    if (typeof value === 'string') this.text(value);
    else if (typeof value !== 'object' || value === null) this.#scalar(value);
    else {
      this.#deep = false;
      this.#visit(value, 0);
      if (this.#deep) this.#scanDeep(value);
    }
  }

  /** Notes a string that is known to be one, which is what most of a history is. */
  text(text: string): void {
    this.units += text.length + 4;
    if (!text.isWellFormed()) this.lone = true;
  }

  /** Scans one field of a body and gives what no JSON text can carry of it. */
  field(key: string, value: unknown): readonly Flaw[] {
    this.text(key);
    this.scan(value);
    // A function has no JSON, but is left out in silence.
    this.unreadable &&= jsonBytes(value) === undefined;
    if (!this.unreadable && !this.lone) return FLAWLESS;
    const flaws: Flaw[] = [];
    const pointer = `/${escapeToken(key)}`;
    if (this.unreadable) flaws.push({ row: 'shape', pointer, text: `${key}: cannot be written as JSON` });
    if (this.lone) {
      const below = key.isWellFormed() ? (findLone(value) ?? '') : '';
      flaws.push({ row: 'an-json-utf16', pointer: pointer + below, text: 'no low surrogate in string' });
    }
    this.unreadable = false;
    this.lone = false;
    return flaws;
  }

  #visit(value: unknown, depth: number): void {
    if (typeof value === 'string') {
      this.text(value);
    } else if (typeof value === 'object' && value !== null) {
      if (depth > SHALLOW) {
        this.#deep = true;
        return;
      }
      if (Array.isArray(value)) {
        for (let i = 0; i < value.length && !this.#deep; i++) this.#visit(value[i], depth + 1);
      } else {
        for (const key in value) {
          if (this.#deep) return;
          this.text(key);
          this.#visit((value as JsonObject)[key], depth + 1);
        }
      }
    } else this.#scalar(value);
  }

  /** Deep or cyclic values cannot be walked by recursion; an explicit stack of open containers finds a cycle. */
  #scanDeep(root: unknown): void {
    const open = new Set<object>();
    const stack: { readonly value: unknown; readonly leave: boolean }[] = [{ value: root, leave: false }];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const { value, leave } = top;
      if (typeof value !== 'object' || value === null) {
        if (typeof value === 'string') this.text(value);
        else this.#scalar(value);
      } else if (leave) {
        open.delete(value);
      } else if (open.has(value)) {
        this.unreadable = true;
        return;
      } else {
        open.add(value);
        stack.push({ value, leave: true });
        for (const [key, child] of Object.entries(value)) {
          if (!Array.isArray(value)) this.text(key);
          stack.push({ value: child, leave: false });
        }
      }
    }
  }

  #scalar(value: unknown): void {
    this.units += 24;
    if (typeof value === 'bigint') this.unreadable = true;
  }
}

/** A key as a JSON pointer writes it. */
export const escapeToken = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');

/** The pointer, below `value`, of the first string or key with a lone surrogate. */
export function findLone(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : '';
  if (typeof value !== 'object' || value === null || depth > SHALLOW) return undefined;
  for (const [key, child] of Object.entries(value)) {
    const below = key.isWellFormed() ? findLone(child, depth + 1) : '';
    if (below !== undefined) return `/${escapeToken(key)}${below}`;
  }
  return undefined;
}

/** What of a body no JSON text can carry, beside the field that holds its list. */
export function flawsBeside(body: JsonObject, list: string): Flaw[] {
  const scan = new TextScan();
  const flaws: Flaw[] = [];
  for (const key in body) {
    if (key === list) continue;
    flaws.push(...scan.field(key, body[key]));
  }
  return flaws;
}

/** Bytes of the UTF-8 JSON text, or undefined when the value cannot be written as JSON. */
export function jsonBytes(value: unknown): number | undefined {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch {
    return undefined;
  }
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A surrogate pair is four bytes for two units, any other unit above 0x7ff three bytes for one.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
