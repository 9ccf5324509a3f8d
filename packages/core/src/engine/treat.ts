import type { Edit, Proposal } from '../model/edit.ts';
import type { Fact } from '../model/fact.ts';
import type { Finding, Repair } from '../model/finding.ts';
import { TEXTS } from '../model/synthetic.ts';
import { applyProposals } from './apply.ts';
import type { Choices } from './case.ts';
import { inReadingOrder, toFinding, wake, type Woken } from './diagnose.ts';
import { Draft } from './draft.ts';
import { locate } from './report.ts';
import { Rewritten, type Answered } from './rewritten.ts';
import { unseal } from './seal.ts';
import { PAIR_FACTS, survey, surveyMade, surveyNeighbours } from './survey.ts';
import type { Envelope, Target } from './target.ts';

export type Treatment = {
  readonly target: Target;
  readonly input: Envelope;
  readonly choices: Choices;
  readonly open: 'close' | 'leave';
  readonly maxPasses: number;
};

/** A history after treatment, with everything that was found and done. */
export type Outcome = {
  readonly draft: Draft;
  /** What is wrong with the input. */
  readonly findings: readonly Finding[];
  readonly repairs: readonly Repair[];
  /** How often the list was walked. */
  readonly passes: number;
  readonly characters: number;
  /** What is still refused, and where in the draft. */
  readonly left: readonly Woken[];
  readonly waiting: boolean;
};

/** What is wrong with an input. */
export type Examined = Pick<Outcome, 'draft' | 'findings' | 'characters'> & { readonly seen: readonly Woken[] };

/** Walks an input once and wakes the rules that answer to what was noticed; where nothing was, no rule runs. */
export function examine({ target, input, choices }: Pick<Treatment, 'target' | 'input' | 'choices'>): Examined {
  const draft = new Draft(target.codec, input.list, input.body);
  const walk = survey(draft, target);
  const facts = walk.takeFacts();
  const characters = walk.total;
  if (facts.length === 0) return { draft, findings: [], characters, seen: [] };
  const seen = wake(draft, target, { facts, choices });
  const findings = inReadingOrder(seen.map((woken) => toFinding(woken, draft, { target, input })));
  return { draft, findings, characters, seen };
}

/** Detect, edit, detect again, until nothing is found that an edit could mend. */
export function treat(treatment: Treatment, examined: Examined = examine(treatment)): Outcome {
  const { target, input, choices, maxPasses } = treatment;
  const { draft, findings, characters, seen } = examined;
  const repairs: Repair[] = [];
  let left = seen;
  for (let pass = 1; pass < maxPasses && left.length > 0; pass += 1) {
    const made = editRound(draft, left, treatment);
    if (made.length === 0) break;
    // One by one: a call takes only so many arguments, and a round may have made more changes than that.
    for (const each of made) repairs.push(each);
    const walk = survey(draft, target);
    left = wake(draft, target, { facts: walk.takeFacts(), choices });
    if (walk.lastReasoning >= 0 && left.every((woken) => isIdle(woken, treatment))) {
      const dropped = unseal(draft, target, { input, choices });
      for (const each of dropped) repairs.push(each);
      if (dropped.length > 0) left = wake(draft, target, { facts: survey(draft, target).takeFacts(), choices });
    }
  }
  draft.restoreSame(input.list);
  const waiting = left.some((woken) => isWaiting(woken, treatment));
  left = left.filter((woken) => !isWaiting(woken, treatment));
  return { draft, findings, repairs, passes: draft.walks, characters, left, waiting };
}

/** How often a message is mended before the list is walked again. */
const MENDINGS = 8;

/**
 * A round of edits. What is made of a message that could not be read may hold more that cannot be read; that is seen in
 * the message alone, so no walk over the list is spent on it.
 */
