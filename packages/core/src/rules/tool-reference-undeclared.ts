import { dropPart, replacePart, type Proposal } from '../model/edit.ts';
import type { Case, Rule } from '../model/rule.ts';
import { charactersOf, isRecord, withKeys } from '../model/value.ts';
import { resultOf, placeOf, wireOf } from './remedies/place.ts';
import { piecesOf } from './remedies/result-content.ts';

/** A reference to a tool must name one that the request declares. */
export const toolReferenceUndeclared: Rule = {
  id: 'tool-reference-undeclared',
  title: 'the history refers to a tool that the request does not declare',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'anthropic-messages': ['an-toolref'] },
  trigger: 'tool-reference-undeclared',
  summary: 'A server of tools is gone, and its tools with it. The reference is dropped; the text around it stays.',
  explain: (found) => `tool ${nameOf(found)} is referred to and not declared`,
  repair: (found) => {
    if (typeof found.fact.detail === 'object') return inside(found);
    const note = noteOn([nameOf(found)]);
    return { edits: [dropPart(placeOf(found))], action: 'drop', loss: 'lossy', note };
  },
};

function nameOf(found: Case): string {
  const { detail } = found.fact;
  return typeof detail === 'object' ? String(detail[0]) : String(detail);
}

function noteOn(names: readonly string[]): string {
  return `removed references to tools that are not declared: ${names.join(', ')}`;
}

/** Removes all pieces of a result that refer to tools which are not declared, because a result may list many. */
function inside(found: Case): Proposal {
  const result = resultOf(found, found.fact);
  const { content } = wireOf(result);
  const search = isRecord(content);
  const pieces = piecesOf(search ? content['tool_references'] : content);
  const refers = (piece: unknown): boolean => search || wireOf({ wire: piece })['type'] === 'tool_reference';
  const isGone = (piece: unknown): boolean => refers(piece) && found.request?.tools?.has(referredBy(piece)) !== true;
  const gone = pieces.filter(isGone);
  const kept = pieces.filter((piece) => !isGone(piece));
  const left = search ? withKeys(content, { tool_references: kept }) : kept;
  const changed = {
    ...result,
    wire: withKeys(result.wire, { content: !search && kept.length === 0 ? undefined : left }),
    characters: result.characters - charactersOf(gone),
  };
  const note = noteOn(gone.map(referredBy));
  return { edits: [replacePart(placeOf(found), changed)], action: 'drop', loss: 'lossy', note };
}

function referredBy(piece: unknown): string {
  return isRecord(piece) ? String(piece['tool_name']) : '';
}
