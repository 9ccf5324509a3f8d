import type { Refusal } from '@rethread/simulator';

import type { Output } from '../terminal/output.ts';
import { excerpt, visible } from '../terminal/visible.ts';
import { wrap } from '../terminal/wrap.ts';

const shownAtMost = 5;
const longestText = 600;
const longestPointer = 200;
const indent = '    ';

/** Prints what an API has against a request: the row, the place and the words, the one that it answers with first. */
export function printRefusals(refusals: readonly Refusal[], output: Output): void {
  for (const { row, pointer, text } of refusals.slice(0, shownAtMost)) {
    const place = pointer === '' ? 'the request' : excerpt(pointer, longestPointer);
    output.print(`${indent}${output.tone('bold', visible(row))} at ${output.tone('cyan', place)}`);
    output.print(`${indent}  ${wrap(excerpt(text, longestText), indent.length + 2, output.width)}`);
  }
  const rest = refusals.length - shownAtMost;
  if (rest > 0) output.print(output.tone('dim', `${indent}and ${rest} more`));
}
