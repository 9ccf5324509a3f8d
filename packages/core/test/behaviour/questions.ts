import type { RepairOptions, Repaired, Report, SessionRecord } from '../../src/index.ts';
import { dialects } from '../fuzz/histories.ts';
import { messagesIn } from '../fuzz/reading.ts';
import { CHOICES, COMPACTIONS, REFUSALS } from './choices.ts';
import type { Core } from './core.ts';
import type { Subject } from './subjects.ts';

/** What the library answered. */
export type Answer = {
  /** What goes into histories or decides something: equal to the byte. */
  readonly made?: unknown;
  /** What is told about it: equal but for the order of equal things, and for sentences, which are counted apart. */
  readonly told?: unknown;
  /** Sentences that stand in no report. */
  readonly words?: unknown;
};

/** Something that is asked of a core about every n-th input. */
export type Question = {
  readonly name: string;
  readonly every: number;
  /** Where among each n it is asked, so that not all is asked of the same inputs. */
  readonly at?: number;
  readonly ask: (core: Core, subject: Subject) => Answer | Promise<Answer>;
};

/** How often the engine looked is nobody's business. */
const withoutPasses = (report: Report): unknown => ({ ...report, passes: undefined });

/** Messages that are handed back as they were given, as the same objects. */
function untouched(input: unknown, output: unknown): number | 'all' {
  if (input === output) return 'all';
  const given = new Set(messagesIn(input));
  return messagesIn(output).filter((message) => given.has(message)).length;
}

const answerOf = (input: unknown, { output, changed, lifted, report }: Repaired<unknown>): Answer => ({
  made: { output, changed, lifted, untouched: untouched(input, output) },
  told: withoutPasses(report),
});

const rotate = <T>(from: readonly T[], { index, dialect }: Subject, every: number): T => {
  const turn = Math.floor(index / every) + dialects.indexOf(dialect);
  return from[turn % from.length] as T;
};

const repairWith = (core: Core, { input, target }: Subject, options: RepairOptions): Answer =>
  answerOf(input, core.repair(input, target, options));

/** What a provider would say to this history, or might say to any. */
function refusalOf(core: Core, subject: Subject): string {
  const { findings } = core.check(subject.input, subject.target);
  const words = findings.flatMap(({ providerError }) => (providerError === undefined ? [] : [providerError]));
  return words[subject.index % Math.max(1, words.length)] ?? rotate(REFUSALS, subject, 10);
}

function pushAll(core: Core, { input, target }: Subject): Answer {
  const checker = core.createChecker(target);
  const found = messagesIn(input).map((message) => checker.push(message));
  return { made: { open: checker.open(), settled: checker.settle() }, told: [found, checker.findings()] };
}

function convertTo(core: Core, subject: Subject): Answer {
  const others = dialects.filter((dialect) => dialect !== subject.dialect);
  const { output, report, losses, lifted } = core.convert(subject.input, {
    from: subject.dialect,
    to: rotate(others, subject, 1),
  });
  return { made: { output, lifted }, told: { report: withoutPasses(report), losses } };
}

async function compactTo(core: Core, subject: Subject): Promise<Answer> {
  const { input, dialect } = subject;
  const { share, ...rest } = rotate(COMPACTIONS, subject, 10);
  const target = typeof subject.target === 'object' ? { dialect, ...subject.target } : dialect;
  const tokens = core.estimateTokens(messagesIn(input), target);
  const options = { ...rest, target, budgetTokens: Math.max(1, Math.floor(tokens * share)) };
  const { history, changed, checkpoint, dropped, report, breaker } = await core.compact(input, options);
  const undone = checkpoint === undefined ? undefined : core.undo(checkpoint, history, target);
  return { made: { tokens, history, changed, checkpoint, dropped, breaker, undone }, told: report };
}

function prepareLog(core: Core, { input, dialect, target, options }: Subject): Answer {
  const records = messagesIn(input).map((wire, n): SessionRecord => ({
    v: 1,
    seq: n + 1,
    id: `r${String(n)}`,
    at: '2026-11-16T00:00:00Z',
    kind: 'message',
    data: { dialect, wire },
  }));
  const { sendable, report, ...places } = core.prepare(records, target, options);
  return { made: { sendable, places }, told: withoutPasses(report) };
}

