import { type Command, InvalidArgumentError } from 'commander';

import { exitCode } from '../doctor/job.ts';
import { absentWords } from '../doctor/session-words.ts';
import { unreadable } from '../files/source.ts';
import { plural } from '../plural.ts';
import { type OfTool, openNamed } from '../sessions/judged-session.ts';
import { sessionsNamed, shortId } from '../sessions/session-argument.ts';
import { sessionHelp } from '../sessions/session-help.ts';
import { toolName } from '../sessions/tool-words.ts';
import type { Shell } from '../shell.ts';
import { type Output, type Tone, createOutput, readTerminal } from '../terminal/output.ts';
import { fit } from '../terminal/fit.ts';
import { visible, visibleJson } from '../terminal/visible.ts';
import { wrap } from '../terminal/wrap.ts';
import { messageTimes } from '../timeline/message-times.ts';
import { type Step, type TimelineTurn, timelineOf } from '../timeline/timeline.ts';
import { Unreadable } from '../unreadable.ts';

interface Flags {
  readonly last: number;
  readonly all?: true;
  readonly json?: true;
  readonly color: boolean;
}

const epilogue = `
Turns and messages are those of the next request, counted from 0; what it leaves out is listed at the end.
A record of a store: rethread store show <id>.
Exit codes: 0 shown, 2 could not read.`;

const label = 11;

const tones: Readonly<Partial<Record<Step['kind'], Tone>>> = { user: 'bold', reasoning: 'dim', call: 'cyan' };

const outcomes: Readonly<Record<NonNullable<Step['outcome']>, string>> = {
  ok: '',
  error: ' → error',
  denied: ' → denied',
  interrupted: ' → interrupted',
  unknown: ' → outcome unknown',
  open: ' → no result',
};

function stepLine({ kind, text, tool, outcome, result }: Step, output: Output): string {
  const ended = outcome === undefined ? '' : outcomes[outcome];
  const size = result === undefined || result === 0 ? '' : ` → ${result.toLocaleString('en-US')} characters`;
  const tail = `${ended}${size}`;
  const width = output.width === undefined ? Infinity : output.width - label - 2;
  const words = fit(visible(tool === undefined ? text : `${tool} ${text}`), Math.max(10, width - tail.length));
  const head = `  ${output.tone(tones[kind] ?? 'dim', kind.padEnd(label))}`;
  const isBad = outcome !== undefined && outcome !== 'ok';
  return head + (kind === 'reasoning' ? output.tone('dim', words) : words) + output.tone(isBad ? 'red' : 'dim', tail);
}

const kinds = { user: 'turn', summary: 'summary of what was compacted', context: 'context', none: 'no user' } as const;

function printTurn(turn: TimelineTurn, output: Output): void {
  const { index, kind, at, tokens, interrupted, steps } = turn;
  const when = at === undefined ? '' : `  ${at.slice(0, 16).replace('T', ' ')}`;
  const state = interrupted ? output.tone('red', '  interrupted') : '';
  output.print('');
  const name = kind === 'user' ? `turn ${index}` : `${index}: ${kinds[kind]}`;
  output.print(output.tone('bold', name) + output.tone('dim', `${when}  about ${plural(tokens, 'token')}`) + state);
  for (const step of steps) output.print(stepLine(step, output));
}

async function show(session: OfTool, flags: Flags, output: Output): Promise<void> {
  const active = await session.active();
  const times = await messageTimes(session, active);
  const timeline = timelineOf(active, (message) => times[message]);
  const { tool, id, title, version, cwd, path } = session;
  const { absent, dialect, model } = active;
  if (flags.json === true) {
    const about = { file: path, tool, id, title, version, cwd, dialect, model };
    output.print(visibleJson({ schema: 'rethread/show@1', ...about, turns: timeline, absent }, 2));
    return;
  }
  const name = title ?? (id === undefined ? path : shortId(id));
  output.print(output.tone('bold', wrap(visible(name), 0, output.width)));
  const facts = [toolName(tool), version, model, plural(timeline.length, 'turn'), plural(times.length, 'message')];
  output.print(wrap(visible(facts.filter((fact) => fact !== undefined).join(' · ')), 0, output.width));
  const shown = flags.all === true ? timeline : timeline.slice(-flags.last);
  const earlier = timeline.length - shown.length;
  if (earlier > 0) output.print(output.tone('dim', `… ${plural(earlier, 'earlier turn')}; --all shows them`));
  for (const turn of shown) printTurn(turn, output);
  if (absent.length === 0) return;
  const parts = absent.map(({ reason, messages }) => `${plural(messages, 'message')} ${absentWords[reason]}`);
  output.print('');
  output.print(output.tone('dim', wrap(`not in the next request: ${parts.join(', ')}`, 0, output.width)));
}

async function run(word: string, flags: Flags): Promise<number> {
  const output = createOutput(readTerminal(flags.color));
  try {
    const found = await sessionsNamed(word);
    const [first] = found;
    if (first === undefined || found.length > 1) throw new Unreadable(`holds ${found.length} files; name one of them`);
    const session = await openNamed(first);
    if (session === undefined)
      throw new Unreadable('is no session of a tool that is known; rethread turns lists a history');
    await show(session, flags, output);
    return exitCode.healthy;
  } catch (error) {
    const { message: reason } = unreadable(error);
    if (flags.json === true) output.print(visibleJson({ file: word, error: reason }, 2));
    output.complain(`rethread: ${visible(`${word} ${reason}`)}`);
    return exitCode.unreadable;
  }
}

function toTurns(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('A whole number of turns is needed.');
  return Number(text);
}

/** `rethread show`: what happened in a session, turn by turn. */
export function addShowSession(program: Command, shell: Shell): void {
  program
    .command('show')
    .summary('show a session turn by turn')
    .description('Show a session of any tool as a timeline: turns, calls with their results, interruptions, summaries.')
    .argument('<session>', sessionHelp)
    .option('--last <n>', 'number of newest turns to show', toTurns, 20)
    .option('--all', 'show all turns')
    .option('--json', 'print the timeline for machines')
    .addHelpText('after', epilogue)
    .action(async (word: string, _: unknown, command: Command) => {
      process.removeAllListeners('SIGINT');
      shell.exit(await run(word, command.optsWithGlobals<Flags>()));
    });
}
