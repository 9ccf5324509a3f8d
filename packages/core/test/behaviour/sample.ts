import type { Dialect, RepairOptions, TargetInput } from '../../src/index.ts';
import { messagesIn } from '../fuzz/reading.ts';
import type { Core } from './core.ts';

/** One line of the sample: an input, what was asked about it, and what was answered. */
export type Line = Case & { readonly answer: unknown };

export type Case = {
  readonly id: string;
  readonly dialect: Dialect;
  readonly target?: TargetInput;
  readonly options?: RepairOptions;
  /** The messages come one by one. Without this, a goal or a budget the input is checked and repaired. */
  readonly pushed?: true;
  /** Where a conversion goes. */
  readonly to?: Dialect;
  /** What a compaction has to keep to. */
  readonly budgetTokens?: number;
  readonly input: unknown;
};

type Placed = { readonly at: { readonly pointer: string } };

/** What is told of a place, without the sentence: those are free to change. */
const brief = <T extends Placed>(list: readonly T[], words: (thing: T) => readonly string[]): readonly string[] =>
  list.map((thing) => [...words(thing), thing.at.pointer].join(' '));

/** A list in which `#3` stands for message 3 of the input, handed back as the object that it was. */
function shortened(input: unknown, output: unknown): unknown {
  if (output === input) return 'the input';
  const list = messagesIn(input);
  const short = (message: unknown): unknown => {
    const place = typeof message === 'object' ? list.indexOf(message) : -1;
    return place < 0 ? message : `#${String(place)}`;
  };
  if (Array.isArray(output)) return output.map(short);
  const messages = messagesIn(output);
  if (messages.length === 0) return output;
  return Object.fromEntries(
    Object.entries(output as object).map(([key, value]) => [key, value === messages ? messages.map(short) : value]),
  );
}

/** What a core answers to a case. */
export async function answerTo(core: Core, asked: Case): Promise<unknown> {
  const answer = asked.budgetTokens === undefined ? answerAtOnce(core, asked) : await compacted(core, asked);
  return JSON.parse(JSON.stringify(answer));
}

function answerAtOnce(core: Core, { input, dialect, target, options, to, pushed }: Case): object {
  if (to !== undefined) {
    const { output, report, losses, lifted } = core.convert(input, { from: dialect, to });
    return {
      verdict: report.verdict,
      losses: brief(losses, ({ kind, became }) => [kind, became]),
      output: shortened(input, output),
      lifted,
    };
  }
  if (pushed === true) {
    const checker = core.createChecker(target);
    const found = messagesIn(input).map((message) => brief(checker.push(message), ({ rule }) => [rule]));
    return { found, settled: checker.settle() };
  }
  const { output, report, lifted } = core.repair(input, target, options);
  return {
    check: brief(core.check(input, target).findings, ({ rule, severity }) => [rule, severity]),
    verdict: report.verdict,
    repairs: brief(report.repairs, ({ rule, action, loss }) => [rule, action, loss]),
    output: shortened(input, output),
    lifted,
  };
}

async function compacted(core: Core, { input, dialect, budgetTokens = 0 }: Case): Promise<object> {
  const { history, report } = await core.compact(input, { budgetTokens, target: dialect, at: '2026-11-16T00:00:00Z' });
  const { met, tokensBefore, tokens, steps, gone } = report;
  return {
    met,
    tokensBefore,
    tokens,
    steps: steps.map(({ step, outcome }) => `${step} ${outcome}`),
    gone: gone.map(({ what, from, to }) => `${what} ${String(from)} to ${String(to)}`),
    output: shortened(input, history),
  };
}
