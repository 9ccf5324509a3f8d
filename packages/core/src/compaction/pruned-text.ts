import type { ResultPart } from '../model/part.ts';
import { mediaIn, type Medium } from './media-in.ts';

const OPENING = '[pruned: the output of ';
const LONGEST = 1000;
const MOST_MEDIA = 5;
const LONGEST_NAME = 80;

/**
 * What stands in place of an old result: what was there, and how big it was. Made from the result alone, so that it
 * has the same bytes whenever it is made.
 */
export function prunedText(part: ResultPart, tool: string): string {
  const media = mediaIn(part.wire);
  const carried = media.reduce((sum, { characters }) => sum + characters, 0);
  const characters = Math.max(0, (media.length === 0 ? part.text.length : part.characters) - carried);
  const name = tool === '' ? 'a tool' : clean(tool, LONGEST_NAME);
  const said = media.length === 0 ? `, ${count(linesOf(part.text), 'line')}` : '';
  const shown = media.length === 0 ? '' : ` and ${mediaText(media)}`;
  return `${OPENING}${name} was here, ${count(characters, 'character')}${said}${shown}]`;
}

function mediaText(media: readonly Medium[]): string {
  const named = media.slice(0, MOST_MEDIA).map(({ what, bytes }) => {
    const size = bytes === 0 ? '' : ` of ${String(Math.max(1, Math.round(bytes / 1024)))} kB`;
    return `${clean(what, LONGEST_NAME)}${size}`;
  });
  const more = media.length - named.length;
  return [...named, ...(more > 0 ? [`${String(more)} more`] : [])].join(', ');
}

/** True for a result that was pruned before; some tools give their text inside of something else. */
export function isPrunedText(text: string): boolean {
  return text.length <= LONGEST && text.includes(OPENING);
}

function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}

function clean(name: string, most: number): string {
  return name
    .slice(0, most)
    .replaceAll(/[\s\]]+/g, ' ')
    .toWellFormed();
}
