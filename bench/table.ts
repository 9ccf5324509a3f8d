import { styleText } from 'node:util';
import type { ImportCosts } from './import-cost.ts';
import type { PeerTimings } from './peers.ts';
import type { Row, Verdict } from './verdicts.ts';

type Align = 'left' | 'right';

const verdictStyle = { pass: 'green', miss: 'red', shown: 'dim' } as const satisfies Record<Verdict, string>;

export function formatTargets(rows: readonly Row[]): string {
  const cells = rows.map(({ id, what, on, value, unit, bar, sense, verdict }) => {
    const measured = `${formatNumber(value)} ${unit}`.trim();
    const limit = bar === undefined ? '' : `${sense === undefined ? '' : '≥ '}${formatNumber(bar)}`;
    return [id, what, on, measured, limit, verdict];
  });
  const lines = formatTable(['', 'what', 'on', 'measured', 'bar', 'verdict'], cells, [
    'left',
    'left',
    'left',
    'right',
    'right',
    'left',
  ]);
  return lines
    .map((line, index) => {
      const verdict = rows[index - 2]?.verdict;
      return verdict === undefined ? line : styleText(verdictStyle[verdict], line);
    })
    .join('\n');
}

export function formatPeers({ messages, faults, rows }: PeerTimings, imports: ImportCosts): string {
  const cells = rows.map(({ name, time, timesJsonParse, growth, faultsLeft }) => [
    name,
    formatNumber(time.min),
    formatNumber(timesJsonParse),
    formatNumber(growth),
    faultsLeft === undefined ? '' : String(faultsLeft),
  ]);
  const header = [
    `${messages} messages of openai-chat`,
    'min ms',
    '× JSON.parse',
    'growth',
    `faults left of ${faults}`,
  ];
  const imported = [...imports.ours, ...imports.peers].map(({ name, ms, rssMegabytes }) => {
    return [name, formatNumber(ms), formatNumber(rssMegabytes)];
  });
  return [
    ...formatTable(header, cells, ['left', 'right', 'right', 'right', 'right']),
    'The shapes of ai cannot hold orphans, duplicates or late results: the adapter lost them before the peer saw them.',
    'trimMessages keeps only the newest 128k tokens; its faults are those of the part that it kept.',
    '',
    ...formatTable(['import of', 'ms', 'MB'], imported, ['left', 'right', 'right']),
  ].join('\n');
}

function formatTable(header: readonly string[], rows: readonly string[][], aligns: readonly Align[]): string[] {
  const widths = header.map((title, column) => {
    return Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0));
  });
  const format = (row: readonly string[]): string => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return aligns[column] === 'right' ? cell.padStart(width) : cell.padEnd(width);
    });
    return cells.join('  ').trimEnd();
  };
  return [format(header), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(format)];
}

/** Three digits that matter, without an exponent. */
function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value
    .toFixed(Math.min(digits, 3))
    .replace(/(\.\d*?)0+$/u, '$1')
    .replace(/\.$/u, '');
}
