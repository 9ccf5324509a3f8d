import { columnsOf } from './columns.ts';

/** Breaks a line of words at the width; following lines start below the text, after `indent` columns. */
export function wrap(text: string, indent: number, width: number | undefined): string {
  if (width === undefined) return text;
  const room = Math.max(20, width - indent);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && columnsOf(line) + 1 + columnsOf(word) > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}

/** Lays rows out in columns as wide as their widest cell; the last column is wrapped. */
export function table(rows: readonly (readonly string[])[], width: number | undefined): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, columnsOf(cell))));
  }
  const indent = widths.slice(0, -1).reduce((sum, each) => sum + each + 2, 0);
  return rows.map((row) => {
    const cells = row.slice(0, -1).map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - columnsOf(cell)));
    return [...cells, wrap(row.at(-1) ?? '', indent, width)].join('  ').trimEnd();
  });
}
