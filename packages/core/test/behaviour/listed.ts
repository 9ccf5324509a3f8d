import { isDeepStrictEqual as isSame } from 'node:util';
import type { Found } from './worker.ts';

/** Differences that are meant. An entry that matches nothing in a whole run is an error: take it out. */
export type Listed = {
  readonly name: string;
  readonly reason: string;
  /** Sees the difference in full: the input, and both answers as they are shown. */
  readonly matches: (difference: Found) => boolean;
};

/** After the reference is moved to a commit that has them, these are to be emptied. */
export const LISTED: readonly Listed[] = [
  {
    name: 'rules in one order',
    reason: 'rules() gives all rules in the one order of rules/order.ts, and names option-invalid, which is new',
    matches: ({ question, before, after }) => question === 'rules' && isSame(rulesById(before), rulesById(after)),
  },
  {
    name: 'outputs without an id',
    reason: 'a shell output that names no call is refused, so a reference before it no longer stands for its call',
    matches: ({ dialect, input }) => dialect === 'openai-responses' && holdsNamelessOutput(input),
  },
  {
    name: 'status after the arguments',
    reason: 'a call that a conversion writes for the Agents SDK has its keys in the order that a repair gives them',
    matches: ({ question, before, after }) => question === 'convert' && isSame(before, after),
  },
];

function rulesById(answer: unknown): unknown {
  const { told } = answer as { told: readonly { readonly id: string }[] };
  return told.filter(({ id }) => id !== 'option-invalid').toSorted((a, b) => a.id.localeCompare(b.id));
}

function holdsNamelessOutput(input: unknown): boolean {
  const list = Array.isArray(input) ? (input as unknown[]) : (input as { input?: unknown } | null)?.input;
  if (!Array.isArray(list)) return false;
  return (list as ({ type?: unknown; call_id?: unknown } | null)[]).some(
    (item) => String(item?.type).endsWith('_call_output') && !item?.call_id,
  );
}
