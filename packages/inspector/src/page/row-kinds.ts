import { ROW_KINDS, UNSENT_BIT, type RowKind } from '../api.ts';

/** What is known of every row before it is asked for: a byte each. */
export class RowKinds {
  readonly bytes: Uint8Array;

  constructor(base64: string) {
    this.bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
  }

  kind(row: number): RowKind {
    return ROW_KINDS[(this.bytes[row] ?? 0) & 7] ?? 'records';
  }

  isUnsent(row: number): boolean {
    return ((this.bytes[row] ?? 0) & UNSENT_BIT) !== 0;
  }

  /** About how many characters of text a row has. */
  characters(row: number): number {
    return 32 * (2 ** ((this.bytes[row] ?? 0) >> 4) - 1);
  }

  /** About how high a row is; it is measured when it is shown. */
  height(row: number, width: number): number {
    const kind = this.kind(row);
    if (kind === 'records') return 34;
    if (kind === 'mark' || kind === 'fault') return 60;
    const lines = this.characters(row) / Math.max(30, width / 8);
    return 62 + Math.min(22, lines) * 21;
  }

  /** The next turn from a row on, forwards or backwards. */
  turn(from: number, direction: 1 | -1): number | undefined {
    for (let row = from + direction; row >= 0 && row < this.bytes.length; row += direction) {
      if (this.kind(row) === 'user') return row;
    }
    return undefined;
  }
}
