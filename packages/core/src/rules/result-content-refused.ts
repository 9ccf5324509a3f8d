import { replacePart, type Edit, type Proposal } from '../model/edit.ts';
import type { Case, Rule } from '../model/rule.ts';
import { isBlank, isRecord } from '../model/value.ts';
import { converseRefusal, mendConverseResult } from './remedies/converse-result.ts';
import { resultOf } from './remedies/batch.ts';
import { placeOf, wireOf, spokenOf } from './remedies/place.ts';
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
