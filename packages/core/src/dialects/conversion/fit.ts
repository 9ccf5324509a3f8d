import type { Abilities, Conversion, Packing, Showing } from '../../model/conversion.ts';
import type { Media, Message, Part, Piece, ResultPart } from '../../model/part.ts';
import { isBlank } from '../../model/value.ts';
import { adapt, asJsonText, loseBlank, objectInput } from './adapt.ts';
import { shown } from './media.ts';
import { piecesOf } from './pieces.ts';

type Fitting = {
  readonly showing: Showing;
  readonly can: Abilities;
  readonly conversion: Conversion;
  readonly how: Packing;
};

/** The entries that a message of another dialect is in the target, with nothing in them that it cannot write. */
export function fit(message: Message, conversion: Conversion, how: Packing): readonly Message[] {
  const can = conversion.can(how, message.role);
  const adapted = adapt(message, can, how.lose);
  const entries = conversion.arrange?.(adapted, how) ?? [adapted];
  const fitted = entries.map((entry) => {
    const fitting = { showing: { role: entry.role }, can, conversion, how };
    return { ...entry, parts: entry.parts.flatMap((part) => fitPart(part, fitting)) };
  });
  return fitted.filter(({ parts }) => parts.length > 0 || message.parts.length === 0);
}

/** The parts that system text is in the field of a body. */
export function fitSystem(parts: readonly Part[], conversion: Conversion, how: Packing): readonly Part[] {
  return fit({ role: 'system', parts, at: -1, path: '' }, conversion, how).flatMap((message) => message.parts);
}

function fitPart(part: Part, fitting: Fitting): readonly Part[] {
  const { can, how } = fitting;
  switch (part.kind) {
    case 'text':
      return can.blank === 'refused' && isBlank(part.text) ? loseBlank(part, how.lose) : [part];
    case 'call':
      if (can.input === undefined) return [part];
      return [{ ...part, input: can.input === 'text' ? asJsonText(part.input) : objectInput(part, how.lose) }];
    case 'result':
      return [{ ...part, pieces: piecesOf(part).map((piece) => fitPiece(piece, part, fitting)) }];
    case 'media': {
      const wire = fitMedia(part, part.media, fitting);
      return wire === undefined ? [] : [{ ...part, wire }];
    }
    case 'reasoning':
      return [part];
    case 'opaque':
      return [];
  }
}

/** Media that has no place there stays among the pieces, without a form. */
function fitPiece(piece: Piece, result: ResultPart, fitting: Fitting): Piece {
  if (piece.kind !== 'media') return piece;
  const wire = fitMedia(result, piece.media, { ...fitting, showing: { ...fitting.showing, result } });
  return wire === undefined ? piece : { ...piece, wire };
}

function fitMedia(part: Part, media: Media | undefined, { showing, conversion, how }: Fitting): unknown {
  const made = media === undefined ? '' : (conversion.media?.(media, showing, how) ?? NO_MEDIA);
  const form = typeof made === 'string' ? { wire: undefined, why: made } : { wire: made, why: '' };
  return shown(part, media, { ...form, lose: how.lose })[0];
}

const NO_MEDIA = 'the target takes no such media';