function editRound(draft: Draft, left: readonly Woken[], treatment: Treatment): Repair[] {
  const { target, choices } = treatment;
  const { repairs, settled } = editOnce(draft, left, treatment);
  if (settled) return [...repairs, ...mendNeighbours(draft, treatment)];
  let unread = repairs.length > 0 && left.some(isStructural);
  for (let times = 1; unread && times < MENDINGS; times += 1) {
    const found = wake(draft, target, { facts: surveyMade(draft, target), choices }).filter(isStructural);
    const made = editOnce(draft, found, treatment).repairs;
    for (const each of made) repairs.push(each);
    unread = made.length > 0;
  }
  return repairs;
}

/** Where edits have put one thing beside another, who may follow whom is seen there, so no walk is spent on it. */
function mendNeighbours(draft: Draft, treatment: Treatment): Repair[] {
  const { target, choices } = treatment;
  return editOnce(draft, wake(draft, target, { facts: surveyNeighbours(draft, target), choices }), treatment).repairs;
}

function isStructural({ rule }: Woken): boolean {
  return rule.layer === 'structure';
}

/** What a round of edits has done, and whether it is known now which messages stay. */
type Edited = { readonly repairs: Repair[]; readonly settled: boolean };

/** One round of edits; none where no rule proposes any. */
export function editOnce(draft: Draft, left: readonly Woken[], treatment: Treatment): Edited {
  const { proposals, postponed, hidden, settled } = propose(left, treatment, new Rewritten(draft, treatment.target));
  if (proposals.length === 0) return { repairs: [], settled: false };
  const made = proposals.map(({ woken, proposal }) => ({
    proposal,
    repair: toRepair(woken, proposal, { draft, treatment }),
    beside: besideOf(woken, proposal, { draft, treatment }),
  }));
  const parted = applyProposals(
    draft,
    proposals.map(({ proposal }) => proposal),
    treatment.target.profile,
  );
  if (postponed && hidden) draft.fresh = undefined;
  const repairs = made.flatMap(({ proposal, repair, beside }) => [
    parted.has(proposal) ? withSeparator(repair) : repair,
    ...beside,
  ]);
  return { repairs, settled };
}

/** A text that keeps reasoning apart is invented, and told with the change that made it necessary. */
function withSeparator(repair: Repair): Repair {
  const { note, loss } = repair;
  const told = `${note}, and put ${TEXTS.separator} between reasoning that would have met`;
  return { ...repair, loss: loss === 'none' ? 'synthetic' : loss, note: told };
}

function isWaiting({ found }: Woken, { open }: Treatment): boolean {
  return open === 'leave' && found.fact.waiting;
}

function isIdle(woken: Woken, treatment: Treatment): boolean {
  return woken.rule.repair === undefined || woken.rule.severity === 'wasteful' || isWaiting(woken, treatment);
}

type Round = {
  readonly proposals: Answered[];
  /** Something was found that has to wait for the next round. */
  postponed: boolean;
  /** Something is left unanswered that is found again only where its message is read in depth. */
  hidden: boolean;
  /** Nothing waits but what hangs on the order of the messages. */
  settled: boolean;
};

/** Facts that hang on the size of all messages together. */
const SIZES: ReadonlySet<Fact> = new Set<Fact>(['request-too-large', 'prompt-too-long']);

/** Facts whose repair gives a call or a result another id, or takes the result away, so that pairs are matched anew. */
const RENAMES: ReadonlySet<Fact> = new Set<Fact>(['call-id-malformed', 'call-id-again', 'result-misnamed']);

/** Every walk works out the order of the messages and the pairs; what is wrong inside of one it reads once. */
function isHidden({ rule }: Woken): boolean {
  return rule.layer === 'sequence'
    ? SIZES.has(rule.trigger)
    : !(PAIR_FACTS.has(rule.trigger) || rule.trigger === 'item-id-again');
}

