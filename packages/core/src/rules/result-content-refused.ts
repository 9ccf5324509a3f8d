import { replacePart, type Edit, type Proposal } from '../model/edit.ts';
import type { Part, ResultPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { isBlank, isRecord, charactersOf, readableJson, withKeys } from '../model/value.ts';
import { resultOf, placeOf, wireOf, spokenOf } from './remedies/place.ts';
import { piecesOf, sortPieces, withPieces } from './remedies/result-content.ts';

/** A result may hold text and a few kinds of media; an error may hold text only. */
export const resultContentRefused: Rule = {
  id: 'result-content-refused',
  title: 'a result holds content that the provider refuses',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'anthropic-messages': ['an-result-content', 'an-text-nonempty', 'an-text-nonblank'],
    'bedrock-converse': ['br-error-content', 'br-passthrough'],
  },
  trigger: 'result-content-refused',
  summary:
    'A tool returned nothing, an object, or pieces that only an assistant message may hold, or it failed ' +
    'after taking a picture. What can be read stays in the result as text; media of a failed call move ' +
    'behind the results of the same message.',
  explain: (found) =>
    `the content of ${spokenOf('result', resultOf(found, found.fact).callId)} is not one that a result may have`,
  providerError: { 'anthropic-messages': refusal, 'bedrock-converse': converseRefusal },
  repair,
};

/** The words of the provider are on record for errors with media, and for empty and blank texts. */
function refusal(found: Case): string | undefined {
  const wire = wireOf(resultOf(found, found.fact));
  const texts = piecesOf(wire['content']).filter(isRecord);
  if (wire['is_error'] === true && texts.some((piece) => piece['type'] !== 'text')) {
    return 'all content must be type "text" if "is_error" is true';
  }
  const blank = texts.find((piece) => typeof piece['text'] === 'string' && isBlank(piece['text']));
  if (blank === undefined) return undefined;
  return blank['text'] === ''
    ? 'messages: text content blocks must be non-empty'
    : 'messages: text content blocks must contain non-whitespace text';
}

function repair(found: Case): Proposal {
  const at = placeOf(found);
  const result = resultOf(found, at);
  const wire = wireOf(result);
  if (isRecord(wire['toolResult'])) return mendConverseResult(found, result, wire['toolResult']);
  const failed = wire['is_error'] === true;
  const sorted = sortPieces(piecesOf(wire['content']), (type) => !failed || type === 'text');
  const edits: Edit[] = [replacePart(at, withPieces(result, sorted))];
  if (sorted.moved.length > 0) edits.push({ kind: 'append', message: at.message, parts: sorted.moved });
  return {
    edits,
    action: sorted.moved.length > 0 ? 'relocate' : 'rewrite',
    loss: sorted.blank > 0 ? 'lossy' : 'none',
    note:
      sorted.moved.length > 0
        ? `moved media out of ${spokenOf('result', result.callId)}, an error, behind the results of its message`
        : `kept as text what can be read in ${spokenOf('result', result.callId)}`,
  };
}

type Wire = Readonly<Record<string, unknown>>;
type Sorted = { readonly kept: Wire[]; readonly moved: Part[]; blank: number };

const MEDIA = ['image', 'document', 'video', 'audio', 'searchResult'] as const;
const REFUSED = ['toolUse', 'toolResult', 'reasoningContent'] as const;

/** The words for an error without content are on record; other content is refused in words that are not. */
function converseRefusal(found: Case): string | undefined {
  const { content, status } = wireOf({ wire: wireOf(resultOf(found, found.fact))['toolResult'] });
  if (status !== 'error' || !Array.isArray(content) || content.length > 0) return undefined;
  const { message, part } = placeOf(found);
  return (
    `The content field at messages.${String(message)}.content.${String(part)}.toolResult cannot be empty when status ` +
    'value is error.'
  );
}

/** Keeps as text what can be read in a result; media of a failed call move behind the results. */
function mendConverseResult(found: Case, result: ResultPart, inner: Wire): Proposal {
  const at = placeOf(found);
  const failed = inner['status'] === 'error';
  const { content } = inner;
  const pieces: readonly unknown[] = Array.isArray(content) ? (content as unknown[]) : [content];
  const { reasoningSigned, blankText } = found.profile;
  const sorted = sortBlocks(pieces, { textOnly: failed && reasoningSigned !== false, takesBlank: blankText === true });
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

function sortBlocks(pieces: readonly unknown[], terms: Terms): Sorted {
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
