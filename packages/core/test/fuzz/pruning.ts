import { cuts, decode, filterCompacted, pruneOldToolOutputs, type Dialect, type ResultPart } from '../../src/index.ts';
import { isSummaryText, SUMMARY_HEADING } from '../../src/model/summary-message.ts';
import { prepareHistory } from '../../src/resume/index.ts';
import type { LongHistory } from './long-histories.ts';
import { messagesIn } from './reading.ts';
import { refusalOf } from './slices.ts';

const resultsIn = (list: readonly unknown[], { dialect }: LongHistory): ResultPart[] =>
  decode(list, dialect)?.messages.flatMap(({ parts }) => parts.filter((part) => part.kind === 'result')) ?? [];

/** Pruning keeps pairs and flags, is accepted, changes nothing twice, and what it has changed stays so. */
export function holdPruning(history: LongHistory): string[] {
  const { input, target, random } = history;
  const options = {
    protectTokens: random.pick([0, 200, 1000]),
    protectTurns: random.below(3),
    minFreedTokens: random.pick([0, 50, 500]),
    target,
  };
  const broken: string[] = [];
  const { output, changed, freedTokens } = pruneOldToolOutputs(input, options);
  const pruned = messagesIn(output);
  if (changed === (output === input)) broken.push('changed and identity differ');
  if (changed !== freedTokens > 0) broken.push('changed and freed tokens differ');
  const refusal = refusalOf(output, history);
  if (refusal !== undefined) broken.push(`what was pruned is refused, ${refusal}`);
  if (pruneOldToolOutputs(output, options).changed) broken.push('pruning twice is not pruning once');
  broken.push(...holdResults(history, pruned), ...holdPrefix(history, pruned, options));
  return broken;
}

function holdResults(history: LongHistory, pruned: readonly unknown[]): string[] {
  const before = resultsIn(history.list, history);
  const after = resultsIn(pruned, history);
  const same = before.every(
    ({ callId, outcome, server }, index) =>
      after[index]?.callId === callId && after[index].outcome === outcome && after[index].server === server,
  );
  return same && before.length === after.length ? [] : ['a result has lost its call or its outcome'];
}

/** Of a list that has grown, everything stays pruned that was pruned before, with the same bytes. */
function holdPrefix({ list, target, random }: LongHistory, pruned: readonly unknown[], options: object): string[] {
  const cut = random.pick([0, ...cuts(list, target)]);
  const shorter = list.slice(0, cut);
  const before = pruneOldToolOutputs(shorter, { ...options, target }).output;
  const unstable = before.some(
    (message, index) => message !== shorter[index] && JSON.stringify(message) !== JSON.stringify(pruned[index]),
  );
  return unstable ? ['what was pruned is not pruned any more when the list has grown'] : [];
}

function holdsSummary(wire: unknown, dialect: Dialect): boolean {
  const parts = decode([wire], dialect)?.messages[0]?.parts ?? [];
  return parts.some((part) => part.kind === 'text' && isSummaryText(part.text));
}

/** A list that begins at its newest summary is accepted, and so is one made ready for the next request. */
export function holdFilter(history: LongHistory): string[] {
  const { input, list, dialect, target, random } = history;
  const broken: string[] = [];
  // Few lists have a summary, and the others have little to show here.
  if (!JSON.stringify(list).includes(SUMMARY_HEADING) && !random.chance(4)) return broken;
  const filtered = filterCompacted(input, target);
  const kept = messagesIn(filtered);
  const summaries = list.filter((wire) => holdsSummary(wire, dialect));
  if (summaries.length === 0 && filtered !== input) broken.push('a list without a summary was filtered');
  const left = kept.filter((wire) => holdsSummary(wire, dialect));
  if (left.length !== Math.min(1, summaries.length)) broken.push('the filter did not keep the newest summary alone');
  const refusal = refusalOf(filtered, history);
  if (refusal !== undefined) broken.push(`what was filtered is refused, ${refusal}`);
  if (!random.chance(3)) return broken;
  const prepared = prepareHistory(input, { target, protectTokens: 200, protectTurns: 1, minFreedTokens: 50 });
  const other = refusalOf(prepared, history);
  if (other !== undefined) broken.push(`what was prepared is refused, ${other}`);
  return broken;
}
