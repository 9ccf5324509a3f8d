import type { Packing } from '../../model/conversion.ts';
import type { Media, MediaPart, Message, Part, ResultPart } from '../../model/part.ts';
import { named } from '../conversion/media.ts';
import { divide, piecesOf } from '../conversion/pieces.ts';
import { Aside } from './shape.ts';

/** What differs between the relatives of this API. */
export type Relative = {
  readonly writeMedia: (media: Media) => unknown;
  /** A result also names its tool. */
  readonly toolNames?: boolean;
};

/** The entries of a message: an answer with a refusal and its calls last, and every result as an entry of its own. */
export function arrangeChat(message: Message, how: Packing, relative: Relative): readonly Message[] {
  if (message.role === 'assistant') return [arrangeAnswer(message)];
  const { at, path = '', role } = message;
  const results = message.parts.filter((part) => part.kind === 'result');
  const rest = message.parts.filter((part) => part.kind !== 'result');
  const shown = results.flatMap((part) => mediaOfResult(part, how, relative));
  const entries = results.map((part): Message => {
    const pieces = piecesOf(part).filter(({ kind }) => kind !== 'media');
    const name = relative.toolNames === true && part.tool !== '' ? part.tool : undefined;
    return { role: 'tool', parts: [{ ...part, pieces }], at, path, ...(name !== undefined && { name }) };
  });
  const parts = [...shown, ...rest];
  if (role === 'tool' && parts.length === 0) return entries;
  return [...entries, { ...message, role: role === 'system' ? role : 'user', parts }];
}

function arrangeAnswer(message: Message): Message {
  const refusal = message.parts.find((part) => part.kind === 'text' && part.refusal === true);
  const calls = message.parts.filter((part) => part.kind === 'call');
  const said = message.parts.filter((part) => part.kind !== 'call' && part !== refusal);
  if (refusal?.kind !== 'text') return { ...message, parts: [...said, ...calls] };
  return { ...message, parts: [...said, { ...refusal, wire: new Aside('refusal', refusal.text) }, ...calls] };
}

/** Tools return only text here, so what they have shown is shown by the user. */
function mediaOfResult(part: ResultPart, { lose }: Packing, { writeMedia }: Relative): readonly MediaPart[] {
  return divide(piecesOf(part)).media.map(({ media }): MediaPart => {
    const { at, path = '' } = part;
    const spot = { ...(at && { at }), path: media.path ?? path };
    const why = 'a result holds only text there, so the user shows it';
    if (writeMedia(media) !== undefined) lose(spot, { kind: 'media', what: named(media), became: 'other', why });
    return { kind: 'media', characters: 0, media, ...spot };
  });
}

/** Where reasoning stands in a field of its own, all thoughts of an answer are one; others have none. */
export function withThoughtField(message: Message): Message {
  const rest = message.parts.filter((part) => part.kind !== 'reasoning');
  const thoughts = message.parts.filter((part) => part.kind === 'reasoning');
  const text = thoughts.map((part) => part.text).join('\n');
  const [first] = thoughts;
  if (message.role !== 'assistant' || first === undefined || text === '') return { ...message, parts: rest };
  const thought: Part = { ...first, text, wire: new Aside('reasoning_content', text) };
  return { ...message, parts: [thought, ...rest] };
}
