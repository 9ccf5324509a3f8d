import { isRecord, readKey } from '../../model/value.ts';
import { readableText } from '../salvage.ts';

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
