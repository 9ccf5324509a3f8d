import { base64ToText, bytesToBase64, textToBase64 } from '../../model/base64.ts';
import type { Lose, Spot, Where } from '../../model/loss.ts';
import type { Media } from '../../model/part.ts';
import { isRecord } from '../../model/value.ts';
import { inside } from './keys.ts';

const DATA_URL = /^data:([^;,]*)((?:;[^;,]*)*),/;

/** What an address points at: media of its own where it holds the data, or something elsewhere. */
export function fromUrl(url: string, type: Media['type'], mime?: string): Media {
  const found = DATA_URL.exec(url);
  if (found === null) return { type, url, ...(mime === undefined ? {} : { mime }) };
  const [head, own = ''] = found;
  const named = own === '' ? mime : own;
  const rest = url.slice(head.length);
  const data = found[2]?.includes(';base64') === true ? rest : textToBase64(unescaped(rest));
  return {
    type: named === undefined ? type : typeOfMime(named),
    data,
    ...(named === undefined ? {} : { mime: named }),
  };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Data in whichever form a client holds it: base64, an address, or bytes. */
export function fromData(data: unknown, type: Media['type'], mime?: string): Media | undefined {
  const named = mime === undefined ? {} : { mime };
  if (typeof data === 'string') {
    return /^(?:data:|https?:|s3:|gs:)/.test(data) ? fromUrl(data, type, mime) : { type, data, ...named };
  }
  if (data instanceof Uint8Array) return { type, data: bytesToBase64(data), ...named };
  if (data instanceof ArrayBuffer) return { type, data: bytesToBase64(new Uint8Array(data)), ...named };
  const { href } = (data ?? {}) as { readonly href?: unknown };
  return typeof href === 'string' ? fromUrl(href, type, mime) : undefined;
}

export function typeOfMime(mime: string): Media['type'] {
  const [type] = mime.split('/');
  return type === 'image' || type === 'audio' || type === 'video' ? type : 'document';
}

/** The bytes of media in base64; undefined where they are elsewhere. */
export function base64Of({ data, text }: Media): string | undefined {
  return data ?? (text === undefined ? undefined : textToBase64(text));
}

const USUAL: Readonly<Record<Media['type'], string>> = {
  image: 'image/png',
  audio: 'audio/wav',
  video: 'video/mp4',
  document: 'application/pdf',
};

/** The type of media, guessed from its address where nothing says it. */
export function mimeOf({ mime, text, type, url }: Media): string {
  if (mime !== undefined) return mime;
  if (text !== undefined) return 'text/plain';
  const ending = url === undefined ? undefined : /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase();
  if (ending === undefined) return USUAL[type];
  const guess = mimeOfEnding(ending, type);
  return typeOfMime(guess) === type ? guess : USUAL[type];
}

/** An address that holds the data itself; undefined where the data is elsewhere. */
export function dataUrl(media: Media): string | undefined {
  const data = base64Of(media);
  return data === undefined ? undefined : `data:${mimeOf(media)};base64,${data}`;
}

/** An address that anybody can open. */
export function publicUrl({ url }: Media): string | undefined {
  if (url === undefined || !/^https?:/.test(url)) return undefined;
  return url.startsWith('https://generativelanguage.googleapis.com/') ? undefined : url;
}

/** The text of a document that is nothing else. */
export function plainText({ text, data, mime }: Media): string | undefined {
  if (text !== undefined) return text;
  return mime === 'text/plain' && data !== undefined ? base64ToText(data) : undefined;
}

/** Endings by which some APIs name a type, where they are not the second half of its name. */
const ENDINGS: readonly (readonly [ending: string, mime: string])[] = [
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['doc', 'application/msword'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xls', 'application/vnd.ms-excel'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['pdf', 'application/pdf'],
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['mov', 'video/quicktime'],
  ['mkv', 'video/x-matroska'],
  ['three_gp', 'video/3gpp'],
];

export function mimeOfEnding(ending: string, type: Media['type']): string {
  const known = ENDINGS.find(([each]) => each === ending)?.[1];
  return known ?? `${type === 'document' ? 'application' : type}/${ending}`;
}

export function endingOf(media: Media): string {
  const mime = mimeOf(media);
  return ENDINGS.find(([, each]) => each === mime)?.[0] ?? mime.split('/')[1] ?? mime;
}

/** Media in a few words. */
export function named({ type, mime, name, url, file }: Media): string {
  const [where] = [name, url, file?.id].filter((each) => each !== undefined);
  return [mime ?? type, ...(where === undefined ? [] : [where.slice(0, 80).toWellFormed()])].join(' ');
}

/** How closely a model is to look at an image, where a text says it. */
export function detailIn(wire: unknown, spot: Spot): Media['detail'] {
  const { detail: value } = isRecord(wire) ? wire : {};
  return typeof value === 'string' && value !== '' ? { value, path: inside(spot, 'detail').path } : undefined;
}

type Showing = { readonly wire: Record<string, unknown> | undefined; readonly why: string; readonly lose: Lose };

/** Media in its new form, or none; notes what of it could not be said. */
export function shown(
  part: Where,
  media: Media | undefined,
  { wire, why, lose }: Showing,
): readonly Record<string, unknown>[] {
  if (media === undefined) return [];
  const spot = { at: part.at, path: media.path ?? part.path };
  if (wire === undefined) {
    lose(spot, { kind: 'media', what: named(media), why });
    return [];
  }
  const { name, mime, detail } = media;
  const elsewhere = 'the target has no place for it';
  if (detail !== undefined && !holds(wire, detail.value)) {
    lose({ ...spot, path: detail.path }, { kind: 'key', what: `detail: "${detail.value}"`, why: elsewhere });
  }
  if (name !== undefined && !holds(wire, name)) {
    lose(spot, { kind: 'name', what: `the file name ${name}`, became: 'other', why: elsewhere });
  }
  if (mime !== undefined && !holds(wire, mime) && !holds(wire, endingOf(media))) {
    lose(spot, { kind: 'media', what: `the type ${mime}`, became: 'other', why: elsewhere });
  }
  return [wire];
}

function holds(value: unknown, text: string): boolean {
  if (value === text || (typeof value === 'string' && value.startsWith(`data:${text}`))) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some((each) => holds(each, text));
}
