import { replacePart, type Edit, type Proposal } from '../../model/edit.ts';
import type { Part, ResultPart } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { charactersOf, isBlank, isRecord, readableJson, withKeys } from '../../model/value.ts';
import { resultOf } from './batch.ts';
import { placeOf, wireOf, spokenOf } from './place.ts';

type Wire = Readonly<Record<string, unknown>>;
type Sorted = { readonly kept: Wire[]; readonly moved: Part[]; blank: number };

const MEDIA = ['image', 'document', 'video', 'audio', 'searchResult'] as const;
const REFUSED = ['toolUse', 'toolResult', 'reasoningContent'] as const;

/** The words for an error without content are on record; other content is refused in words that are not. */
export function converseRefusal(found: Case): string | undefined {
  const { content, status } = wireOf({ wire: wireOf(resultOf(found, found.fact))['toolResult'] });
  if (status !== 'error' || !Array.isArray(content) || content.length > 0) return undefined;
  const { message, part } = placeOf(found);
  return (
    `The content field at messages.${String(message)}.content.${String(part)}.toolResult cannot be empty when status ` +
    'value is error.'
  );
}

/** Keeps as text what can be read in a result; media of a failed call move behind the results. */
export function mendConverseResult(found: Case, result: ResultPart, inner: Wire): Proposal {
  const at = placeOf(found);
  const failed = inner['status'] === 'error';
  const { content } = inner;
  const pieces: readonly unknown[] = Array.isArray(content) ? (content as unknown[]) : [content];
  const { reasoningSigned, blankText } = found.profile;
  const sorted = sortPieces(pieces, { textOnly: failed && reasoningSigned !== false, takesBlank: blankText === true });
  const invented = failed && sorted.kept.length === 0;
  const kept = invented ? [{ text: TEXTS.separator }] : sorted.kept;
  const gone = sorted.moved.reduce((sum, part) => sum + part.characters, sorted.blank);
  const mended: ResultPart = {
    ...result,
    wire: withKeys(result.wire, { toolResult: withKeys(inner, { content: kept }) }),
    characters: result.characters - gone,
  };
  const edits: Edit[] = [replacePart(at, mended)];
  if (sorted.moved.length > 0) edits.push({ kind: 'append', message: at.message, parts: sorted.moved });
  return {
    edits,
    action: sorted.moved.length > 0 ? 'relocate' : 'rewrite',
    loss: sorted.blank > 0 ? 'lossy' : invented ? 'synthetic' : 'none',
    note: noteOf(spokenOf('result', result.callId), { moved: sorted.moved.length > 0, invented }),
  };
}

function noteOf(result: string, { moved, invented }: { readonly moved: boolean; readonly invented: boolean }): string {
  const written = `wrote ${TEXTS.separator} into ${result}, an error that says nothing`;
  if (!moved) return invented ? written : `kept in ${result} what a result may hold`;
  const told = `moved media out of ${result}, an error, behind the results of its message`;
  return invented ? `${told}, and ${written}` : told;
}

type Terms = { readonly textOnly: boolean; readonly takesBlank: boolean };

function sortPieces(pieces: readonly unknown[], terms: Terms): Sorted {
  const sorted: Sorted = { kept: [], moved: [], blank: 0 };
  for (const piece of pieces) {
    const media = isRecord(piece) && !isText(piece) && MEDIA.some((key) => isRecord(piece[key]));
    if (media && terms.textOnly) sorted.moved.push({ kind: 'media', wire: piece, characters: charactersOf(piece) });
    else if (isRecord(piece) && (media || isWhole(piece, terms))) sorted.kept.push(piece);
    else keepText(piece, sorted);
  }
  return sorted;
}

/** A piece that may stay as it is. */
function isWhole(piece: Wire, { textOnly, takesBlank }: Terms): boolean {
  if (isText(piece)) return takesBlank ? piece['text'] !== '' : !isBlank(String(piece['text']));
  if (isThere(piece['json'])) return true;
  if (textOnly || isThere(piece['text']) || typeof piece['type'] === 'string') return false;
  return Object.keys(piece).some((key) => isThere(piece[key])) && !REFUSED.some((key) => isThere(piece[key]));
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isText(piece: Wire): boolean {
  return typeof piece['text'] === 'string';
}

function keepText(piece: unknown, sorted: Sorted): void {
  const said = isRecord(piece) ? (piece['text'] ?? piece) : piece;
  const text = said === undefined || said === null ? '' : readableJson(said);
  const weight = charactersOf(isRecord(piece) && isText(piece) ? piece['text'] : piece);
  if (isBlank(text) || text === '{}') sorted.blank += weight;
  else sorted.kept.push({ text });
}
