import type { Edit, Proposal } from '../model/edit.ts';
import type { Part } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { isSystemPrompt, staying } from './remedies/requests.ts';

/** Requests without a response between them say the same thing twice, or something nobody answered. */
export const consecutiveRequests: Rule = {
  id: 'consecutive-requests',
  title: 'a request follows another without a response between them',
  layer: 'sequence',
  severity: 'wasteful',
  loss: 'lossy',
  evidence: { 'pydantic-ai': ['py-repair'] },
  trigger: 'same-role',
  summary:
    'The user stopped the run before the model answered, and asked again. The framework accepts both ' +
    'requests, and both are kept. Only the discard policy keeps the last of the run alone; a request that ' +
    'carries results or holds a summary is never dropped, and system prompts move to the request that stays.',
  detect: (found) => found.message(found.fact.message).role === 'user',
  explain: () => 'this request follows another that was never answered',
  repair: (found) => {
    const { message } = found.fact;
    if (found.policy.consecutiveRequests !== 'keep-last') return undefined;
    // The whole run is settled at once, at its last request, so that a long one is gone over only once.
    return nextOfRun(found, message) === undefined ? keepLast(found, runUpTo(found, message)) : undefined;
  },
};

/** The requests that end with this one, without a response between them. */
function runUpTo(found: Case, last: number): number[] {
  const run: number[] = [];
  for (let i = last; i >= 0; i -= 1) {
    const { role } = found.message(i);
    if (role === 'user') run.push(i);
    else if (role !== 'system') break;
  }
  return run.reverse();
}

function nextOfRun(found: Case, message: number): number | undefined {
  for (let i = message + 1; i < found.count; i += 1) {
    const { role } = found.message(i);
    if (role === 'user') return i;
    if (role !== 'system') break;
  }
  return undefined;
}

function keepLast(found: Case, run: readonly number[]): Proposal | undefined {
  const edits: Edit[] = [];
  const kept = staying(found, run);
  let moved: Part[] = [];
  let dropped = 0;
  for (const message of run) {
    const { parts } = found.message(message);
    if (!kept.has(message)) {
      dropped += 1;
      moved.push(...parts.filter(isSystemPrompt));
      edits.push({ kind: 'message', message, messages: [] });
    } else if (moved.length > 0) {
      edits.push({ kind: 'message', message, messages: [{ ...found.message(message), parts: [...moved, ...parts] }] });
      moved = [];
    }
  }
  if (dropped === 0) return undefined;
  const note = `removed ${String(dropped)} unanswered request${dropped === 1 ? '' : 's'} before this one`;
  return { edits, action: 'drop', loss: 'lossy', note };
}
