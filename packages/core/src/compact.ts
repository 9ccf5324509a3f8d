import type { Dialect } from './model/dialect.ts';
import { makeCheckpoint, restoreList, type Around, type Checkpoint, type Rung } from './compaction/checkpoint.ts';
import { pinnedPlaces, type Keep, type Pin } from './compaction/choose-cut.ts';
import {
  compactList,
  type Breaker,
  type CompactChoices,
  type CompactedList,
  type StepReport,
} from './compaction/compact-list.ts';
import { pruneChoices, type PruneWish } from './compaction/prune-results.ts';
import { stepContext, type Gone, type StepContext } from './compaction/step.ts';
import { stamped } from './compaction/summary-message.ts';
import type { SummaryModel } from './compaction/staged-summary.ts';
import type { TokenCounter } from './compaction/tokens.ts';
import { openInput, isHistory, isHostile, type OpenInput } from './open-input.ts';
import type { Finding, Repair } from './model/finding.ts';
import { ask } from './model/read-safely.ts';
import { isRecord, setKey } from './model/value.ts';
import { compactOptionFindings, targetFindings } from './option-findings.ts';
import { check, repair } from './repair.ts';
import type { TargetInput } from './target.ts';

/** How short a history should become, and what must be kept. */
export type CompactOptions = {
  /** Token budget for all messages together. */
  readonly budgetTokens: number;
  /** How much of the end is kept as it is while anything else helps (default: the newest turn). */
  readonly keep?: Keep;
  /** Messages that are kept as they are, with what belongs to them. */
  readonly pins?: readonly Pin[];
  /** The steps that may be taken (default: all). Their order is always the same. */
  readonly ladder?: readonly Rung[];
  /** What pruning leaves alone, and when it is worth it (defaults: see `PruneOptions`). */
  readonly prune?: PruneWish;
  /** Results longer than this are clamped (default: an eighth of the budget). */
  readonly clampTokens?: number;
  /** Token budget for the summary (default: an eighth of the budget, 4 000 at most). */
  readonly summaryTokens?: number;
  /** How many tokens of the history one request to the model may quote (default: 100 000). */
  readonly inputTokens?: number;
  /** Writes the summary (default: rules make it, without a model). */
  readonly model?: SummaryModel;
  /** Counts the tokens of a text (default: an estimate). */
  readonly count?: TokenCounter;
  /** The time that is recorded in the summary and the checkpoint. */
  readonly at?: string;
  /** The breaker that the last compaction returned: a model that keeps failing is no longer asked. */
  readonly breaker?: Breaker;
  /** Where the history goes (default: detected). */
  readonly target?: TargetInput;
};

/** What was done to a history, and why. */
export type CompactReport = {
  readonly budgetTokens: number;
  /** Tokens of the messages before and after; undefined if they are so many that they were not all counted. */
  readonly tokensBefore?: number;
  readonly tokens?: number;
  /** Whether the budget is met. */
  readonly met: boolean;
  /** Why it is not met. */
  readonly why?: string;
  readonly steps: readonly StepReport[];
  /** Everything of the input that was changed or removed. */
  readonly gone: readonly Gone[];
  /** Repairs that the output needed to be as sendable as the input. */
  readonly repairs: readonly Repair[];
  /** Options that are unknown or invalid, each with what is valid; absent if there are none. */
  readonly findings?: readonly Finding[];
};

export type Compacted<T> = {
  /** A list, a request or a history, as the input was. */
  readonly history: T;
  readonly changed: boolean;
  /** Undoes the compaction; undefined if nothing was done. */
  readonly checkpoint: Checkpoint | undefined;
  /** The messages of the input that the summary replaces. */
  readonly dropped: readonly unknown[];
  readonly report: CompactReport;
  /** Pass it to the next compaction of this session. */
  readonly breaker: Breaker;
};

const LADDER: readonly Rung[] = ['clamp', 'repeated-reads', 'prune', 'summary', 'rule-summary'];
const MOST_SUMMARY = 4_000;
const INPUT_TOKENS = 100_000;

