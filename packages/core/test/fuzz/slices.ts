import { before, cuts, decode, fromTurn, lastTurns, page, splitHead, turns, type Page } from '../../src/index.ts';
import { pairKey, type Message } from '../../src/model/part.ts';
import { judge } from '../../../simulator/src/judges/judge.ts';
import type { LongHistory } from './long-histories.ts';
import { messagesIn } from './reading.ts';

/** What is wrong with a part of a history that was accepted as a whole; undefined for nothing. */
export function refusalOf(part: unknown, { dialect, target }: LongHistory): string | undefined {
  const list = Array.isArray(part) ? part : messagesIn(part);
  const [refusal] = judge(dialect, list, { purpose: 'history', model: target.model });
  return refusal && `judge: ${refusal.row}`;
}

/** The cuts that stand between a call and its result, told by reading every message in full. */
function splitPairs(messages: readonly Message[], places: readonly number[]): number[] {
  const calls = new Map<string, number>();
  const spans: [from: number, to: number][] = [];
  messages.forEach(({ parts }, index) => {
    for (const part of parts) {
      if (part.kind === 'call') calls.set(pairKey(part), index);
      else if (part.kind === 'result') spans.push([calls.get(pairKey(part)) ?? index, index]);
    }
  });
  return places.filter((cut) => spans.some(([from, to]) => from < cut && cut <= to));
}

type Tell = (detail: string) => void;

function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}

/** Every part that every operation gives is accepted, holds the very messages of the whole, and splits no pair. */
export function holdSlices(history: LongHistory): string[] {
  const { input, list, target } = history;
  const broken: string[] = [];
  const judged = new Set([`0 ${list.length}`]);
  const tell: Tell = (detail) => void broken.push(detail);
  const expectPart: ExpectPart = (name, part, [from, to]) => {
    if (!same(messagesIn(part), list.slice(from, to))) tell(`${name} gives other messages than those of the list`);
    if (from === 0 && to === list.length && part !== input) tell(`${name} of everything is not the input itself`);
    const place = `${from} ${to}`;
    // The same messages are judged once, whichever operation gave them.
    if (judged.has(place)) return;
    judged.add(place);
    const refusal = refusalOf(part, history);
    if (refusal !== undefined) tell(`${name} is refused, ${refusal}`);
  };
  const places = cuts(input, target);
  const messages = decode(list, history.dialect)?.messages ?? [];
  if (splitPairs(messages, places).length > 0) tell('a cut splits a pair');
  holdTurns(history, places, tell);
  holdSplit(history, places, expectPart);
  holdRanges(history, places, expectPart);
  if (history.random.chance(2)) holdPages(history, { tell, expectPart });
  return [...new Set(broken)];
}

type ExpectPart = (name: string, part: unknown, places: readonly [from: number, to: number]) => void;

function holdTurns({ input, list, target }: LongHistory, places: readonly number[], tell: Tell): void {
  const all = turns(input, target);
  const known = new Set([0, ...places]);
  if (
    !same(
      all.flatMap(({ messages }) => messages),
      list,
    )
  )
    tell('the turns together are not the list');
  if (all.some(({ from }) => !known.has(from))) tell('a turn begins where there is no cut');
  if (all.some(({ index }, place) => index !== place)) tell('a turn has the number of another');
}

function holdSplit(history: LongHistory, places: readonly number[], expectPart: ExpectPart): void {
  const { input, list, target, random } = history;
  for (const minKeepTail of [random.below(3), random.below(list.length + 2)]) {
    const { head, tail } = splitHead(input, { minKeepTail, target });
    const cut = places.findLast((place) => place <= list.length - minKeepTail) ?? 0;
    expectPart('the head', head, [0, cut]);
    expectPart('the tail', tail, [cut, list.length]);
  }
}

function holdRanges(history: LongHistory, places: readonly number[], expectPart: ExpectPart): void {
  const { input, list, target, random } = history;
  const all = turns(input, target);
  const spoken = all.filter(({ kind }) => kind === 'user');
  const k = random.below(spoken.length + 2);
  const first = k === 0 ? list.length : k >= spoken.length ? 0 : (spoken.at(-k)?.from ?? 0);
  expectPart('the last turns', lastTurns(input, k, target), [first, list.length]);
  const n = random.below(all.length + 1);
  expectPart('what begins at a turn', fromTurn(input, n, target), [all[n]?.from ?? list.length, list.length]);
  const index = random.below(list.length + 1);
  const cut = index === list.length ? index : (places.findLast((place) => place <= index) ?? 0);
  expectPart('what is before a message', before(input, index, target), [0, cut]);
}

function holdPages(history: LongHistory, { tell, expectPart }: { tell: Tell; expectPart: ExpectPart }): void {
  const { input, list, target, random } = history;
  const minMessages = random.between(1, 9);
  let after: number | undefined = 0;
  for (let pages = 0; after !== undefined; pages += 1) {
    const { messages, next, hasMore }: Page<unknown> = page(input, { after, minMessages, target });
    expectPart('a page', messages, [after, next ?? list.length]);
    if (hasMore !== (next !== undefined)) tell('a page does not say that there is more');
    if (next !== undefined && next < after + minMessages) tell('a page is shorter than asked');
    if (pages > list.length) return tell('the pages never end');
    after = next;
  }
}
