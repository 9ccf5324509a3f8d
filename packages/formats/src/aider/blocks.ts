import type { FaultLog } from '../fault.ts';
import { readLines } from '../files/log-file.ts';
import type { Piece, Pieces } from '../pieces/piece.ts';
import type { LinePlace } from '../place.ts';

/** Who speaks on a line, by how it begins. */
type Voice = 'session' | 'user' | 'tool' | 'assistant';

const BEGINNINGS: readonly (readonly [string, Voice])[] = [
  ['# aider chat started at ', 'session'],
  ['#### ', 'user'],
  ['> ', 'tool'],
];

/** Lines that one voice speaks in a row, as one record: `{role, content}`. */
export const blocksOf = (file: string): Pieces =>
  async function* blocks(faults: FaultLog): AsyncGenerator<Piece> {
    let block: { readonly voice: Voice; readonly lines: string[]; place: LinePlace } | undefined;
    for await (const { number, byte, data, nuls } of readLines(file, faults)) {
      const text = data.toString('utf8').replace(/\r$/, '');
      const place: LinePlace = { kind: 'line', file, line: number, byte, bytes: data.length };
      if (nuls > 0) faults.add('nul', place, `${nuls} NUL bytes stand here.`);
      const [start, voice] = BEGINNINGS.find(([beginning]) => text.startsWith(beginning)) ?? ['', 'assistant' as const];
      // A blank line ends what a user or a tool says, and belongs to an answer.
      const said = text.trimEnd() === '>' ? 'tool' : voice;
      if (block !== undefined && block.voice === said && said !== 'session') {
        block.lines.push(text.slice(start.length));
        block.place = { ...block.place, bytes: byte + data.length - block.place.byte };
        continue;
      }
      if (block !== undefined) yield pieceOf(block);
      block = { voice: said, lines: [text.slice(start.length)], place };
    }
    if (block !== undefined) yield pieceOf(block);
  };

const pieceOf = ({ voice, lines, place }: { voice: Voice; lines: string[]; place: LinePlace }): Piece => ({
  place,
  type: voice,
  value: { role: voice, content: lines.join('\n').trim() },
});
