import { turnSpans, turnsOfUser } from './compaction/cuts.ts';
import { outline } from './compaction/outline.ts';
import { stepContext } from './compaction/step.ts';
import type { TokenCounter } from './compaction/tokens.ts';
import { openInput, isHostile } from './open-input.ts';
import { ask } from './model/read-safely.ts';
import type { TargetInput } from './target.ts';

/** When to compact: every condition of one object must hold. Each is exceeded, not reached. */
export type Trigger = {
  /** Tokens of the history. */
  readonly tokens?: number;
  /** Share of the model's window, from 0 to 1. */
  readonly fraction?: number;
  /** Messages of the history. */
  readonly messages?: number;
  /** Turns that a person began. */
  readonly turns?: number;
};

export type ShouldCompactOptions = {
  /** One trigger, or several of which any is enough (default: more than 40 000 tokens). */
  readonly trigger?: Trigger | readonly Trigger[];
  /** Context window of the model, for triggers with a `fraction` (default: what is known of the model). */
  readonly windowTokens?: number;
  /** Counts the tokens of a text (default: an estimate). */
  readonly count?: TokenCounter;
  /** Where the history goes (default: detected). */
  readonly target?: TargetInput;
};

/**
 * True when a history is long enough for a compaction. What its newest summary stands for does not count.
 *
 * @example
 * if (shouldCompact(messages, { trigger: { fraction: 0.8 } })) await compact(messages, { budgetTokens: 40_000 });
 */
export function shouldCompact(input: unknown, options?: ShouldCompactOptions): boolean {
  try {
    return isLong(input, options ?? {});
  } catch (error) {
    if (isHostile(input)) return false;
    throw error;
  }
}

function isLong(input: unknown, options: ShouldCompactOptions): boolean {
  const held = ask((given: unknown) => openInput(given, options.target), input);
  if (held === undefined) return false;
  const { trigger = { tokens: SUMMARY_THRESHOLD }, windowTokens = held.profile.windowTokens } = options;
  const { tokens } = stepContext(held, options.count);
  const noted = outline(held.list, held);
  const from = noted.summaries.at(-1) ?? 0;
  const list = held.list.slice(from);
  return isTriggered(trigger, {
    messages: list.length,
    turns: turnsOfUser(turnSpans(noted)).filter((span) => span.from >= from).length,
    exceeds: (most) => tokens.upTo(list, most) > most,
    windowTokens,
  });
}

/** A longer history is worth a summary, unless the caller says otherwise. */
const SUMMARY_THRESHOLD = 40_000;

/** What a trigger is compared with. */
type Measured = {
  readonly messages: number;
  readonly turns: number;
  /** True when the history has more tokens than this; not counted further than needed. */
  readonly exceeds: (tokens: number) => boolean;
  /** The window of the model; infinite where it is not known, and then no share of it is ever exceeded. */
  readonly windowTokens: number;
};

/** True when all conditions of one trigger hold, of a list when those of any do. One without conditions never does. */
function isTriggered(trigger: Trigger | readonly Trigger[], measured: Measured): boolean {
  return isList(trigger) ? trigger.some((each) => holds(each, measured)) : holds(trigger, measured);
}

function isList(trigger: Trigger | readonly Trigger[]): trigger is readonly Trigger[] {
  return Array.isArray(trigger);
}

function holds({ tokens, fraction, messages, turns }: Trigger, measured: Measured): boolean {
  const conditions: boolean[] = [];
  // What is cheap to know comes first, so that most histories are not counted at all.
  if (messages !== undefined) conditions.push(measured.messages > messages);
  if (turns !== undefined) conditions.push(measured.turns > turns);
  if (conditions.includes(false)) return false;
  if (tokens !== undefined) conditions.push(measured.exceeds(tokens));
  if (fraction !== undefined) conditions.push(measured.exceeds(fraction * measured.windowTokens));
  return conditions.length > 0 && !conditions.includes(false);
}
