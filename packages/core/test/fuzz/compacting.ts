import {
  compact,
  decode,
  estimateTokens,
  isSummaryMessage,
  turns,
  undo,
  type Compacted,
  type CompactOptions,
  type Message,
  type Rung,
  type SummaryModel,
} from '../../src/index.ts';
import { ACKNOWLEDGED } from '../../src/compaction/summary-message.ts';
import { pairKey } from '../../src/model/part.ts';
import { TEXTS } from '../../src/model/synthetic.ts';
import type { LongHistory } from './long-histories.ts';
import { messagesIn } from './reading.ts';
import { refusalOf } from './slices.ts';
import type { Random } from './random.ts';

/** A model that writes summaries, and whether what it does is a failure. */
interface Writer {
  readonly model: SummaryModel | undefined;
  readonly fails: boolean;
  calls: number;
}

const good = (n: number): string => `## Goal\n- go on\n## Work done\n- part ${n}`;

/** What a writer answers when it is asked for the n-th time; an error is thrown. */
const answers: readonly { readonly fails: boolean; readonly answer: (n: number) => string | Error }[] = [
  { fails: false, answer: good },
  { fails: false, answer: (n) => (n === 1 ? Object.assign(new Error('no'), { overflow: true }) : good(n)) },
  { fails: true, answer: () => '' },
  { fails: true, answer: () => 'word '.repeat(5_000) },
  { fails: true, answer: () => new Error('connection closed') },
  { fails: true, answer: () => Object.assign(new Error('too long'), { overflow: true }) },
  { fails: true, answer: () => '{"type":"tool_use","name":"read_file","input":{}}' },
];

function writerFor(random: Random): Writer {
  if (random.chance(2)) return { model: undefined, fails: false, calls: 0 };
  const { fails, answer } = random.pick(answers);
  const writer: Writer = {
    model: (): Promise<string> => {
      writer.calls += 1;
      const said = answer(writer.calls);
      return said instanceof Error ? Promise.reject(said) : Promise.resolve(said);
    },
    fails,
    calls: 0,
  };
  return writer;
}

const rungs: readonly Rung[] = ['clamp', 'repeated-reads', 'prune', 'summary', 'rule-summary'];

function optionsFor(list: readonly unknown[], { random, target }: LongHistory, writer: Writer): CompactOptions {
  const size = estimateTokens(list, target);
  const { model } = writer;
  return {
    budgetTokens: Math.max(1, Math.floor(size * (0.05 + random.next()))),
    target,
    at: '2026-11-16T00:00:00Z',
    ...(model === undefined ? {} : { model }),
    ...(random.chance(4) ? { keep: { minTurns: random.below(4) } } : {}),
    ...(random.chance(6) ? { keep: { minMessages: random.below(8) } } : {}),
    ...(random.chance(3) && list.length > 0 ? { pins: [random.below(list.length), random.below(list.length)] } : {}),
    ...(random.chance(3) ? { ladder: rungs.filter(() => !random.chance(3)) } : {}),
    ...(random.chance(2) ? { prune: { protectTurns: random.below(3), protectTokens: 20, minFreedTokens: 10 } } : {}),
    ...(random.chance(3) ? { inputTokens: random.between(50, 500) } : {}),
  };
}

type Tell = (detail: string) => void;

interface Round {
  readonly history: LongHistory;
  readonly input: unknown;
  readonly messages: readonly Message[];
  readonly list: readonly unknown[];
  readonly options: CompactOptions;
  readonly compacted: Compacted<unknown>;
  readonly output: readonly unknown[];
  /** Places in the input that are not in the output. */
  readonly gone: ReadonlySet<number>;
  /** Places whose messages may have changed. */
  readonly changed: ReadonlySet<number>;
}

/** How many compactions follow one another. */
const ROUNDS = [1, 1, 1, 1, 2, 2, 3, 5];

