import type { Tip } from './line.ts';
import { BackwardScan, type Seen } from './scan.ts';
import type { View } from './log-view.ts';

/** Operations are remembered for this many of the newest records. */
export const rememberedRecords = 20_000;

/** Operations and their heads. Old ones are dropped from time to time. */
export class Operations {
  readonly #heads = new Map<string, number>();

  get size(): number {
    return this.#heads.size;
  }

  get(op: string): number | undefined {
    return this.#heads.get(op);
  }

  add(op: string, head: number): void {
    this.#heads.set(op, head);
    if (this.#heads.size > 2 * rememberedRecords) this.#dropBefore(head - rememberedRecords);
  }

  delete(op: string): void {
    this.#heads.delete(op);
  }

  /** Each record has at most one operation, so this runs rarely. */
  #dropBefore(head: number): void {
    for (const [op, made] of this.#heads) if (made <= head) this.#heads.delete(op);
  }
}

/** Reads the operations of the newest records. */
export function findOperations({ source, header }: View, end: Tip): Operations {
  const operations = new Operations();
  const scan = new BackwardScan(source, end, header.tip.offset);
  const seen = { count: 0 };
  const note = ({ meta, fields }: Seen): boolean => {
    seen.count += 1;
    if (meta?.op !== undefined && operations.get(meta.op) === undefined) operations.add(meta.op, fields.seq);
    return true;
  };
  while (seen.count < rememberedRecords && scan.step(note));
  return operations;
}
