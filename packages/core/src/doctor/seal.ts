import type { Proposal } from '../model/edit.ts';
import { dropPart } from '../model/edit.ts';
import type { Repair } from '../model/finding.ts';
import type { Message } from '../model/part.ts';
import { applyProposals } from './apply.ts';
import type { Draft } from './draft.ts';
import type { Target } from './target.ts';

const RULE = 'reasoning-after-edit';

/**
 * Some models bind reasoning to the exact bytes before it. After an edit every later reasoning part would be refused,
 * so it goes; reasoning before the first edit stays.
 */
export function unseal(draft: Draft, target: Target): { changed: boolean; repairs: Repair[] } {
  const none = { changed: false, repairs: [] };
  if (!target.profile.reasoningBound || draft.firstChange === Number.POSITIVE_INFINITY) return none;
  if (!target.rules.ordered.some((rule) => rule.id === RULE)) return none;
  const repairs: Repair[] = [];
  const proposals: Proposal[] = [];
  for (let i = firstAffected(draft); i < draft.wire.length; i += 1) {
    const message = draft.message(i);
    for (const part of boundParts(message, draft.firstChange)) {
      const note = 'reasoning bound to the bytes before it was dropped, because those bytes had to change';
      proposals.push({ edits: [dropPart({ message: i, part })], action: 'drop', loss: 'lossy', note });
      repairs.push({ rule: RULE, at: place(message, part, target), action: 'drop', loss: 'lossy', note });
    }
  }
  if (proposals.length === 0) return none;
  applyProposals(draft, proposals, target.profile);
  return { changed: true, repairs };
}

function firstAffected(draft: Draft): number {
  let index = 0;
  while (index < draft.wire.length && draft.source(index) < Math.floor(draft.firstChange)) index += 1;
  return index;
}

/** Indexes of the reasoning parts of a message that come after the first change. */
function boundParts(message: Message, firstChange: number): number[] {
  const bound: number[] = [];
  let untouched = true;
  message.parts.forEach((part, index) => {
    const source = part.at?.message ?? -1;
    untouched &&= part.at !== undefined && source < firstChange + 1 && part.at.part === index;
    const before = source < firstChange || (source === firstChange && untouched);
    if (part.kind === 'reasoning' && !before) bound.push(index);
  });
  return bound;
}

function place(message: Message, part: number, target: Target): Repair['at'] {
  const at = message.parts[part]?.at;
  const index = at?.message ?? Math.max(0, message.at);
  return { message: index, ...(at?.part === undefined ? {} : { part: at.part }), pointer: `/${String(index)}${target.codec.pointer(message.wire, at?.part ?? part)}` };
}
