import type { Noting } from '../../model/noting.ts';
import type { Media, Part } from '../../model/part.ts';
import { charactersOf, isRecord } from '../../model/value.ts';
import { listIn, maybe, textOf } from '../conversion/keys.ts';
import { base64Of, mimeOf, plainText, publicUrl } from '../conversion/media.ts';

type Wire = Record<string, unknown>;

/** Who signs the reasoning of this dialect, and keeps its files. */
export const MAKER = 'anthropic';

const MEDIA: ReadonlySet<string> = new Set(['type', 'source', 'title', 'cache_control']);
const SOURCE: ReadonlySet<string> = new Set(['type', 'media_type', 'data', 'url', 'file_id']);
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Reads an image or a document for a conversion. */
export function readMedia(wire: Wire, noting: Noting): Part {
  noting.loseKeys(wire, MEDIA);
  loseCache(wire, noting);
  const { source, title } = wire;
  const type = wire['type'] === 'image' ? 'image' : 'document';
  const media = isRecord(source) ? mediaOf(source, type) : undefined;
  const common = { wire, at: noting.at, characters: charactersOf(source) };
  if (media === undefined) return { kind: 'opaque', ...common, what: type, ...maybe('text', sourceText(source)) };
  noting.inside('source').loseKeys(source, SOURCE);
  return { kind: 'media', ...common, media: { ...media, ...maybe('name', textOf(title)) } };
}

/** Loses a marker on what carries none elsewhere. */
export function loseCache(wire: Wire, noting: Noting): void {
  if (!isRecord(wire['cache_control'])) return;
  const why = 'such a part carries no marker in the target';
  noting.inside('cache_control').lose({ kind: 'key', what: 'a cache marker', why });
}

function sourceText(source: unknown): string | undefined {
  const content = isRecord(source) ? source['content'] : undefined;
  return typeof content === 'string' ? content : readableParts({ content });
}

/** The texts in a list of content; results of a search that were given by the user are such texts with a source. */
export function readableParts(wire: unknown): string | undefined {
  const texts = listIn(wire, 'content').flatMap((piece) => (isRecord(piece) ? (textOf(piece['text']) ?? []) : []));
  return texts.length === 0 ? undefined : texts.join('\n');
}

function mediaOf(source: Wire, type: 'image' | 'document'): Media | undefined {
  const { data, url, file_id: file } = source;
  const mime = maybe('mime', textOf(source['media_type']));
  if (source['type'] === 'text') return typeof data === 'string' ? { type, text: data, ...mime } : undefined;
  if (typeof data === 'string') return { type, data, ...mime };
  if (typeof url === 'string') return { type, url, ...mime };
  return typeof file === 'string' ? { type, file: { maker: MAKER, id: file }, ...mime } : undefined;
}

/** Writes an image or a document; undefined for media that the API does not take. */
export function writeMedia(media: Media): Wire | undefined {
  const { type, name, file } = media;
  const title = maybe('title', name);
  const text = plainText(media);
  if (type === 'document' && text !== undefined) {
    return { type, source: { type: 'text', media_type: 'text/plain', data: text }, ...title };
  }
  if (type !== 'image' && type !== 'document') return undefined;
  const around = type === 'image' ? {} : title;
  if (file?.maker === MAKER) return { type, source: { type: 'file', file_id: file.id }, ...around };
  const url = publicUrl(media);
  if (url !== undefined) return { type, source: { type: 'url', url }, ...around };
  const data = base64Of(media);
  const mime = mimeOf(media);
  const taken = type === 'image' ? IMAGES.has(mime) : mime === 'application/pdf';
  return data !== undefined && taken
    ? { type, source: { type: 'base64', media_type: mime, data }, ...around }
    : undefined;
}