/** Compactions of a history, one to five in a row, each accepted, accounted for and undone to the byte. */
export async function holdCompaction(history: LongHistory): Promise<string[]> {
  const broken: string[] = [];
  const tell: Tell = (detail) => void broken.push(detail);
  let input = history.input;
  for (let rounds = history.random.pick(ROUNDS); rounds > 0; rounds -= 1) {
    const list = messagesIn(input);
    const writer = writerFor(history.random);
    const options = optionsFor(list, history, writer);
    const compacted = await compact(input, options);
    const { gone } = compacted.report;
    const round: Round = {
      history,
      input,
      messages: decode(list, history.dialect)?.messages ?? [],
      list,
      options,
      compacted,
      output: messagesIn(compacted.history),
      gone: placesOf(gone.filter(({ what }) => what === 'summarised')),
      changed: placesOf(gone.filter(({ what }) => what !== 'summarised')),
    };
    holdFailure(round, writer, tell);
    holdSendable(round, tell);
    holdPairs(round, tell);
    holdAccount(round, tell);
    holdProtected(round, tell);
    holdBudget(round, tell);
    holdUndo(round, tell);
    input = compacted.history;
  }
  return [...new Set(broken)];
}

function placesOf(gone: readonly { readonly from: number; readonly to: number }[]): Set<number> {
  const places = new Set<number>();
  for (const { from, to } of gone) for (let i = from; i < to; i += 1) places.add(i);
  return places;
}

/** A model that fails changes nothing, is told of, and is asked no more than a few times. */
function holdFailure({ input, compacted, options }: Round, writer: Writer, tell: Tell): void {
  const { history: output, changed, report, breaker } = compacted;
  if (writer.calls > 12) tell('a model was asked without end');
  if ((output === input) === changed) tell('what is said to be changed is not, or the other way round');
  const failed = report.steps.some(({ outcome }) => outcome === 'failed');
  if (failed && (changed || report.gone.length > 0)) tell('a failed summary changed something');
  if (failed && breaker.failures !== 1) tell('a failure was not counted');
  if (writer.fails && writer.calls > 0 && !failed) tell('a summary was taken that is none');
  if (options.ladder?.includes('summary') === false && writer.calls > 0) tell('a model was asked against the ladder');
}

function holdSendable({ compacted, history }: Round, tell: Tell): void {
  const refusal = refusalOf(compacted.history, history);
  if (refusal !== undefined) tell(`the compacted history is refused, ${refusal}`);
  const [first] = compacted.report.repairs;
  if (first !== undefined) tell(`the compacted history had to be repaired: ${first.rule}`);
}

/** A call goes where its result goes. */
function holdPairs({ messages, gone }: Round, tell: Tell): void {
  const calls = new Map<string, number>();
  messages.forEach(({ parts }, index) => {
    for (const part of parts) {
      if (part.kind === 'call') calls.set(pairKey(part), index);
      else if (part.kind === 'result') {
        const call = calls.get(pairKey(part)) ?? index;
        if (gone.has(call) !== gone.has(index)) tell('a pair was split');
      }
    }
  });
}

const ours: ReadonlySet<string> = new Set([ACKNOWLEDGED, TEXTS.resumed]);

function isMade(wire: unknown, { dialect }: LongHistory): boolean {
  if (isSummaryMessage(wire, dialect)) return true;
  const parts = decode([wire], dialect)?.messages[0]?.parts ?? [];
  return parts.length === 1 && parts[0]?.kind === 'text' && ours.has(parts[0].text);
}

/** Everything that is not reported stands in the output, as the same object and in the same order. */
function holdAccount(round: Round, tell: Tell): void {
  const { list, output, gone, changed, history, compacted } = round;
  const waiting = [...list.keys()].filter((index) => !gone.has(index));
  for (const wire of output) {
    const next = waiting[0];
    if (next !== undefined && wire === list[next]) waiting.shift();
    else if (next !== undefined && changed.has(next) && !isMade(wire, history)) {
      holdChange(round, { wire, index: next }, tell);
      waiting.shift();
    } else if (!isMade(wire, history)) tell('something is in the output that nobody made');
  }
  if (waiting.length > 0) tell('something is gone and not reported');
  if (compacted.dropped.length !== gone.size) tell('not everything that was dropped is given back');
}

