import type { Tip } from './line.ts';
import { Operations, rememberedRecords } from './operations.ts';
import { BackwardScan, type Seen } from './scan.ts';
import type { View } from './view.ts';

/** The operations of the newest records, each with the head that it made. */
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
