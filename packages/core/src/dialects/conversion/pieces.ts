import type { Piece, ResultPart } from '../../model/part.ts';
import { readableJson } from '../../model/value.ts';

/** What a tool returned; one that was made by us says nothing but its text. */
export function piecesOf({ pieces, text }: ResultPart): readonly Piece[] {
  return pieces ?? toPieces(text);
}

/** What a tool returned, as one text. */
export function resultText(pieces: readonly Piece[]): string {
  return pieces.map((piece) => pieceText(piece)).join('\n');
}

export function pieceText(piece: Piece): string {
  if (piece.kind === 'text') return piece.text;
  return piece.kind === 'json' ? readableJson(piece.value) : `[${piece.media.type}]`;
}

/** What a tool returned as texts, and the media that was among it. */
export function divide(pieces: readonly Piece[]): { texts: string[]; media: Extract<Piece, { kind: 'media' }>[] } {
  return {
    texts: pieces.flatMap((piece) => (piece.kind === 'media' ? [] : [pieceText(piece)])),
    media: pieces.filter((piece) => piece.kind === 'media'),
  };
}

/** A value that is returned: a text, a list of nothing but texts, or anything else. */
export function toPieces(value: unknown): readonly Piece[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return [{ kind: 'text', text: value }];
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')) {
    return value.map((text) => ({ kind: 'text', text }));
  }
  return [{ kind: 'json', value }];
}
