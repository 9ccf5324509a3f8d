import type { Tip } from './line.ts';
import { BackwardScan, type Seen } from './scan.ts';
import type { View } from './view.ts';

/** Operations are looked for in so many of the newest records. */
const remembered = 20_000;

/** The operations of the newest records, each with the head that it made. */
export function findOps({ source, header }: View, end: Tip): Map<string, number> {
  const ops = new Map<string, number>();
  const scan = new BackwardScan(source, end, header.tip.offset);
  const seen = { count: 0 };
  const note = ({ meta, fields }: Seen): void => {
    seen.count += 1;
    if (meta?.op !== undefined && !ops.has(meta.op)) ops.set(meta.op, fields.seq);
  };
  while (seen.count < remembered && scan.step(note));
  return ops;
}
