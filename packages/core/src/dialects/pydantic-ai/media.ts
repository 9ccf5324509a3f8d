import type { Noting } from '../../model/noting.ts';
import type { Media, Piece } from '../../model/part.ts';
import { isRecord, readKey } from '../../model/value.ts';
import { maybe, textOf } from '../conversion/keys.ts';
import { fromData, typeOfMime } from '../conversion/media.ts';
import { toPieces } from '../conversion/pieces.ts';
import { readableText } from '../salvage.ts';
import type { Wire } from './shape.ts';

const INLINE = /^data:/;

/** What a prompt says. Media among its words are named and not told: their bytes are no text. */
export function promptText(content: unknown): string {
  if (!Array.isArray(content)) return readableText(content);
  return readableText((content as unknown[]).map((piece) => mediumName(piece) ?? piece));
}

/** What a picture, a file or a mark among the words is called; undefined for words, and for what nobody knows. */
function mediumName(piece: unknown): string | undefined {
  if (!isRecord(piece)) return undefined;
  const kind = readKey(piece, 'kind');
  if (typeof kind !== 'string' || typeof readKey(piece, 'content') === 'string') return undefined;
  if (kind === 'cache-point') return '';
  const type = readKey(piece, 'media_type') ?? readKey(piece, 'mediaType');
  const url = readKey(piece, 'url');
  const name = typeof type === 'string' ? type : kind;
  return typeof url === 'string' && !INLINE.test(url) ? `[${name}: ${url}]` : `[${name}]`;
}

const KINDS: ReadonlySet<unknown> = new Set(['image-url', 'audio-url', 'video-url', 'document-url', 'binary']);
const FILE: ReadonlySet<string> = new Set(
  'kind url data media_type mediaType _media_type identifier _identifier'.split(' '),
);

/** Reads a picture or a file for a conversion; undefined for anything else. */
export function readMedia(wire: Wire, noting: Noting): Media | undefined {
  const { kind, url, data } = wire;
  if (!KINDS.has(kind)) return undefined;
  const mime = textOf(wire['media_type'] ?? wire['mediaType']);
  const type = kind === 'binary' ? typeOfMime(mime ?? '') : (String(kind).slice(0, -4) as Media['type']);
  const media = typeof url === 'string' ? { type, url, ...maybe('mime', mime) } : fromData(data, type, mime);
  if (media === undefined) return undefined;
  noting.loseKeys(wire, FILE);
  return { ...media, ...maybe('name', textOf(wire['identifier'])) };
}

/** What a tool returned; files stand in its value, alone or in a list. */
export function readPieces(content: unknown, noting: Noting): readonly Piece[] {
  if (isRecord(content)) return readPiece(content, noting);
  if (!Array.isArray(content) || !content.some((each) => isRecord(each) && KINDS.has(each['kind'])))
    return toPieces(content);
  return (content as unknown[]).flatMap((each, i) => readPiece(each, noting.inside(i)));
}

function readPiece(value: unknown, noting: Noting): readonly Piece[] {
  const media = isRecord(value) ? readMedia(value, noting) : undefined;
  return media === undefined ? toPieces(value) : [{ kind: 'media', media: { ...media, path: noting.path } }];
}
