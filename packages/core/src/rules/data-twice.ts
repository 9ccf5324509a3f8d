import { replacePart, type Proposal } from '../model/edit.ts';
import type { Part } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { withKeys } from '../model/value.ts';
import { partOf, placeOf, wireOf } from './remedies/place.ts';

/** A part holds one kind of data; a provider refuses one that holds two. */
export const dataTwice: Rule = {
  id: 'data-twice',
  title: 'a part holds more than one kind of data',
  layer: 'structure',
  severity: 'rejected',
  loss: 'none',
  evidence: { gemini: ['ge-part-data'] },
  trigger: 'data-twice',
  summary:
    'A program gathered what the model said and what it called in one object. The part is divided, one part for ' +
    'each kind of data, in the same order; a signature stays with the call.',
  explain: (found) => `this part holds ${keysOf(found).join(' and ')}`,
  repair,
};

function keysOf(found: Case): string[] {
  return [found.fact.detail].flat().map(String);
}

function repair(found: Case): Proposal {
  const part = partOf(found);
  const keys = keysOf(found);
  const call = keys.find((key) => key === 'functionCall' || key === 'function_call');
  const owner = call ?? keys[0];
  const pieces = keys.map((key, i): Part => {
    const gone = keys.filter((other) => other !== key);
    const wire = wireOf(part);
    const own = key === owner ? withKeys(wire, Object.fromEntries(gone.map((each) => [each, undefined]))) : undefined;
    const characters = i === 0 ? part.characters : 0;
    return { ...part, wire: own ?? { [key]: wire[key] }, characters };
  });
  const note = `divided a part into its ${keys.join(' and ')}`;
  return { edits: [replacePart(placeOf(found), ...pieces)], action: 'rewrite', loss: 'none', note };
}
