import { carriedOver } from './carried-over.ts';
import type { Piece } from './pieces.ts';
import type { JsonlSession, MessageLine } from './read-session.ts';

/** Where the byte order mark ends that the first message stands behind; something unreadable can be as long as one. */
const markEnd = ([first]: readonly MessageLine[]): number => (first?.start === 3 && first.adjoins ? 3 : 0);

function lineEndOf(lines: readonly MessageLine[]): string {
  const returned = lines.filter(({ end, next }) => next - end === 2).length;
  return returned * 2 > lines.filter(({ end, next }) => next > end).length ? '\r\n' : '\n';
}

class Pieces {
  readonly list: Piece[] = [];

  text(text: string): void {
    this.list.push(text);
  }

  copy(start: number, end: number): void {
    const last = this.list.at(-1);
    if (last !== undefined && typeof last !== 'string' && last.end === start) {
      this.list[this.list.length - 1] = { start: last.start, end };
    } else if (end > start) {
      this.list.push({ start, end });
    }
  }
}

/**
 * Lays the repaired list out as lines. A message that is still the same keeps the bytes of its line, with the
 * blank lines before it where its neighbour is unchanged too; every other message becomes a new line.
 */
export function renderJsonl(session: JsonlSession, output: readonly unknown[]): readonly Piece[] {
  const { lines } = session;
  const lineEnd = lineEndOf(lines);
  const last = lines.at(-1);
  // Behind a message that shares its line stood something that is left out, and with it no line end.
  const endsWithNewline = last === undefined || last.next > last.end || last.glued;
  const indexes = carriedOver(session.value, output);
  const pieces = new Pieces();
  pieces.copy(0, markEnd(lines));
  let before: number | undefined = -1;
  for (const [position, message] of output.entries()) {
    const index = indexes[position];
    const line = index === undefined ? undefined : lines[index];
    const ends = position < output.length - 1 || endsWithNewline;
    if (index === undefined || line === undefined || !line.sound) {
      pieces.text(JSON.stringify(message) + (ends ? lineEnd : ''));
      before = undefined;
      continue;
    }
    const follows = line.adjoins && before === index - 1;
    const previousNext = index === 0 ? markEnd(lines) : (lines[index - 1]?.next ?? line.start);
    pieces.copy(follows ? previousNext : line.start, ends ? line.next : line.end);
    if (line.next === line.end && ends) pieces.text(lineEnd);
    before = index;
  }
  return pieces.list;
}
