import { createChecker } from '@rethread/core';
import { generateHistory } from './histories.ts';
import { collectGarbage, fastest, time, type Reading, type Rounds } from './measure.ts';
import { createText, type TextSource } from './text.ts';

type Job = { seed: number; rounds: Rounds };
type Turn = readonly object[];
type Checker = ReturnType<typeof createChecker>;

const dialect = 'anthropic-messages';
const turnsPerSample = 64;
const callsPerTurn = 3;
const turnCharacters = 16_000;

/** Times one turn of 8 parts and 16 kB, pushed into a checker that has seen few messages and into one that saw many. */
export async function measure({ seed, rounds }: Job): Promise<Reading[]> {
  const source = createText(seed);
  const turns = Array.from({ length: turnsPerSample }, (_, index) => generateTurn(source, index));
  const unanswered = turns.map((turn) => turn.slice(0, -1));
  const past = generateHistory({ dialect, results: 'light', messages: 2_000, seed, broken: 0 });
  const long = grownChecker(past, 1_000_000);
  const perTurn = (work: (turn: Turn) => void, list: readonly Turn[]): number => {
    collectGarbage('minor');
    return time(() => list.forEach(work)) / list.length;
  };
  const least = await fastest(
    {
      short: () => {
        const short = grownChecker(past, 100);
        return perTurn((turn) => push(short, turn), turns);
      },
      long: () => perTurn((turn) => push(long, turn), turns),
      repaired: () => {
        const short = grownChecker(past, 100);
        return perTurn((turn) => pushAndSettle(short, turn), unanswered);
      },
    },
    rounds,
  );
  const µs = (ms: number): number => ms * 1_000;
  return [
    { target: 'turnChecked', on: 'after 100 messages', ours: µs(least.short) },
    { target: 'turnRepaired', on: '3 calls unanswered', ours: µs(least.repaired) },
    { target: 'turnLong', on: '1M over 100', ours: µs(least.long), peer: µs(least.short) },
  ];
}

/** What a sender does after an append that leaves calls open: it appends the messages that close them. */
function pushAndSettle(checker: Checker, turn: Turn): void {
  push(checker, turn);
  const closing = checker.settle();
  if (closing.length === 0) throw new Error('the checker does not see an unanswered call');
  push(checker, closing);
}

function push(checker: Checker, turn: readonly unknown[]): void {
  for (const message of turn) checker.push(message);
}

function grownChecker(past: Turn, messages: number): Checker {
  const checker = createChecker(dialect);
  // The past ends in an answer and starts with a user message, so it can follow itself.
  for (let count = 0; count < messages; count += 1) checker.push(past[count % past.length]);
  return checker;
}

/** User text, an answer of text and three calls, three results: legal after any whole turn. */
function generateTurn(source: TextSource, index: number): Turn {
  const ids = Array.from({ length: callsPerTurn }, (_, call) => `toolu_append_${index}_${call}`);
  const calls = ids.map((id) => ({ type: 'tool_use', id, name: 'read_file', input: { path: 'a.ts' } }));
  const results = ids.map((id) => {
    return { type: 'tool_result', tool_use_id: id, content: source.text(Math.floor(turnCharacters / callsPerTurn)) };
  });
  const turn = [
    { role: 'user', content: [{ type: 'text', text: source.text(80) }] },
    { role: 'assistant', content: [{ type: 'text', text: source.text(80) }, ...calls] },
    { role: 'user', content: results },
  ];
  return JSON.parse(JSON.stringify(turn)) as object[];
}