/**
 * Makes a history shorter until it is within a budget: long results are clamped, repeated reads and old results
 * emptied, and in the end a summary stands for everything before a cut. Each step is taken only if it is still needed.
 *
 * @example
 * const { history, report } = await compact(messages, { budgetTokens: 40_000 });
 */
export async function compact<T>(input: T, options: CompactOptions): Promise<Compacted<T>> {
  const compacted = await compactAny(input, options);
  const findings = [...targetFindings(options.target), ...compactOptionFindings(options)];
  return findings.length === 0 ? compacted : { ...compacted, report: { ...compacted.report, findings } };
}

async function compactAny<T>(input: T, options: CompactOptions): Promise<Compacted<T>> {
  try {
    return await compactReadable(input, options);
  } catch (error) {
    // What cannot be read stays as it is; anything else that throws is the caller's to know.
    if (isHostile(input)) return unread(input, options);
    throw error;
  }
}

async function compactReadable<T>(input: T, options: CompactOptions): Promise<Compacted<T>> {
  const held = ask((given: T) => openInput(given, options.target), input);
  if (held === undefined) return unread(input, options);
  const context = stepContext(held, options.count);
  const compacted = await compactList(held.list, choicesOf(options, held), context);
  const mended = mend(held, compacted.list, { input, target: options.target });
  return resultOf(held, { input, mended, compacted, options, context });
}

/**
 * Undoes a compaction and keeps everything that was added since. Throws if the list is another one.
 *
 * @example
 * const before = undo(checkpoint, history);
 */
export function undo<T>(checkpoint: Checkpoint, current: T, target?: TargetInput): T {
  const held = openInput(current, target ?? (checkpoint.dialect as Dialect));
  const list = held === undefined ? undefined : restoreList(checkpoint, held.list);
  if (held === undefined || list === undefined) {
    throw new Error('this history does not begin with what the compaction made of it, so it cannot be undone here');
  }
  return restoreAround(held.withList(list), checkpoint.around);
}

function restoreAround<T>(restored: T, around: Around | undefined): T {
  if (around === undefined || !isRecord(restored)) return restored;
  const before = new Map(around.fields);
  const body: Record<string, unknown> = {};
  for (const key of around.keys) setKey(body, key, before.has(key) ? before.get(key) : restored[key]);
  return body as T;
}

function choicesOf<T>(options: CompactOptions, { items }: OpenInput<T>): CompactChoices {
  const { budgetTokens, prune = {} } = options;
  const share = Math.max(1, Math.floor(budgetTokens / 8));
  return {
    budgetTokens,
    keep: options.keep ?? {},
    pins: [...pinnedPlaces(items, options.pins ?? [])],
    ladder: options.ladder === undefined ? LADDER : LADDER.filter((step) => options.ladder?.includes(step)),
    prune: pruneChoices(prune, budgetTokens),
    clampTokens: options.clampTokens ?? share,
    summaryTokens: options.summaryTokens ?? Math.min(MOST_SUMMARY, share),
    inputTokens: options.inputTokens ?? INPUT_TOKENS,
    model: options.model,
    at: stamped(options.at).timestamp,
    breaker: options.breaker ?? { failures: 0 },
  };
}

type Mended<T> = { readonly output: T; readonly list: readonly unknown[]; readonly repairs: readonly Repair[] };

/** The net below: a history that was sendable stays so, whatever of a kind not foreseen stood at the cut. */
function mend<T>(held: OpenInput<T>, list: readonly unknown[], { input, target }: Given<T>): Mended<T> {
  const { codec } = held;
  const wanted = { ...(typeof target === 'object' ? target : {}), dialect: codec.dialect as Dialect };
  const output = held.withList(list);
  // What was decoded is judged as it would be sent.
  const [before, after] = isHistory(input) ? [held.list, list] : [input, output];
  if (list === held.list || isSendable(after, wanted) || !isSendable(before, wanted)) {
    return { output, list, repairs: [] };
  }
  const repaired = repair<unknown>(after, wanted, { open: 'leave' });
  const body = isRecord(repaired.output) ? repaired.output : { [codec.listKey]: repaired.output };
  const mended = body[codec.listKey] as readonly unknown[];
  const whole = isHistory(input) ? held.withList(mended) : (repaired.output as T);
  return { output: whole, list: mended, repairs: repaired.report.repairs };
}

