import { objectAt, optional, textAt } from '../json.ts';
import { linePieces, type Piece } from '../pieces/piece.ts';
import { readPieces, type Meaning } from '../pieces/read-pieces.ts';
import { wholeFile } from '../place.ts';
import type { Reading } from '../session.ts';
import type { Source } from '../tool.ts';
import { blocksIn } from '../wire/plain-blocks.ts';
import { textPart } from '../wire/turn.ts';
import { idsOf, isRecord, promptTitle } from './detect.ts';

/** Reads a transcript: what was said. Calls stand in it without ids, and mostly without results. */
export async function read({ path, faults }: Source): Promise<Reading> {
  let calls = 0;
  const reading = await readPieces<undefined>(
    {
      pieces: linePieces(path, isRecord),
      follow: () => (piece) => {
        calls += blocksIn(objectAt(piece.value, 'message')?.['content']).filter(({ type }) => type !== 'text').length;
        return meaningOf(piece);
      },
      dialect: () => 'anthropic-messages',
      copes: [],
      about: idsOf(path),
    },
    faults,
  );
  if (calls > 0) {
    const note = 'This transcript has calls without results: what Cursor sends is in a database that is not read here.';
    faults.add('missing-file', wholeFile(path), note);
  }
  return reading;
}

function meaningOf({ value }: Piece): Meaning<undefined> {
  if (!isRecord(value)) return { unknown: 'This is no message.' };
  const content = blocksIn(objectAt(value, 'message')?.['content']);
  const parts = content.flatMap((block) => (block['type'] === 'text' ? textPart(textAt(block, 'text')) : []));
  const role = value['role'] === 'assistant' ? 'assistant' : 'user';
  const notes = { model: textAt(value, 'model'), ...optional('prompt', promptTitle(value)) };
  // What is no text cannot be sent as it stands here; a message of nothing else counts as hidden.
  if (parts.length === 0) return { wire: [{ content }], absent: 'hidden', notes };
  return { turns: [{ role, parts }], notes };
}
