import type { ExchangeEntry } from '@rethread/server';

import type { Output } from '../terminal/output.ts';
import { excerpt, visible } from '../terminal/visible.ts';

const longestName = 120;

type Tone = Parameters<Output['tone']>[0];

const TONES: Readonly<Record<ExchangeEntry['ending'], Tone>> = {
  passed: 'dim',
  repaired: 'green',
  'repaired-after-refusal': 'green',
  failed: 'red',
  aborted: 'yellow',
  'turned-away': 'red',
};

/** The lines that tell of one exchange: what became of it, and what was repaired. */
export function formatExchange(entry: ExchangeEntry, output: Output): string[] {
  const { id, ending, status, method, path, model, totalMs, reason, repairs = [], refusal } = entry;
  const facts = [
    status === undefined ? '---' : String(status),
    `${visible(method)} ${excerpt(path, longestName)}`,
    ...(model === undefined ? [] : [excerpt(model, longestName)]),
    `${Math.round(totalMs)} ms`,
    ...(reason === undefined ? [] : [excerpt(reason, longestName)]),
  ];
  return [
    `${output.tone('bold', `#${id}`)}  ${output.tone(TONES[ending], ending)}  ${facts.join('  ')}`,
    ...repairs.map(({ rule, action, pointer }) => `    ${action} ${output.tone('bold', rule)} at ${visible(pointer)}`),
    ...(refusal === undefined ? [] : [`    refused: ${excerpt(refusal, longestName)}`]),
  ];
}
