import type { Abilities, Conversion, Packing } from '../../model/conversion.ts';
import type { Media, Message } from '../../model/part.ts';
import { OK_OR_ERROR } from '../conversion/adapt.ts';
import { maybe } from '../conversion/keys.ts';
import { dataUrl, mimeOf, publicUrl } from '../conversion/media.ts';
import { systemTexts } from '../conversion/system-texts.ts';
import { arrangeItems, ITEMS_CAN, readInstructions, writeInstructions } from '../openai-responses/request.ts';
import { MAKER, type Wire } from '../openai-responses/shape.ts';

const CAN: Abilities = { ...ITEMS_CAN, thoughts: true, outcomes: OK_OR_ERROR };

/** What crosses between the items of the OpenAI Agents SDK and others. */
export const conversion: Conversion = {
  systemKey: 'instructions',
  settings: {},
  fields: new Set(['input', 'model', 'instructions']),
  names: { pattern: /^[a-zA-Z0-9_-]{1,128}$/, max: 128 },
  can: () => CAN,
  arrange,
  media: (media, { role, result }) => {
    if (result === undefined && role !== 'user') return 'only users show media there';
    return writeMedia(media) ?? 'the target takes no such media';
  },
  system: readInstructions,
  withSystem: (parts, how) => writeInstructions(parts, CAN, how),
};

/** The system says one text at a time. */
function arrange(message: Message, { lose }: Packing): readonly Message[] {
  return arrangeItems(message).flatMap((entry) => {
    if (entry.role !== 'system' || entry.parts[0]?.kind === 'reasoning') return [entry];
    return systemTexts(entry.parts, lose).map((part) => ({ ...entry, parts: [part] }));
  });
}

/** Writes a piece that users show; undefined for media that they cannot. */
function writeMedia(media: Media): Wire | undefined {
  const { type, file, name, data } = media;
  const kept = file?.maker === MAKER ? { id: file.id } : undefined;
  const address = publicUrl(media) ?? dataUrl(media);
  if (type === 'image') {
    const image = kept ?? address;
    return image === undefined ? undefined : { type: 'input_image', image };
  }
  if (type === 'audio' && data !== undefined) {
    return { type: 'audio', audio: data, format: mimeOf(media).split('/')[1] ?? 'wav' };
  }
  if (type !== 'document') return undefined;
  const held = kept ?? (publicUrl(media) === undefined ? address : { url: address });
  return held === undefined ? undefined : { type: 'input_file', file: held, ...maybe('filename', name) };
}
