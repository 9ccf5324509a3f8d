import { readSafely } from '../model/read-safely.ts';
import { textPart, type Message, type Part, type Role } from '../model/part.ts';
import { TEXTS } from '../model/synthetic.ts';
import type { CutChoice, Layout, Range } from './choose-cut.ts';
import { ruleSummary } from './rule-summary.ts';
import { stagedSummary, type Staged, type SummaryModel } from './staged-summary.ts';
import type { Gone, StepContext } from './step.ts';
import { SummaryError } from './summary-check.ts';
import {
  ACKNOWLEDGEMENT,
  carriedParts,
  stamped,
  summaryIn,
  toMessage,
  withoutSummary,
  type SummaryMessage,
} from './summary-message.ts';
import { fitSections, LEFT_OUT, readSections } from './summary-sections.ts';

/** How long the summary may be, how much a model can be given at once, and the time that the summary carries. */
export type SummaryLimits = {
  readonly summaryTokens: number;
  readonly inputTokens: number;
  readonly at: string | undefined;
};

/** What is to be summarised, and how. */
export type SummaryWork = {
  /** The list as it was given: the one who writes the summary is told everything. */
  readonly source: readonly unknown[];
  /** The same list after the steps before this one. */
  readonly list: readonly unknown[];
  readonly layout: Layout;
  readonly choice: CutChoice;
  readonly context: StepContext;
  readonly limits: SummaryLimits;
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

/** How many of the newest messages a summary made by rules looks at; a longer one would not say more. */
const RULE_WINDOW = 300;

/** Puts a summary in the place of everything before a cut that is not protected. Throws a `SummaryError`. */
export async function writeSummary(work: SummaryWork): Promise<Summarised> {
  const { choice, context, layout, list, limits } = work;
  const { leading } = layout.outline;
  const sourceRange = { from: leading, to: choice.cut };
  const stays = choice.ranges.some(({ from, to }) => from <= leading && leading < to);
  const carried = stays ? [] : firstCarried(work);
  const make = (content: string): SummaryMessage => ({ content, ...stamped(limits.at), sourceRange });
  const place = (content: string): Placed => assemble(work, toMessage(make(content), carried));
  const least = place('').made;
  // Where no summary at all would be short enough, one that says something is worth more.
  const room = choice.roomTokens > least ? choice.roomTokens : Number.POSITIVE_INFINITY;
  const maxTokens = Math.min(limits.summaryTokens, room - least);
  const told = await tell(work, maxTokens);
  const fitted = fit(told.content, { count: context.count, place, maxTokens, room });
  const ranges = rangesBetween([{ from: 0, to: leading }, ...choice.ranges], choice.cut);
  const dropped = ranges.flatMap(({ from, to }) => list.slice(from, to));
  if (context.tokens.upTo(dropped, fitted.made) !== Number.POSITIVE_INFINITY) {
    throw new SummaryError('not-shorter', 'the summary is not shorter than what it stands for', { calls: told.calls });
  }
  const notes = fitted.content === told.content ? told.notes : [...told.notes, 'it was shortened to fit the budget'];
  return {
    list: fitted.list,
    summary: make(fitted.content),
    gone: ranges.map((range): Gone => ({ ...range, what: 'summarised', note: 'the summary stands for it' })),
    calls: told.calls,
    note: notes.join('; '),
  };
}

/** What lies between some ascending ranges, up to a cut. */
function rangesBetween(ranges: readonly Range[], cut: number): Range[] {
  const between: Range[] = [];
  let at = 0;
  for (const { from, to } of [...ranges, { from: cut, to: cut }]) {
    if (at < from) between.push({ from: at, to: from });
    at = Math.max(at, to);
  }
  return between;
}

/** A list with a summary in it, and the tokens of the messages that were not there before. */
type Placed = { readonly list: readonly unknown[]; readonly made: number };

type Fitting = {
  readonly count: StepContext['count'];
  readonly place: (content: string) => Placed;
  readonly maxTokens: number;
  /** How many tokens all that is made may have together. */
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

/** What the summary is to say, before it is known how much room there is. */
type Told = { readonly content: string; readonly calls: number; readonly notes: readonly string[] };

async function tell(work: SummaryWork, maxTokens: number): Promise<Told> {
  const { context, source, layout, choice, model, limits } = work;
  const { authors, leading, summaries } = layout.outline;
  const { codec, count } = context;
  const read = (index: number): Message => readSafely(codec, source[index], index);
  const newest = summaries.findLast((index) => index < choice.cut) ?? -1;
  const previous = newest < 0 ? undefined : summaryIn(read(newest))?.content;
  const first = Math.max(newest, leading);
  const from = model === undefined ? Math.max(first, choice.cut - RULE_WINDOW) : first;
  const messages: Message[] = [];
  for (let i = from; i < choice.cut; i += 1) messages.push(withoutSummary(read(i)));
  if (model !== undefined) {
    const staged = await stagedSummary({
      messages,
      previous,
      model,
      count,
      maxTokens,
      inputTokens: limits.inputTokens,
    });
    return { content: staged.content, calls: staged.calls, notes: stagedNotes(staged) };
  }
  const asked = authors.indexOf('user');
  const unread = from - first;
  const earliest = unread > 0 && asked >= 0 && asked < from ? read(asked) : undefined;
  const content = ruleSummary({ messages, first: earliest, previous, unread, count, maxTokens });
  return { content, calls: 0, notes: ['made by rules, without a model'] };
}

function stagedNotes({ calls, stages, omitted }: Staged): string[] {
  const notes = [`written by the model in ${String(calls)} ${calls === 1 ? 'request' : 'requests'}`];
  if (stages > 1) notes.push(`in ${String(stages)} stages`);
  if (omitted.length > 0) {
    notes.push(`${String(omitted.length)} of the oldest messages were too much for the model and are not told`);
  }
  return notes;
}

type Source = Pick<SummaryWork, 'source' | 'layout' | 'context'>;

/** The tokens of the smallest summary, and of each message that may have to stand between two others. */
export function leastTokens(work: Source & Pick<SummaryLimits, 'at'>): {
  readonly summary: number;
  readonly filler: number;
} {
  const { source, context, at } = work;
  const { codec, tokens } = context;
  const sourceRange = { from: source.length, to: source.length };
  const summary = toMessage({ content: LEFT_OUT, ...stamped(at), sourceRange }, firstCarried(work));
  return {
    summary: tokens.of(codec.write(summary, source)),
    filler: tokens.of(codec.write(ACKNOWLEDGEMENT, source)),
  };
}

/** What a framework put beside the first words of the user; it would be lost with them. */
function firstCarried({ source, layout, context }: Source): readonly Part[] {
  return carriedParts(source, layout.outline, context.codec);
}

/**
 * The system's words, the summary, what is protected before the cut, and everything behind it. Where two messages meet
 * that did not before, the one who would speak twice is interrupted, because some providers refuse that, and because a
 * request in front of another is taken for one that was given up.
 */
function assemble({ list, layout, choice, context }: SummaryWork, message: Message): Placed {
  const { roles, leading } = layout.outline;
  const { codec, tokens } = context;
  const joined: unknown[] = [];
  let made = 0;
  let before: Role | undefined;
  const push = (wire: unknown, role: Role, isAdjacent: boolean): void => {
    const filler = isAdjacent || before === undefined ? undefined : fillerBetween(before, role);
    if (filler !== undefined) {
      const written = codec.write(filler, joined);
      made += tokens.of(written);
      joined.push(written);
    }
    joined.push(wire);
    before = role;
  };
  let last = -1;
  const pushRange = (from: number, to: number): void => {
    for (const [offset, role] of roles.slice(from, to).entries()) {
      push(list[from + offset], role, last === from + offset - 1);
      last = from + offset;
    }
  };
  pushRange(0, leading);
  const summary = codec.write(message, list);
  push(summary, 'user', false);
  last = -2;
  for (const { from, to } of choice.ranges) pushRange(Math.max(from, leading), to);
  pushRange(choice.cut, list.length);
  return { list: joined, made: made + tokens.of(summary) };
}

function fillerBetween(before: Role, next: Role): Message | undefined {
  if (before === 'system') return undefined;
  if (next === 'user' && before !== 'assistant') return ACKNOWLEDGEMENT;
  if (next !== 'assistant' || before !== 'assistant') return undefined;
  return { role: 'user', parts: [textPart(TEXTS.resumed, 0)], at: -1 };
}
