import { readSafely } from '../model/read-safely.ts';
import type { Message, Part } from '../model/part.ts';
import { asideAt } from './aside.ts';
import type { CutChoice } from './choose-cut.ts';
import { summaryBefore } from './earlier-summary.ts';
import type { Bench, Gone } from './gone.ts';
import { ACKNOWLEDGEMENT, join, type Joined } from './joints.ts';
import type { Layout } from './layout.ts';
import { fitSections, LEFT_OUT, ruleSummary } from './rule-summary.ts';
import { readSections } from './sections.ts';
import { stagedSummary } from './staged-summary.ts';
import { SummaryError } from './summary-check.ts';
import type { SummaryModel } from './summary-prompt.ts';
import { summaryIn, toMessage, withoutSummary, type SummaryMessage } from './summary.ts';

/** What is to be summarised, and how. */
export type SummaryWork = {
  /** The list as it was given: the one who writes the summary is told everything. */
  readonly source: readonly unknown[];
  /** The same list after the steps before this one. */
  readonly list: readonly unknown[];
  readonly layout: Layout;
  readonly choice: CutChoice;
  readonly bench: Bench;
  /** How long the summary may be, and how much a model can be given at once. */
  readonly summaryTokens: number;
  readonly inputTokens: number;
  readonly at: string | undefined;
  /** Without one the summary is made by rules. */
  readonly model: SummaryModel | undefined;
};

/** A list that begins with a summary. */
export type Summarised = {
  readonly list: readonly unknown[];
  readonly summary: SummaryMessage;
  readonly gone: readonly Gone[];
  readonly calls: number;
  readonly note: string;
};

/** What the summary is to say, before it is known how much room there is. */
type Told = { readonly content: string; readonly calls: number; readonly notes: readonly string[] };

/** How many of the newest messages a summary made by rules looks at; a longer one would not say more. */
const RULE_WINDOW = 300;

/** Puts a summary in the place of everything before a cut that is not protected. Throws a `SummaryError`. */
export async function writeSummary(work: SummaryWork): Promise<Summarised> {
  const { choice, bench, layout, at } = work;
  const range = { from: layout.leading, to: choice.cut };
  const carried = carriedParts(work);
  const make = (content: string): SummaryMessage => ({
    content,
    ...(at === undefined ? {} : { timestamp: at }),
    sourceRange: range,
  });
  const place = (content: string): Placed => assemble(work, toMessage(make(content), carried));
  // Where no summary at all would be short enough, one that says something is worth more.
  const isMet = choice.roomTokens > place('').made;
  const room = isMet ? choice.roomTokens : Number.POSITIVE_INFINITY;
  const maxTokens = Math.min(work.summaryTokens, room - place('').made);
  const told = await tell(work, maxTokens);
  const fitted = fit(told.content, { count: bench.count, place, maxTokens, room });
  if (bench.scales.upTo(droppedOf(work), fitted.made) !== Number.POSITIVE_INFINITY) {
    throw new SummaryError('not-shorter', 'the summary is not shorter than what it stands for', { calls: told.calls });
  }
  const notes = fitted.content === told.content ? told.notes : [...told.notes, 'it was shortened to fit the budget'];
  return {
    list: fitted.list,
    summary: make(fitted.content),
    gone: goneStretches(work),
    calls: told.calls,
    note: notes.join('; '),
  };
}

/** A list with a summary in it, and what the messages weigh that were not there before. */
type Placed = { readonly list: readonly unknown[]; readonly made: number };

type Fitting = {
  readonly count: Bench['count'];
  readonly place: (content: string) => Placed;
  readonly maxTokens: number;
  /** What all that is made may weigh together. */
  readonly room: number;
};

/** Counts of parts do not add up exactly, so what is still too much is taken off, a few times at most. */
function fit(content: string, { count, place, maxTokens, room }: Fitting): Placed & { readonly content: string } {
  let most = maxTokens;
  let fitted = content;
  let placed = place(content);
  for (let tries = 0; tries < 4; tries += 1) {
    const excess = Math.max(placed.made - room, count(fitted) - most);
    if (excess <= 0) break;
    most = Math.max(1, Math.min(most, count(fitted) - excess));
    fitted = fitSections(readSections(content), { count, maxTokens: most });
    placed = place(fitted);
  }
  return { ...placed, content: fitted };
}