type Given<T> = { readonly input: T; readonly target: TargetInput | undefined };

function isSendable(input: unknown, target: TargetInput): boolean {
  return check(input, target).verdict === 'clean';
}

type Parts<T> = {
  readonly input: T;
  readonly mended: Mended<T>;
  readonly compacted: CompactedList;
  readonly options: CompactOptions;
  readonly context: StepContext;
};

function resultOf<T>(held: OpenInput<T>, parts: Parts<T>): Compacted<T> {
  const { input, mended, compacted, options } = parts;
  const { steps, gone, summary, breaker } = compacted;
  const { list, output } = mended;
  const changed = list !== held.list;
  const around = aroundOf(input, output, held.codec.listKey);
  const done = steps.filter(({ outcome }) => outcome === 'done').map(({ step }) => step);
  const noted = {
    dialect: held.codec.dialect,
    done,
    at: stamped(options.at).timestamp,
    summary,
    source: held.list,
    output: list,
    around,
  };
  const summarised = gone.filter(({ what }) => what === 'summarised');
  const dropped = summarised.map(({ from, to }) => held.list.slice(from, to));
  return {
    history: output,
    changed,
    checkpoint: changed ? makeCheckpoint(noted) : undefined,
    // Whole lists are put behind one another many times faster than message by message.
    dropped: ([] as unknown[]).concat(...dropped),
    report: reportOf(held, parts),
    breaker,
  };
}

/** What stood around a list where a repair had to change that too; undefined where it is as it was. */
function aroundOf(input: unknown, output: unknown, listKey: string): Around | undefined {
  if (!isRecord(input) || !isRecord(output) || isHistory(input)) return undefined;
  const keys = Object.keys(input);
  const same = (key: string): boolean => key === listKey || Object.is(input[key], output[key]);
  if (keys.every(same) && keys.length === Object.keys(output).length) return undefined;
  return { keys, fields: keys.filter((key) => !same(key)).map((key) => [key, input[key]] as const) };
}

function reportOf<T>(held: OpenInput<T>, { mended, compacted, options, context }: Parts<T>): CompactReport {
  const { budgetTokens } = options;
  // Where nobody counted all of it, that is not done for the report alone.
  const most = compacted.isFar ? budgetTokens : Number.POSITIVE_INFINITY;
  const before = context.tokens.upTo(held.list, most);
  const after = context.tokens.upTo(mended.list, mended.list === held.list ? most : Number.POSITIVE_INFINITY);
  const met = after <= budgetTokens;
  return {
    budgetTokens,
    ...(Number.isFinite(before) ? { tokensBefore: before } : {}),
    ...(Number.isFinite(after) ? { tokens: after } : {}),
    met,
    ...(met ? {} : { why: whyNot(compacted.steps, after - budgetTokens) }),
    steps: compacted.steps,
    gone: compacted.gone,
    repairs: mended.repairs,
  };
}

const TOO_MUCH = 'what must stay is more than the budget: the last instruction, the newest turn, open calls and pins';
const NO_LADDER = 'no further step may be taken: the ladder has no summary';
const NO_NUMBER = 'the budget, or what the counter gave, is no number';

function whyNot(steps: readonly StepReport[], excess: number): string {
  const last = steps.findLast(({ step }) => step.endsWith('summary'));
  if (last?.outcome === 'refused' || last?.outcome === 'failed') return last.note;
  if (Number.isNaN(excess)) return NO_NUMBER;
  return last === undefined ? NO_LADDER : TOO_MUCH;
}

function unread<T>(input: T, { budgetTokens, breaker = { failures: 0 } }: CompactOptions): Compacted<T> {
  const why = 'this is no list of messages that can be read, and no request with one, in any dialect known here';
  const empty = ask((given: T) => Array.isArray(given) && given.length === 0, input) === true;
  return {
    history: input,
    changed: false,
    checkpoint: undefined,
    dropped: [],
    report: { budgetTokens, met: empty, ...(empty ? {} : { why }), steps: [], gone: [], repairs: [] },
    breaker,
  };
}
