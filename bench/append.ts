import { loadEngine, type Engine } from './engine.ts';
import { generateHistory } from './histories.ts';
import { collectGarbage, summarize, type Sample } from './measure.ts';
import { createText, type TextSource } from './text.ts';
import type { AnthropicMessage, AnthropicPart } from './wire-shapes.ts';

export type AppendJob = { seed: number; short: number; long: number; batches: number };

/** Microseconds for one appended turn of 8 parts and 16 kB. */
export type AppendTimings = { afterShort: Sample; afterLong: Sample; repair: Sample; short: number; long: number };

type Turn = AnthropicMessage[];
type Checker = ReturnType<Engine['createChecker']>;

const dialect = 'anthropic-messages';
const turnsPerBatch = 64;
const callsPerTurn = 3;
const turnCharacters = 16_000;

/** Times one turn pushed into a checker that has seen few messages and into one that has seen very many. */
export async function measureAppend(job: AppendJob): Promise<AppendTimings> {
  const engine = await loadEngine();
  const source = createText(job.seed);
  const turns = Array.from({ length: turnsPerBatch }, (_, index) => generateTurn(source, index));
  const broken = turns.map(withoutLastResult);
  const past = generateHistory({ dialect, results: 'light', messages: 2_000, seed: job.seed, broken: 0 }).messages;
  assertCheckerWorks(engine, turns[0], broken[0]);

  const long = grownChecker(engine, past as Turn, job.long);
  const shortTimes: number[] = [];
  const longTimes: number[] = [];
  const repairTimes: number[] = [];
  for (let batch = 0; batch < job.batches; batch += 1) {
    const short = grownChecker(engine, past as Turn, job.short);
    collectGarbage('minor');
    const pushes = [
      () => shortTimes.push(microsecondsPerTurn(turns, (turn) => pushTurn(short, turn))),
      () => longTimes.push(microsecondsPerTurn(turns, (turn) => pushTurn(long, turn))),
    ];
    for (const push of batch % 2 === 0 ? pushes : pushes.toReversed()) push();
    repairTimes.push(microsecondsPerTurn(broken, (turn) => repairTail(short, turn)));
  }
  const steady = (times: readonly number[]): Sample => summarize(times.slice(times.length >> 2));
  return {
    afterShort: steady(shortTimes),
    afterLong: steady(longTimes),
    repair: steady(repairTimes),
    short: job.short,
    long: job.long,
  };
}

/** What a sender does after an append that leaves calls open: it appends what the checker says will close them. */
function repairTail(checker: Checker, turn: Turn): void {
  pushTurn(checker, turn);
  for (const message of checker.settle()) checker.push(message);
}

function pushTurn(checker: Checker, turn: Turn): void {
  for (const message of turn) checker.push(message);
}

function grownChecker({ createChecker }: Engine, past: Turn, messages: number): Checker {
  const checker = createChecker(dialect);
  // The past ends in an answer and starts with a user message, so it can follow itself.
  for (let count = 0; count < messages; count += 1) {
    const message = past[count % past.length];
    if (message !== undefined) checker.push(message);
  }
  return checker;
}

function microsecondsPerTurn(turns: readonly Turn[], work: (turn: Turn) => void): number {
  const start = performance.now();
  for (const turn of turns) work(turn);
  return ((performance.now() - start) * 1_000) / turns.length;
}

/** User text, an answer of text and three calls, three results: 8 parts that are legal after any whole turn. */
function generateTurn(source: TextSource, index: number): Turn {
  const ids = Array.from({ length: callsPerTurn }, (_, call) => `toolu_append_${index}_${call}`);
  const calls = ids.map((id): AnthropicPart => ({ type: 'tool_use', id, name: 'read_file', input: { path: 'a.ts' } }));
  const results = ids.map((id): AnthropicPart => {
    return { type: 'tool_result', tool_use_id: id, content: source.text(Math.floor(turnCharacters / callsPerTurn)) };
  });
  const turn: Turn = [
    { role: 'user', content: [{ type: 'text', text: source.text(80) }] },
    { role: 'assistant', content: [{ type: 'text', text: source.text(80) }, ...calls] },
    { role: 'user', content: results },
  ];
  return JSON.parse(JSON.stringify(turn)) as Turn;
}

function withoutLastResult(turn: Turn): Turn {
  return turn.map((message, index) => {
    return index === 2 ? { ...message, content: message.content.slice(0, -1) } : message;
  });
}

/** A checker or a repair that does nothing would be very fast. */
function assertCheckerWorks(engine: Engine, turn: Turn = [], broken: Turn = []): void {
  const checker = engine.createChecker(dialect);
  const clean = turn.flatMap((message) => [...checker.push(message)]);
  if (clean.length > 0) throw new Error('the checker finds a breach in a clean turn');
  const orphan = checker.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'lost', content: 'x' }] });
  if ([...orphan].length === 0) throw new Error('the checker does not see a result without a call');
  const repaired = engine.createChecker(dialect);
  repairTail(repaired, broken);
  if (repaired.open().length > 0) throw new Error('the repair leaves a call without result');
  const whole = [...broken, ...engine.createChecker(dialect).settle()];
  if (!engine.repair(whole, dialect).changed) throw new Error('the turn was not broken');
}
