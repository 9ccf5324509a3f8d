import { applyProposals } from '../engine/apply.ts';
import type { Woken } from '../engine/diagnose.ts';
import { Draft } from '../engine/draft.ts';
import { treat } from '../engine/treat.ts';
import type { Edit } from '../model/edit.ts';
import type { Message } from '../model/part.ts';
import { DISCARD, type Policy } from '../model/policy.ts';
import type { Rule } from '../model/rule.ts';
import { mend } from '../model/value.ts';
import { pruneRawContent } from '../prune-raw-content.ts';
import { rankedBy, type Target } from '../engine/target.ts';
import { resolveTarget } from '../target.ts';

/** What the cleanup loop and its steps do: of a batch only the calls without a return go. */
export const LOOP_POLICY: Policy = { ...DISCARD, partialBatch: 'remove-open' };

/** A list after one step, with a note on each change. */
export type Cleaned<M> = {
  /** The list that was given, if nothing changed. */
  readonly messages: M[];
  readonly changed: boolean;
  readonly notes: readonly string[];
};

type Choice = { readonly policy?: Policy; readonly next?: 'user' };
type Search = Choice & { readonly rules: readonly Rule[] };

/** Lets some rules of the engine, and only those, clean a list. Any dialect; an unknown one comes back as it is. */
export function applyRules<M>(messages: readonly M[], rules: readonly Rule[], choice: Choice = {}): Cleaned<M> {
  return withInertCopy(messages, (list) => {
    const outcome = examine(list, rules, { ...choice, maxPasses: 10 });
    if (outcome === undefined || outcome.draft.wire === list) return unchanged(list);
    const notes = outcome.repairs.map((repair) => repair.note);
    return { messages: pruneRawContent(outcome.draft, list), changed: true, notes };
  });
}

/** What can be told of the places some rules find, without a change. */
export function findWith<T>(messages: readonly unknown[], search: Search, tell: (woken: Woken) => readonly T[]): T[] {
  const find = (list: readonly unknown[]): T[] =>
    examine(list, search.rules, { ...search, maxPasses: 0 })?.left.flatMap(tell) ?? [];
  try {
    return find(messages);
  } catch {
    return find(mend(messages) as unknown[]);
  }
}

function examine(
  messages: readonly unknown[],
  rules: readonly Rule[],
  { policy = LOOP_POLICY, next, maxPasses }: Choice & { maxPasses: number },
): ReturnType<typeof treat> | undefined {
  const resolved = resolveTarget(messages, undefined, next);
  if (resolved === undefined) return undefined;
  const target: Target = { ...resolved.target, rules: (fact) => rankedBy(fact, rules) };
  const choices = { policy, evidence: undefined };
  return treat({ target, input: resolved.envelope, choices, open: 'close', maxPasses });
}

/** Edits a list message by message, where no rule is needed to see what has to go. */
export function editEach<M>(
  messages: readonly M[],
  propose: (message: Message, index: number) => { readonly edits: readonly Edit[]; readonly note: string } | undefined,
): Cleaned<M> {
  return withInertCopy(messages, (list) => {
    const resolved = resolveTarget(list, undefined);
    if (resolved === undefined) return unchanged(list);
    const { codec, profile } = resolved.target;
    const draft = new Draft(codec, list, undefined);
    const proposals = list.flatMap((_, index) => propose(draft.message(index), index) ?? []);
    if (proposals.length === 0) return unchanged(list);
    const costs = { action: 'drop', loss: 'lossy' } as const;
    applyProposals(
      draft,
      proposals.map(({ edits, note }) => ({ edits, note, ...costs })),
      profile,
    );
    return { messages: pruneRawContent(draft, list), changed: true, notes: proposals.map(({ note }) => note) };
  });
}

/** The list itself, or an inert copy of one that throws when it is read; undefined for what is no list. */
export function listIn<M>(messages: readonly M[]): readonly M[] | undefined {
  try {
    if (!Array.isArray(messages)) return undefined;
    for (let i = 0; i < messages.length; i += 1) void messages[i];
    return messages;
  } catch {
    const copy = mend(messages);
    return Array.isArray(copy) ? (copy as M[]) : undefined;
  }
}

/** Ids of all calls in a list. */
export function callIds(messages: readonly unknown[]): ReadonlySet<string> {
  const ids = new Set<string>();
  editEach(messages, ({ parts }) => {
    for (const part of parts) if (part.kind === 'call') ids.add(part.callId);
    return undefined;
  });
  return ids;
}

export function unchanged<M>(messages: readonly M[]): Cleaned<M> {
  // People hold their messages in lists of their own, to which a readonly list could not be assigned.
  return { messages: messages as M[], changed: false, notes: [] };
}

/** Something in the list may throw when it is read; an inert copy of it does not. */
function withInertCopy<M>(messages: readonly M[], work: (list: readonly M[]) => Cleaned<M>): Cleaned<M> {
  try {
    return Array.isArray(messages) ? work(messages) : unchanged(messages);
  } catch {
    const cleaned = work(mend(messages) as readonly M[]);
    return cleaned.changed ? cleaned : unchanged(messages);
  }
}
