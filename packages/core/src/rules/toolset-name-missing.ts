import { replacePart, type Edit, type Proposal } from '../model/edit.ts';
import type { ResultPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { isRecord, withKeys } from '../model/value.ts';
import { callOf, resultOf, resultPlaces, wireOf, spokenOf } from './remedies/place.ts';
import { piecesOf, sortPieces, withPieces } from './remedies/result-content.ts';

const HELD: ReadonlySet<unknown> = new Set(['text', 'image', 'browser_state']);

/** The result of a call to a member of a toolset names the toolset again. */
export const toolsetNameMissing: Rule = {
  id: 'toolset-name-missing',
  title: 'a result is not in the form its toolset needs',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'anthropic-messages': ['an-toolset-echo'] },
  trigger: 'toolset-call',
  summary:
    'A store that keeps only the keys it knows loses the name of the toolset on the result. It is copied ' +
    'from the call. Such a result may hold text, images and the state of a browser only; a document moves ' +
    'behind the results of the same message.',
  detect: (found) => breachOf(found) !== undefined,
  explain: (found) =>
    `the result of ${spokenOf('call', callOf(found, found.fact).callId)} is not in the form its toolset needs`,
  repair: (found) => {
    const breach = breachOf(found);
    return breach && mended(breach);
  },
};

type Breach = {
  readonly at: { readonly message: number; readonly part: number };
  readonly result: ResultPart;
  readonly toolset: unknown;
};

/** The first result of the call, if it names another toolset or none, or holds what it may not. */
function breachOf(found: Case): Breach | undefined {
  const call = callOf(found, found.fact);
  const at = resultPlaces(found, found.fact.message, call)[0];
  if (at === undefined) return undefined;
  const toolset = wireOf(call)['toolset_name'];
  const result = resultOf(found, at);
  const { toolset_name: named, content } = wireOf(result);
  const strange = piecesOf(content).some((piece) => isRecord(piece) && !HELD.has(piece['type']));
  return named === toolset && !strange ? undefined : { at, result, toolset };
}

function mended({ at, result, toolset }: Breach): Proposal {
  const { content } = wireOf(result);
  const sorted = sortPieces(piecesOf(content), (type) => HELD.has(type));
  const held = Array.isArray(content) ? withPieces(result, sorted) : result;
  const wire = withKeys(held.wire, { toolset_name: toolset });
  const edits: Edit[] = [replacePart(at, { ...held, wire })];
  if (sorted.moved.length > 0) edits.push({ kind: 'append', message: at.message, parts: sorted.moved });
  return {
    edits,
    action: 'restore',
    loss: held !== result && sorted.blank > 0 ? 'lossy' : 'none',
    note: `gave ${spokenOf('result', result.callId)} the form its toolset needs`,
  };
}
