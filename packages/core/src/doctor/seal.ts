import { dropPart, type Proposal } from '../model/edit.ts';
import type { Repair } from '../model/finding.ts';
import type { Message } from '../model/part.ts';
import { applyProposals } from './apply.ts';
import type { Draft } from './draft.ts';
import { locate } from './locate.ts';
import type { Envelope, Target } from './target.ts';

const NOTE = 'reasoning bound to the bytes before it was dropped, because those bytes had to change';

/**
 * Some models bind reasoning to the exact bytes before it. After an edit every later reasoning part would be refused,
 * so it goes; reasoning before the first edit stays.
 */
export function unseal(draft: Draft, target: Target, input: Envelope): Repair[] {
  const change = draft.firstChange;
  if (!target.profile.reasoningBound || change === undefined) return [];
  const repairs: Repair[] = [];
  const proposals: Proposal[] = [];
  for (let message = 0; message < draft.wire.length; message += 1) {
    if (draft.source(message) >= 0 && draft.source(message) < change.message) continue;
    for (const part of boundParts(draft.message(message), change)) {
      const at = locate({ fact: 'prefix-changed', message, part }, draft, { target, input });
      proposals.push({ edits: [dropPart({ message, part })], action: 'drop', loss: 'lossy', note: NOTE });
      repairs.push({ rule: 'reasoning-after-edit', at, action: 'drop', loss: 'lossy', note: NOTE });
    }
  }
  if (proposals.length > 0) applyProposals(draft, proposals, target.profile);
  return repairs;
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
