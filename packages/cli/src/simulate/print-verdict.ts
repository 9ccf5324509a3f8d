import type { Verdict } from '@rethread/simulator';

import type { Output } from '../terminal/output.ts';
import { excerpt, visible } from '../terminal/visible.ts';
import { printRefusals } from './print-refusals.ts';

const longestName = 120;

/** Prints what became of one request as soon as it is decided. */
export function printVerdict(verdict: Verdict, output: Output): void {
  const { n, accepted, api, method, path, status, model, streaming, fault, refusals } = verdict;
  const word = accepted ? output.tone('green', 'accepted') : output.tone('red', 'refused ');
  const facts = [
    status === 0 ? 'closed' : String(status),
    api,
    `${visible(method)} ${excerpt(path, longestName)}`,
    ...(model === undefined ? [] : [excerpt(model, longestName)]),
    ...(streaming ? ['streaming'] : []),
  ];
  const befell = fault === undefined ? '' : `  ${output.tone('yellow', `fault: ${visible(fault)}`)}`;
  output.print(`${output.tone('bold', `#${n}`)}  ${word}  ${facts.join('  ')}${befell}`);
  printRefusals(refusals, output);
}