async function tell(work: SummaryWork, maxTokens: number): Promise<Told> {
  const { bench, source, layout, choice, model } = work;
  const { codec, count } = bench;
  const newest = summaryBefore(source, choice.cut, { ...bench, outline: layout.outline });
  const read = (index: number): Message => readSafely(codec, source[index], index);
  const previous = newest < 0 ? undefined : summaryIn(read(newest))?.content;
  const first = Math.max(newest, layout.leading);
  const from = model === undefined ? Math.max(first, choice.cut - RULE_WINDOW) : first;
  const messages: Message[] = [];
  for (let i = from; i < choice.cut; i += 1) messages.push(withoutSummary(read(i)));
  if (model !== undefined) {
    const staged = await stagedSummary({ messages, previous, model, count, maxTokens, inputTokens: work.inputTokens });
    return { content: staged.content, calls: staged.calls, notes: stagedNotes(staged) };
  }
  const asked = layout.outline.voices.indexOf('user');
  const unread = from - first;
  const earliest = unread > 0 && asked >= 0 && asked < from ? read(asked) : undefined;
  const content = ruleSummary({ messages, first: earliest, previous, unread, count, maxTokens });
  return { content, calls: 0, notes: ['made by rules, without a model'] };
}

function stagedNotes({
  calls,
  stages,
  omitted,
}: {
  calls: number;
  stages: number;
  omitted: readonly number[];
}): string[] {
  const notes = [`written by the model in ${String(calls)} ${calls === 1 ? 'request' : 'requests'}`];
  if (stages > 1) notes.push(`in ${String(stages)} stages`);
  if (omitted.length > 0) {
    notes.push(`${String(omitted.length)} of the oldest messages were too much for the model and are not told`);
  }
  return notes;
}

/** What the smallest summary weighs, and what each piece weighs that may have to stand between two others. */
export function leastWeights(
  list: readonly unknown[],
  { layout, bench, at }: Pick<SummaryWork, 'layout' | 'bench' | 'at'>,
): { readonly summary: number; readonly joint: number } {
  const { codec, scales } = bench;
  const sourceRange = { from: list.length, to: list.length };
  const summary = { content: LEFT_OUT, ...(at === undefined ? {} : { timestamp: at }), sourceRange };
  const carried = firstAside(list, layout, bench);
  return {
    summary: scales.of(codec.write(toMessage(summary, carried), list)),
    joint: scales.of(codec.write(ACKNOWLEDGEMENT, list)),
  };
}

/** What a framework put beside the first words of the user; it would be lost with them. */
function carriedParts({ source, layout, bench, choice }: SummaryWork): readonly Part[] {
  const { leading } = layout;
  const stays = choice.stretches.some(({ from, to }) => from <= leading && leading < to);
  return stays ? [] : firstAside(source, layout, bench);
}

function firstAside(list: readonly unknown[], { leading, outline }: Layout, { codec }: Bench): readonly Part[] {
  return asideAt(list, leading, { codec, role: outline.roles[leading] });
}

/** The system's words, the summary, what is protected before the cut, and everything behind it. */
function assemble({ list, layout, choice, bench }: SummaryWork, message: Message): Placed {
  const { roles } = layout.outline;
  const pieces: Joined[] = [];
  let last = -1;
  const push = (from: number, to: number): void => {
    roles.slice(from, to).forEach((role, index) => {
      pieces.push({ wire: list[from + index], role, follows: last === from + index - 1 });
      last = from + index;
    });
  };
  push(0, layout.leading);
  const summary = bench.codec.write(message, list);
  pieces.push({ wire: summary, role: 'user', follows: false });
  last = -2;
  for (const { from, to } of choice.stretches) push(Math.max(from, layout.leading), to);
  push(choice.cut, list.length);
  const { list: joined, between } = join(pieces, bench.codec);
  const made = [summary, ...between].reduce<number>((sum, wire) => sum + bench.scales.of(wire), 0);
  return { list: joined, made };
}

function droppedOf(work: SummaryWork): unknown[] {
  return goneStretches(work).flatMap(({ from, to }) => work.list.slice(from, to));
}

function goneStretches({ choice, layout }: SummaryWork): Gone[] {
  const gone: Gone[] = [];
  const note = 'the summary stands for it';
  let at = layout.leading;
  for (const { from, to } of [...choice.stretches, { from: choice.cut, to: choice.cut }]) {
    if (at < from) gone.push({ from: at, to: from, what: 'summarised', note });
    at = Math.max(at, to);
  }
  return gone;
}