/** Of a message that was shortened, only results and bound reasoning are other than they were. */
function holdChange({ messages, history }: Round, { wire, index }: { wire: unknown; index: number }, tell: Tell): void {
  const before = messages[index];
  const after = decode([wire], history.dialect)?.messages[0];
  if (before === undefined || after === undefined || before.role !== after.role) return tell('a message changed sides');
  const stays = ({ parts }: Message): string =>
    JSON.stringify(
      parts
        .filter(({ kind }) => kind !== 'reasoning')
        .map((part) => {
          if (part.kind === 'result') return [part.kind, part.callId, part.outcome];
          return 'text' in part ? [part.kind, part.text] : [part.kind, part.kind === 'call' ? part.input : part.wire];
        }),
    );
  const thought = before.parts.every(({ kind }) => kind === 'reasoning');
  if (!thought && stays(before) !== stays(after)) tell('more than a result was changed');
}

/** The last instruction, what is pinned, and open calls are there as they were. */
function holdProtected({ history, input, list, options, gone }: Round, tell: Tell): void {
  const { target } = history;
  const last = turns(input, target).findLast(({ kind }) => kind === 'user');
  const place = last === undefined ? -1 : last.from;
  if (place >= 0 && gone.has(place)) tell('the last instruction is gone');
  for (const pin of options.pins ?? []) if (typeof pin === 'number' && gone.has(pin)) tell('a pin is gone');
  const first = list.findIndex((_, index) => gone.has(index));
  const tail = [...list.keys()].findLast((index) => gone.has(index)) ?? -1;
  if (first >= 0 && tail === list.length - 1) tell('nothing is left of the newest turn');
  const least = options.keep?.minMessages ?? 0;
  if (tail >= 0 && tail >= list.length - least) tell('less was kept than asked');
}

/** A budget that is not met could not be: nothing is left that could go. */
function holdBudget(round: Round, tell: Tell): void {
  const { compacted, output, options } = round;
  const { report } = compacted;
  const weight = estimateTokens(output, round.history.target);
  if (report.tokens !== undefined && report.tokens !== weight) tell('the weight reported is not that of the output');
  if (report.met !== weight <= report.budgetTokens) tell('the budget is said to be met and is not, or vice versa');
  if (report.met || options.ladder !== undefined || options.keep !== undefined) return;
  const last = report.steps.findLast(({ step }) => step.endsWith('summary'));
  if (last?.outcome === 'done' && couldGo(round)) tell('the budget is not met although more could go');
}

/** Whether anything is left before the newest turn that is neither the system's nor belongs to a pin. */
function couldGo({ messages, gone, history, input, options }: Round): boolean {
  const newest = turns(input, history.target).findLast(({ kind }) => kind === 'user')?.from ?? 0;
  const leading = messages.findIndex(({ role }) => role !== 'system');
  const pins = new Set(options.pins);
  let held = false;
  for (let i = Math.max(0, leading); i < newest; i += 1) {
    if (gone.has(i)) {
      held = false;
      continue;
    }
    // What belongs to a pin stands in one piece with it, before it or behind it.
    for (let at = i; at < newest && !gone.has(at); at += 1) held ||= pins.has(at);
    if (!held) return true;
  }
  return false;
}

function holdUndo({ compacted, input, options }: Round, tell: Tell): void {
  const { checkpoint, history: output } = compacted;
  if (checkpoint === undefined) return;
  const stored: typeof checkpoint = JSON.parse(JSON.stringify(checkpoint));
  const before = JSON.stringify(input);
  if (JSON.stringify(undo(stored, output, options.target)) !== before) tell('undo does not give back the bytes');
}
