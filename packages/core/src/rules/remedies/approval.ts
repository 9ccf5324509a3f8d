import type { CallPart, Part } from '../../model/part.ts';
import type { Case } from '../../model/rule.ts';
import type { EvidenceKind } from '../../model/synthetic.ts';
import { isRecord } from '../../model/value.ts';
import { callOf, UNNAMED, wireOf } from './place.ts';
import { isInLastStep } from './last-step.ts';

/** Some frameworks ask a person before they run a call, and keep both the question and the answer in the history. */
type Decision = { readonly approved: boolean; readonly message: number };

const NONE: ReadonlySet<unknown> = new Set();

/** The ids of the questions in a message, by the calls they are about. */
type Questions = ReadonlyMap<unknown, Set<unknown>>;

/** The ids of the questions about a call; they stand in the message of the call. */
function questionsOf(found: Case, callId: string): ReadonlySet<unknown> {
  const { parts } = found.message(found.fact.message);
  // Worked out once, however many calls of the message ask.
  const questions = found.note('questions', () => new Map<readonly Part[], Questions>());
  const asked = questions.get(parts) ?? gatherQuestions(parts);
  questions.set(parts, asked);
  return asked.get(callId) ?? NONE;
}

function gatherQuestions(parts: readonly Part[]): Questions {
  const gathered = new Map<unknown, Set<unknown>>();
  for (const part of parts) {
    const wire = wireOf(part);
    if (wire['type'] !== 'tool-approval-request') continue;
    const { toolCallId, approvalId } = wire;
    const ids = gathered.get(toolCallId) ?? new Set();
    gathered.set(toolCallId, ids.add(approvalId));
  }
  return gathered;
}

/** What a person decided about a call, in the messages of results behind it, first to last. */
function decisionsOf(found: Case, asked: ReadonlySet<unknown>): Decision[] {
  const decisions: Decision[] = [];
  for (let i = found.fact.message + 1; i < found.count && found.message(i).role === 'tool'; i += 1) {
    for (const part of found.message(i).parts) {
      const { type, approvalId, approved } = wireOf(part);
      if (type !== 'tool-approval-response' || !asked.has(approvalId)) continue;
      decisions.push({ approved: approved === true, message: i });
    }
  }
  return decisions;
}

/** True for a call that was asked about. */
export function isAskedAbout(found: Case): boolean {
  if (isRecord(wireOf(callOf(found, found.fact))['approval'])) return true;
  return questionsOf(found, callOf(found, found.fact).callId).size > 0;
}

/** True for a call that the framework itself will run or deny next, because the history ends with the decision. */
export function isDecided(found: Case): boolean {
  const call = callOf(found, found.fact);
  if (found.profile.carrier === 'call') return isDecidedInPlace(found, call);
  if (!found.fact.waiting) return false;
  const asked = questionsOf(found, call.callId);
  if (asked.size === 0 || !canRun(found, call)) return false;
  return found.isLast(decisionsOf(found, asked).at(-1)?.message ?? -1);
}

/** Where a call and all that is known of it are one part, the decision is there too. */
function isDecidedInPlace(found: Case, call: CallPart): boolean {
  const { message, part = 0 } = found.fact;
  const { state, approval } = wireOf(call);
  const approved = state === 'approval-responded' && isRecord(approval) && approval['approved'] === true;
  if (!approved || !found.isLast(message) || !canRun(found, call)) return false;
  return isInLastStep(found, { message, part });
}

/** A framework can only run what it was given, and nothing that has lost its name. */
function canRun({ request }: Case, { tool }: CallPart): boolean {
  return tool !== UNNAMED && request?.tools?.has(tool) !== false;
}

/** What the history itself says about the fate of a call that nobody answered; undefined where it says nothing. */
export function fateOf(found: Case, call: CallPart): EvidenceKind | undefined {
  if (wireOf(call)['state'] === 'approval-requested') return 'not-started';
  const asked = questionsOf(found, call.callId);
  if (asked.size === 0) return undefined;
  const [decision] = decisionsOf(found, asked);
  if (decision === undefined) return 'not-started';
  return decision.approved ? undefined : 'denied';
}
