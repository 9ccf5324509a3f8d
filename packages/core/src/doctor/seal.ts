import { dropPart, type Proposal } from '../model/edit.ts';
import { toFactRecord, type FactRecord } from '../model/fact.ts';
import type { Repair } from '../model/finding.ts';
import type { Message } from '../model/part.ts';
import { applyProposals } from './apply.ts';
import type { Choices } from './case.ts';
import { wake } from './diagnose.ts';
import type { Draft } from './draft.ts';
import { locate } from './locate.ts';
import type { Envelope, Target } from './target.ts';

/**
 * Some models bind reasoning to the exact bytes before it. After an edit every later reasoning part would be refused,
 * so it goes where a rule of the contract listens to that; reasoning before the first edit stays.
 */
export function unseal(
  draft: Draft,
  target: Target,
  { input, choices }: { input: Envelope; choices: Choices },
): Repair[] {
  if (!target.rules.wanted.has('prefix-changed')) return [];
  const repairs: Repair[] = [];
  const proposals: Proposal[] = [];
  for (const { rule, found } of wake(draft, target, { facts: boundReasoning(draft), choices })) {
    const { message, part = 0 } = found.fact;
    const note = rule.explain(found);
    proposals.push({ edits: [dropPart({ message, part })], action: 'drop', loss: 'lossy', note });
    const at = locate(found.fact, draft, { target, input });
    repairs.push({ rule: rule.id, at, action: 'drop', loss: 'lossy', note });
  }
  if (proposals.length > 0) applyProposals(draft, proposals, target.profile);
  return repairs;
}

/** The reasoning that stands behind the first change of the input. */
function boundReasoning(draft: Draft): FactRecord[] {
  const change = draft.firstChange;
  if (change === undefined) return [];
  const facts: FactRecord[] = [];
  for (let message = 0; message < draft.wire.length; message += 1) {
    if (draft.source(message) >= 0 && draft.source(message) < change.message) continue;
    for (const part of boundParts(draft.message(message), change)) {
      facts.push(toFactRecord('prefix-changed', { message, part }, {}));
    }
  }
  return facts;
}

/** Indexes of the reasoning parts of a message that come after the first change. */
function boundParts(message: Message, change: { message: number; part: number }): number[] {
  const bound: number[] = [];
  message.parts.forEach((part, index) => {
    const { message: source, part: place = 0 } = part.at ?? { message: Number.POSITIVE_INFINITY };
    const after = source > change.message || (source === change.message && place >= change.part);
    if (part.kind === 'reasoning' && after) bound.push(index);
  });
  return bound;
}
