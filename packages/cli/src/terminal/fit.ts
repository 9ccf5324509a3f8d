import { columnsOf } from './columns.ts';

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cuts a text to a number of columns; the last one says that something is missing. */
export function fit(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of characters.segment(text)) {
    width += columnsOf(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Fills a cell of a table with blanks. */
export const pad = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - columnsOf(text)));

/** The same for numbers, which stand at the right. */
export const padLeft = (text: string, columns: number): string =>
  ' '.repeat(Math.max(0, columns - columnsOf(text))) + text;
