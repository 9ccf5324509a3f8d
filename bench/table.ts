import { styleText } from 'node:util';
import type { Row } from './targets.ts';

const columns = ['row', 'what', 'size', 'ours', 'peer', 'ratio', 'bar', ''] as const;
const numeric = new Set<string>(['ours', 'peer', 'ratio', 'bar']);
const colours = { held: 'green', close: 'yellow', missed: 'red', shown: 'dim' } as const;

export function formatTable(rows: readonly Row[]): string {
  const cells = rows.map(({ id, what, on, ours, peer, ratio, bar, unit, verdict }) => [
    id,
    what,
    on,
    `${digits(ours)} ${unit}`.trim(),
    peer === undefined ? '' : digits(peer),
    ratio === undefined ? '' : digits(ratio),
    bar === undefined ? '' : `${bar.sense === 'most' ? '≤' : '≥'} ${digits(bar.value)}`,
    verdict === 'shown' ? '' : verdict,
  ]);
  const widths = columns.map((title, at) => Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const format = (row: readonly string[]): string =>
    row
      .map((cell, at) =>
        numeric.has(columns[at] ?? '') ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const lines = cells.map((row, at) => styleText(colours[rows[at]?.verdict ?? 'shown'], format(row)));
  return [format(columns), widths.map((width) => '-'.repeat(width)).join('  '), ...lines].join('\n');
}

/** Three digits that matter, without an exponent. */
function digits(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const places = value === 0 ? 0 : Math.min(3, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));
  return String(Number(value.toFixed(places)));
}
