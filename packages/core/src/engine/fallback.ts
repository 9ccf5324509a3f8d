import type { Finding, Repair } from '../model/finding.ts';
import { textPart } from '../model/part.ts';
import { TEXTS } from '../model/synthetic.ts';
import { isBlank } from '../model/value.ts';
import { wake, type Woken } from './diagnose.ts';
import type { Draft } from './draft.ts';
import { locate } from './report.ts';
import { survey } from './survey.ts';
import { editOnce, type Outcome, type Treatment } from './treat.ts';

const RULE = 'passes-exhausted';

/** A finding that edits should have answered and did not. */
export function isRefused({ rule }: Woken): boolean {
  return rule.severity !== 'wasteful' && rule.repair !== undefined;
}

/** The places at which a list may be divided, in order. */
export type CutsOf = (list: readonly unknown[]) => readonly number[];

/** The last resort: whole turns go from the end until the rest is accepted; if nothing is left, a quotation is sent. */
export function fallBack(
  outcome: Outcome,
  treatment: Treatment,
  cutsOf: CutsOf,
): Outcome & { readonly fell: 'salvaged' | 'emptied' } {
  const { draft } = outcome;
  const repairs: Repair[] = [...outcome.repairs];
  const findings = [...outcome.findings, exhaustedFinding(outcome)];
  let left: readonly Woken[] = outcome.left;
  let fell: 'salvaged' | 'emptied' = 'salvaged';
  while (left.some(isRefused)) {
    const refused = Math.min(firstRefused(left), draft.wire.length - 1);
    const cut = cutsOf(draft.wire).findLast((place) => place <= refused) ?? 0;
    repairs.push(cut > 0 ? truncate(draft, cut, treatment) : empty(draft, treatment));
    left = findAgain(draft, treatment);
    // What is left may end where a request may not end; mending that costs no further turn.
    for (const each of editOnce(draft, left, treatment).repairs) repairs.push(each);
    left = findAgain(draft, treatment);
    if (cut > 0) continue;
    fell = 'emptied';
    break;
  }
  return { ...outcome, findings, repairs, passes: draft.walks, left, fell };
}

function findAgain(draft: Draft, { target, choices }: Treatment): Woken[] {
  return wake(draft, target, { facts: survey(draft, target).takeFacts(), choices });
}

function exhaustedFinding(outcome: Outcome): Finding {
  return {
    rule: RULE,
    severity: 'degraded',
    at: { message: -1, pointer: '' },
    explain: `after ${String(outcome.passes)} passes something was still refused, so whole turns were left out`,
  };
}

/** The first message that is refused; what is wrong with the request as a whole is looked for in its second half. */
function firstRefused(left: readonly Woken[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (const woken of left) {
    if (!isRefused(woken)) continue;
    const { fact, count } = woken.found;
    first = Math.min(first, fact.message < 0 ? count >> 1 : fact.message);
  }
  return first;
}

function truncate(draft: Draft, cut: number, treatment: Treatment): Repair {
  const at = locate({ message: cut }, draft, treatment);
  for (let i = cut; i < draft.wire.length; i += 1) {
    for (const part of draft.message(i).parts) draft.lost += part.characters;
  }
  keep(draft, draft.wire.slice(0, cut));
  const note = 'this turn and all after it were left out; send the last instruction again';
  return { rule: RULE, at, action: 'drop', loss: 'lossy', note };
}

function empty(draft: Draft, treatment: Treatment): Repair {
  const quotation = readable(draft);
  for (let i = 0; i < draft.wire.length; i += 1) {
    for (const part of draft.message(i).parts) if (!('text' in part)) draft.lost += part.characters;
  }
  const text = isBlank(quotation) ? TEXTS.resumed : `${TEXTS.transcript}\n${quotation}`;
  const needed = treatment.target.purpose === 'request' || !isBlank(quotation);
  const parts = [textPart(text, 0)];
  keep(draft, needed ? [draft.codec.write({ role: 'user', parts, at: -1 }, draft.wire, draft.memory)] : []);
  const note = 'the history could not be sent in any part; what could be read of it is quoted in one message';
  return { rule: RULE, at: { message: -1, pointer: '' }, action: 'demote', loss: 'lossy', note };
}

function keep(draft: Draft, wire: readonly unknown[]): void {
  const sources = wire.map((_, index) => draft.source(index));
  draft.advance({ wire, sources, edited: new Map(), fresh: new Set(wire.keys()) });
  draft.fresh = undefined;
}

function readable(draft: Draft): string {
  const lines: string[] = [];
  for (let i = 0; i < draft.wire.length; i += 1) {
    const { role, parts } = draft.message(i);
    const texts = parts.map((part) => ('text' in part ? part.text : '')).filter((text) => !isBlank(text));
    if (texts.length > 0) lines.push(`${role}: ${texts.join('\n').toWellFormed()}`);
  }
  return lines.join('\n');
}