/** Asks the woken rules, in order, for edits that do not meet. */
function propose(woken: readonly Woken[], treatment: Treatment, rewritten: Rewritten): Round {
  const claims = new Claims();
  const round: Round = { proposals: [], postponed: false, hidden: false, settled: true };
  let unread = false;
  let unsettled = false;
  for (const each of woken) {
    // Pairs and order can only be judged once every message can be read.
    // What a message is next to can only be judged once it is known which messages stay.
    const { layer, trigger, repair } = each.rule;
    const able = repair !== undefined && !isWaiting(each, treatment);
    const early = (unread && layer !== 'structure') || (unsettled && layer === 'sequence');
    const proposal = able && !early ? repair(each.found) : undefined;
    const made = proposal && (claims.take(proposal) ? { woken: each, proposal } : rewritten.goOn(each));
    const waits = made === undefined && (proposal !== undefined || (able && early));
    if (layer === 'structure' || (waits ? layer !== 'sequence' : RENAMES.has(trigger))) round.settled = false;
    if (made === undefined) {
      round.postponed ||= waits;
      round.hidden ||= isHidden(each);
      continue;
    }
    const { renamed } = made.proposal;
    if (renamed !== undefined) each.found.rename(renamed);
    unread ||= layer === 'structure';
    unsettled ||= layer !== 'sequence';
    rewritten.note(made.proposal);
    round.proposals.push(made);
  }
  return round;
}

function toRepair(
  { rule, found }: Woken,
  proposal: Proposal,
  { draft, treatment }: { draft: Draft; treatment: Treatment },
): Repair {
  const { action, loss, note } = proposal;
  const at = locate(found.fact, draft, { target: treatment.target, input: treatment.input });
  return { rule: rule.id, at, action, loss, note };
}

/** Other messages have no finding of their own, so they are told where they stand. */
function besideOf(
  { rule, found }: Woken,
  { beside = [] }: Proposal,
  { draft, treatment }: { draft: Draft; treatment: Treatment },
): Repair[] {
  return beside.map(({ message, note }) => {
    const fact = { ...found.fact, message, part: undefined };
    const at = locate(fact, draft, { target: treatment.target, input: treatment.input });
    return { rule: rule.id, at, action: 'rewrite', loss: 'none', note };
  });
}

/** Which parts and messages a round of edits has taken; nobody else may touch them in the same round. */
export class Claims {
  readonly #whole = new Set<number>();
  readonly #parts = new Map<number, Set<number>>();

  /** Takes what a proposal touches, all or nothing. */
  take(proposal: Proposal): boolean {
    if (!proposal.edits.every((edit) => this.#free(edit))) return false;
    for (const edit of proposal.edits) this.#claim(edit);
    return true;
  }

  #free(edit: Edit): boolean {
    const { message, part, whole } = reach(edit);
    if (this.#whole.has(message)) return false;
    if (beside(edit).some((place) => this.#whole.has(place) || this.#parts.has(place))) return false;
    const parts = this.#parts.get(message);
    if (parts === undefined) return true;
    return whole ? false : part === undefined || !parts.has(part);
  }

  #claim(edit: Edit): void {
    const { message, part, whole } = reach(edit);
    if (whole) this.#whole.add(message);
    let parts = this.#parts.get(message);
    if (parts === undefined) {
      parts = new Set();
      this.#parts.set(message, parts);
    }
    if (part !== undefined) parts.add(part);
    for (const place of beside(edit)) this.#whole.add(place);
  }
}

/** What a join takes besides its own message: the next one, and the place between the two. */
function beside(edit: Edit): readonly number[] {
  return edit.kind === 'join' ? [edit.message + 1, placeBefore(edit.message + 1)] : [];
}

/** An insertion touches no message, so it is given one that no other edit can name. */
function placeBefore(message: number): number {
  return -2 - message;
}

/** What an edit touches; the request is message -1. */
function reach(edit: Edit): { message: number; part: number | undefined; whole: boolean } {
  switch (edit.kind) {
    case 'part':
      return { message: edit.message, part: edit.part, whole: false };
    case 'append':
    case 'answer':
      return { message: edit.message, part: undefined, whole: false };
    case 'insert':
      return { message: placeBefore(edit.message), part: undefined, whole: true };
    case 'drop-keys':
      return { message: edit.message, part: undefined, whole: true };
    case 'mend':
      return { message: edit.at.message, part: undefined, whole: true };
    case 'body':
      return { message: -1, part: undefined, whole: true };
    default:
      return { message: edit.message, part: undefined, whole: true };
  }
}
