import { type Piece, bytesOf } from '../files/pieces.ts';
import type { Source } from '../files/source.ts';
import type { Output } from './output.ts';
import { visible, visibleLayout } from './visible.ts';

/** Prints JSON as it was laid out, with nothing in it that a terminal would obey. */
export function printPieces(pieces: Iterable<Piece>, source: Pick<Source, 'read'>, output: Output): void {
  // It also takes the byte order mark away.
  const decoder = new TextDecoder();
  for (const bytes of bytesOf(pieces, source)) output.write(visibleLayout(decoder.decode(bytes, { stream: true })));
}

/** Tells on standard error what is wrong with a file although nothing of it is lost. */
export function tellNotes(name: string, notes: readonly string[], output: Output): void {
  for (const note of notes) output.complain(`rethread: ${visible(`${name}: ${note}`)}`);
}
