import type { Message } from '../../model/part.ts';
import { isClientCall, isClientResult } from './batch.ts';

/** The order of a list in which calls stand before the results beside them, and which results that moves. */
export type Grouped = { readonly origin: readonly number[]; readonly moved: readonly number[] };

/** Where calls and results stand side by side, the calls first; what anybody says stays where it is. */
export function grouped(count: number, read: (index: number) => Message): Grouped {
  const origin: number[] = [];
  const moved: number[] = [];
  let results: number[] = [];
  let told = 0;
  const flush = (): void => {
    for (const each of results) origin.push(each);
    results = [];
    told = 0;
  };
  for (let index = 0; index < count; index += 1) {
    const { parts } = read(index);
    if (parts.length > 0 && parts.every(isClientResult)) results.push(index);
    else if (parts.length > 0 && parts.every(isClientCall)) {
      // Each result is told about once, by the first call that it has to let pass.
      for (const each of results.slice(told)) moved.push(each);
      told = results.length;
      origin.push(index);
    } else {
      flush();
      origin.push(index);
    }
  }
  flush();
  return { origin, moved };
}
