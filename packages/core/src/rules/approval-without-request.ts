import { dropPart } from '../model/edit.ts';
import type { Case, Rule } from '../model/rule.ts';
import { isRecord } from '../model/value.ts';
import { partOf, placeOf, wireOf } from './remedies/place.ts';

/** A framework that acts on decisions refuses one about a question that was never asked. */
export const approvalWithoutRequest: Rule = {
  id: 'approval-without-request',
  title: 'a decision about a call is not to be acted on',
  layer: 'pair',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'ai-sdk-model': ['ai-missing-results'] },
  trigger: 'approval',
  summary:
    'A person approved or refused a call, and the message that asked for it was cut away since, or the call has its ' +
    'result already. At the end of the history the framework acts on decisions: it cannot find this one’s call, or ' +
    'it would run the call a second time. The decision goes; there is nothing left that it could be about.',
  detect: (found) => found.isLast(found.fact.message) && (refusalOf(found) !== undefined || isDone(found)),
  explain: (found) =>
    isDone(found)
      ? `the decision ${approvalId(found)} would run a call again that has its result`
      : `the decision ${approvalId(found)} is about a question that nobody asked`,
  providerError: { 'ai-sdk-model': (found) => refusalOf(found) },
  repair: (found) => ({
    edits: [dropPart(placeOf(found))],
    action: 'drop',
    loss: 'lossy',
    note: `removed the decision ${approvalId(found)}, which there is nothing left to do about`,
  }),
};

function approvalId(found: Case): string {
  return String(wireOf(partOf(found))['approvalId']);
}

function questionOf(found: Case): Readonly<Record<string, unknown>> | undefined {
  const id = approvalId(found);
  return findWire(found, (wire) => wire['type'] === 'tool-approval-request' && wire['approvalId'] === id);
}

/** True when the call was answered before the decision came, which the framework does not look for. */
function isDone(found: Case): boolean {
  const id = questionOf(found)?.['toolCallId'];
  for (let i = found.fact.message - 1; i >= 0 && found.message(i).role === 'tool'; i -= 1) {
    if (found.message(i).parts.some((part) => part.kind === 'result' && part.callId === id)) return true;
  }
  return false;
}

/** Why the framework would refuse this decision; undefined where it would not. */
function refusalOf(found: Case): string | undefined {
  const id = approvalId(found);
  const asking = questionOf(found);
  if (asking === undefined) {
    return (
      `Tool approval response references unknown approvalId: "${id}". ` +
      'No matching tool-approval-request found in message history.'
    );
  }
  const { toolCallId } = asking;
  const called = findWire(found, (wire) => wire['type'] === 'tool-call' && wire['toolCallId'] === toolCallId);
  return called === undefined ? `Tool call "${String(toolCallId)}" not found for approval request "${id}".` : undefined;
}

/** Decisions wait at the end, so what they are about is looked for from there. */
function findWire(
  found: Case,
  fits: (wire: Readonly<Record<string, unknown>>) => boolean,
): Readonly<Record<string, unknown>> | undefined {
  for (let i = found.count - 1; i >= 0; i -= 1) {
    const { role, parts } = found.message(i);
    if (role !== 'assistant') continue;
    const part = parts.findLast(({ wire }) => isRecord(wire) && fits(wire));
    if (part !== undefined) return wireOf(part);
  }
  return undefined;
}