function slice(core: Core, { input, dialect, index, target = dialect }: Subject): Answer {
  const list = messagesIn(input);
  return {
    made: {
      dialect: [core.detectDialect(input), core.detectDialect(list)],
      cuts: core.cuts(input, target),
      turns: core.turns(input, target),
      head: core.splitHead(input, { minKeepTail: index % 5, target }),
      last: core.lastTurns(input, 1 + (index % 3), target),
      from: core.fromTurn(input, index % 3, target),
      before: core.before(input, index % 7, target),
      page: core.page(input, { minMessages: 2, target }),
      filtered: core.filterCompacted(input, target),
      tokens: core.estimateTokens(input, target),
      long: core.shouldCompact(input, { trigger: { tokens: 100 + (index % 900) }, target }),
      digest: core.prefixDigest(list),
      decoded: core.decode(input, dialect),
    },
  };
}

function prune(core: Core, { input, dialect, index, target = dialect }: Subject): Answer {
  const tight = { protectTokens: index % 200, protectTurns: index % 3, minFreedTokens: 10, target };
  return { made: [core.pruneOldToolOutputs(input, tight), core.pruneOldToolOutputs(input, { target })] };
}

async function summarise(core: Core, { input, dialect }: Subject): Promise<Answer> {
  const summary = await core.generateSummary(input, { target: dialect });
  const wire = core.writeSummaryMessage(summary, dialect);
  return { made: { summary, wire, read: core.readSummaryMessage(wire, dialect) } };
}

/** The functions for those who resume a session, which have names and habits of their own. */
function resume({ resume: core }: Core, { input, target, index }: Subject): Answer {
  const list = messagesIn(input);
  const words: string[] = [];
  const logger = (line: string): void => void words.push(line);
  const ids = core.findDanglingToolCallIds(list);
  const cleaned = core.runCleanupLoop(list, undefined, { logger });
  const { valid, errors } = core.validateMessageStructure(list);
  return {
    made: {
      dangling: [...ids],
      without: core.removeDanglingToolCalls(list),
      cleaned: { ...cleaned, iterations: undefined, danglingToolCallIds: [...cleaned.danglingToolCallIds] },
      prepared: core.prepareHistory(input, { logger, ...(target === undefined ? {} : { target }) }),
      resumed: core.sanitizeHistoryForResume(list, { logger }),
      recovered: core.sanitizeRecoveredMessages(list, logger, index % 2 === 0 ? target : undefined),
      incomplete: [core.findIncompleteToolCalls(list), core.removeIncompleteToolCalls(list)],
      orphaned: core.removeOrphanedToolResults(list),
      dropped: core.dropTrailingRequest(list, { logger }),
      single: core.removeConsecutiveRequests(list),
      empty: core.removeEmptyResponses(list),
      valid,
      errors: errors.length,
    },
    words: [words, errors],
  };
}

export const QUESTIONS: readonly Question[] = [
  {
    name: 'check',
    every: 1,
    ask: (core, { input, target }) => ({ told: withoutPasses(core.check(input, target)) }),
  },
  { name: 'repair', every: 1, ask: (core, subject) => repairWith(core, subject, subject.options) },
  {
    name: 'repair, other choice',
    every: 5,
    ask: (core, subject) => repairWith(core, subject, rotate(CHOICES, subject, 5)),
  },
  {
    name: 'repair, refused',
    every: 10,
    at: 1,
    ask: (core, subject) => repairWith(core, subject, { ...subject.options, refusal: refusalOf(core, subject) }),
  },
  { name: 'checker', every: 10, at: 2, ask: pushAll },
  { name: 'convert', every: 10, at: 3, ask: convertTo },
  { name: 'prepare', every: 20, at: 4, ask: prepareLog },
  { name: 'compact', every: 10, at: 5, ask: compactTo },
  { name: 'prune', every: 20, at: 5, ask: prune },
  { name: 'summary', every: 20, at: 15, ask: summarise },
  { name: 'slices', every: 10, at: 6, ask: slice },
  { name: 'resume', every: 10, at: 7, ask: resume },
];
