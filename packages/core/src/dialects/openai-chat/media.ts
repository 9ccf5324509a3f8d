import type { Noting } from '../../model/noting.ts';
import type { Media, Part, Place } from '../../model/part.ts';
import { isRecord } from '../../model/value.ts';
import { maybe, textOf } from '../conversion/keys.ts';
import { dataUrl, detailIn, endingOf, fromUrl, mimeOfEnding, publicUrl } from '../conversion/media.ts';

type Wire = Record<string, unknown>;

const MAKER = 'openai';
/** Its files have their id beside their type, and mean nothing to others. */
const OTHER_MAKER = 'mistral';

const MEDIA: ReadonlySet<string> = new Set(
  'type image_url input_audio file file_id document_url document_name'.split(' '),
);
const IMAGE: ReadonlySet<string> = new Set(['url']);
const DETAILED_IMAGE: ReadonlySet<string> = new Set(['url', 'detail']);

type Common = { readonly wire: Wire; readonly at: Place; readonly characters: number };

/** Reads a piece that shows something for a conversion. */
export function readMedia(common: Common, noting: Noting): Part {
  const media = mediaIn(common.wire, noting);
  if (media !== undefined) return { kind: 'media', ...common, media };
  return { kind: 'opaque', ...common, what: textOf(common.wire['type']) ?? 'media that cannot be read' };
}

/** The media in a piece; undefined where there is none that can be read. */
export function mediaIn(wire: Wire, noting: Noting): Media | undefined {
  const media = mediaOf(wire);
  if (media === undefined) return undefined;
  noting.loseKeys(wire, MEDIA);
  if (wire['type'] !== 'image_url') return media;
  const own = noting.inside('image_url');
  const detail = detailIn(wire['image_url'], own);
  own.loseKeys(wire['image_url'], detail === undefined ? IMAGE : DETAILED_IMAGE);
  return { ...media, ...maybe('detail', detail) };
}

/** A video, which hosts of other models take. */
export function videoIn(wire: Wire): Media | undefined {
  const url = urlIn(wire['video_url']);
  return url === undefined ? undefined : fromUrl(url, 'video');
}

function urlIn(value: unknown): string | undefined {
  return textOf(isRecord(value) ? value['url'] : value);
}

function mediaOf(wire: Wire): Media | undefined {
  const { type, input_audio: audio, file, document_url: document, document_name: title } = wire;
  const image = type === 'image_url' ? urlIn(wire['image_url']) : undefined;
  if (image !== undefined) return fromUrl(image, 'image');
  if (type === 'document_url' && typeof document === 'string') {
    return { ...fromUrl(document, 'document'), ...maybe('name', textOf(title)) };
  }
  if (type === 'input_audio') return audioOf(audio);
  if (type !== 'file') return undefined;
  return isRecord(file) ? fileOf(file, MAKER) : fileOf(wire, OTHER_MAKER);
}

function audioOf(audio: unknown): Media | undefined {
  if (typeof audio === 'string')
    return /^https?:/.test(audio) ? fromUrl(audio, 'audio') : { type: 'audio', data: audio };
  const { data, format } = isRecord(audio) ? audio : {};
  if (typeof data !== 'string') return undefined;
  return {
    type: 'audio',
    data,
    ...maybe('mime', typeof format === 'string' ? mimeOfEnding(format, 'audio') : undefined),
  };
}

function fileOf({ file_data: data, file_id: id, filename }: Wire, maker: string): Media | undefined {
  const name = maybe('name', textOf(filename));
  if (typeof data === 'string') return { ...fromUrl(data, 'document'), ...name };
  return typeof id === 'string' ? { type: 'document', file: { maker, id }, ...name } : undefined;
}

const DETAILS: ReadonlySet<string> = new Set(['auto', 'low', 'high']);

function detailOf({ detail }: Media): Wire {
  return detail !== undefined && DETAILS.has(detail.value) ? { detail: detail.value } : {};
}

/** Writes a piece that users show; undefined for media that they cannot. */
export function writeMedia(media: Media): Wire | undefined {
  const { type, data, file, name } = media;
  const filename = maybe('filename', name);
  if (type === 'image') {
    const url = publicUrl(media) ?? dataUrl(media);
    return url === undefined ? undefined : { type: 'image_url', image_url: { url, ...detailOf(media) } };
  }
  if (type === 'audio') {
    const format = endingOf(media);
    const taken = data !== undefined && (format === 'wav' || format === 'mp3');
    return taken ? { type: 'input_audio', input_audio: { data, format } } : undefined;
  }
  if (type === 'video') return undefined;
  if (file?.maker === MAKER) return { type: 'file', file: { file_id: file.id, ...filename } };
  const file_data = dataUrl(media);
  return file_data === undefined ? undefined : { type: 'file', file: { ...filename, file_data } };
}
