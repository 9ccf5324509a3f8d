import { SESSION_VERDICTS, type SessionVerdict } from '@rethread/formats';

import { verdictTones } from '../doctor/session-words.ts';
import { plural } from '../plural.ts';
import { bytesText, shareText, spanText } from '../terminal/amounts.ts';
import { columnsOf } from '../terminal/columns.ts';
import { fit, pad, padLeft } from '../terminal/fit.ts';
import type { Output } from '../terminal/output.ts';
import { excerpt, visible } from '../terminal/visible.ts';
import type { JudgedSession } from './judged-session.ts';
import { shortId } from './session-argument.ts';

/** What a row of the table tells of a session. */
export type Row = Pick<JudgedSession, 'name' | 'path' | 'tool' | 'bytes' | 'modified'> & {
  readonly id?: string;
  readonly title?: string;
  readonly turns: number;
  readonly verdict: SessionVerdict;
  readonly share: number;
};

export const rowOf = ({ judgement, name, path, tool, bytes, modified, id, title }: JudgedSession): Row => ({
  name,
  path,
  tool,
  bytes,
  modified,
  ...(id === undefined ? {} : { id }),
  ...(title === undefined ? {} : { title }),
  turns: judgement.turns,
  verdict: judgement.verdict,
  share: judgement.survival.share,
});

interface Column {
  readonly name: string;
  readonly cell: (row: Row, now: number) => string;
  readonly isNumber?: true;
}

const tool: Column = { name: 'tool', cell: (row) => visible(row.tool) };
const id: Column = {
  name: 'id',
  cell: (row) => (row.id === undefined || row.id === row.path ? '-' : visible(shortId(row.id)).slice(0, longestId)),
};
const verdict: Column = { name: 'verdict', cell: (row) => row.verdict };
const figures: readonly Column[] = [
  { name: 'age', cell: ({ modified }, now) => spanText(now - modified), isNumber: true },
  { name: 'turns', cell: ({ turns }) => turns.toLocaleString('en-US'), isNumber: true },
  { name: 'size', cell: ({ bytes }) => bytesText(bytes), isNumber: true },
];
const sent: Column = { name: 'sent', cell: ({ share }) => shareText(share), isNumber: true };

/** A title needs so many columns to be worth a place in the same line. */
const leastTitle = 24;
const longestId = 12;
const gap = 2;

interface Layout {
  readonly columns: readonly Column[];
  readonly widths: readonly number[];
  readonly now: number;
}

function layOut(columns: readonly Column[], rows: readonly Row[], now: number): Layout {
  const widthOf = ({ name, cell }: Column): number =>
    rows.reduce((most, row) => Math.max(most, columnsOf(cell(row, now))), name.length);
  return { columns, now, widths: columns.map(widthOf) };
}

const widthOf = ({ widths }: Layout): number => widths.reduce((sum, width) => sum + width + gap, 0);

function lineOf({ columns, widths, now }: Layout, row: Row | undefined, output: Output): string {
  const cells = columns.map((column, index) => {
    const text = row === undefined ? column.name : column.cell(row, now);
    const filled = (column.isNumber === true ? padLeft : pad)(text, widths[index] ?? 0);
    return column === verdict && row !== undefined ? output.tone(verdictTones[row.verdict], filled) : filled;
  });
  return cells.join(' '.repeat(gap));
}

/**
 * Prints one row for each session. In a narrow terminal id and title have a line of their own; where the output is no
 * terminal, nothing is cut.
 */
export function printTable(rows: readonly Row[], output: Output, { withTool }: { withTool: boolean }): void {
  const now = Date.now();
  const { width } = output;
  const middle = [...(withTool ? [tool] : []), ...figures, verdict, sent];
  const wide = layOut([id, ...middle], rows, now);
  const room = width === undefined ? Infinity : width - widthOf(wide);
  if (room >= leastTitle) {
    output.print(output.tone('dim', `${lineOf(wide, undefined, output)}  title`));
    for (const row of rows) {
      const title = fit(excerpt(row.title ?? '', 300), room);
      output.print(`${lineOf(wide, row, output)}  ${title}`.trimEnd());
    }
    return;
  }
  const narrow = layOut([verdict, sent, ...figures, ...(withTool ? [tool] : [])], rows, now);
  output.print(output.tone('dim', lineOf(narrow, undefined, output)));
  for (const row of rows) {
    output.print(lineOf(narrow, row, output).trimEnd());
    const title = `  ${id.cell(row, now)}  ${excerpt(row.title ?? '', 300)}`.trimEnd();
    output.print(output.tone('dim', fit(title, width ?? Infinity)));
  }
}

const rank = ({ verdict: held }: Row): number => SESSION_VERDICTS.indexOf(held);

/** The worst first; among equals, the one that was written to last. */
export const worstFirst = (one: Row, two: Row): number => rank(one) - rank(two) || two.modified - one.modified;

/** How many sessions there are of each verdict, the worst first. */
export function tally(rows: readonly Row[]): string {
  const counts = SESSION_VERDICTS.map((held) => ({ held, count: rows.filter((row) => row.verdict === held).length }));
  const told = counts.filter(({ count }) => count > 0).map(({ held, count }) => `${count} ${held}`);
  return `${plural(rows.length, 'session')}: ${told.join(', ')}`;
}
