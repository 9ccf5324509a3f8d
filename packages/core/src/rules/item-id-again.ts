import { replacePart, type Proposal } from '../model/edit.ts';
import type { Case, Rule } from '../model/rule.ts';
import { sameJson, withKeys } from '../model/value.ts';
import { otherOf } from './remedies/place.ts';
import { isReference, isStoredTwice, itemOf, leaveOut, setThoughtAside, withoutId } from './remedies/response-items.ts';

/** A provider that keeps what it made refuses to be given one thing twice. */
export const itemIdAgain: Rule = {
  id: 'item-id-again',
  title: 'two entries have the same id',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'openai-responses': ['or-id-dup'], 'openai-agents': ['or-id-dup'] },
  trigger: 'item-id-again',
  summary:
    'Two parts of one answer were stored as two entries, a response was stored twice, or an entry stands beside ' +
    'a reference to it. The second one is sent by value, without its id. A second reference goes, and so does ' +
    'reasoning that is there already. The output of a local shell names its call by its id, and then by `call_id`.',
  explain: (found) => `the id ${String(itemOf(found)['id'])} is that of an earlier entry`,
  providerError: { 'openai-responses': refusal, 'openai-agents': refusal },
  repair,
};

function refusal(found: Case): string {
  return `Duplicate item found with id ${String(itemOf(found)['id'])}`;
}

function repair(found: Case): Proposal | undefined {
  const item = itemOf(found);
  // Whatever gives the second call another id takes the id of its entry as well.
  if (isStoredTwice(found)) return undefined;
  if (isReference(item)) return leaveOut(found, 'removed a second reference to one thing');
  if (isNamedByCall(item)) return namedByCallId(found, item['id']);
  if (item['type'] !== 'reasoning') return withoutId(found, 'removed the id of an earlier entry');
  if (!sameJson(item, found.list[otherOf(found).message])) return setThoughtAside(found, 'its id is taken');
  const { message } = found.fact;
  const elsewhere = found.message(message).parts.reduce((total, part) => total + part.characters, 0);
  return {
    edits: [{ kind: 'part', message, part: 0, parts: [], elsewhere }],
    action: 'drop',
    loss: 'none',
    note: 'removed reasoning that is there already',
  };
}

/** The predecessor of the shell has no other name for its call, so that its output would be anybody's without it. */
function isNamedByCall({ type, call_id: callId }: Record<string, unknown>): boolean {
  return type === 'local_shell_call_output' && (callId === undefined || callId === null);
}

function namedByCallId(found: Case, id: unknown): Proposal {
  const { message } = found.fact;
  const edits = found.message(message).parts.map((part, i) => {
    return replacePart({ message, part: i }, { ...part, wire: withKeys(part.wire, { id: undefined, call_id: id }) });
  });
  const note = 'named the call by call_id: the id is that of an earlier entry';
  return { edits, action: 'rewrite', loss: 'none', note };
}
