import type { Session } from '@rethread/store';

import { exitCode } from '../doctor/job.ts';
import { readStdin } from '../files/stdin.ts';
import type { Desk, Task } from '../store/store-command.ts';
import type { Output } from '../terminal/output.ts';
import { shellName, visible, visibleJson } from '../terminal/visible.ts';
import { Unreadable } from '../unreadable.ts';
import { type AgentFlags, agentFor } from './create.ts';
import { createInterrupts, type Interrupts, listenForInterrupts } from './interrupts.ts';
import { type Lines, pipedLines, typedLines } from './lines.ts';
import { portTo, readModel } from './model.ts';
import { findSession, noteModel, titleOf } from './session.ts';
import type { Screen } from './show-run.ts';
import { type Conversation, interrupted, takeTurn, tellHowToResume, type Turn } from './take-turn.ts';

export interface ChatFlags extends AgentFlags {
  readonly resume?: string;
  readonly lines?: true;
}

/** Answers as they come for people; whole ones for pipes, so that what broke off is not in them twice. */
export function screenFor(output: Output, json: true | undefined): Screen {
  if (json === true) return { output, answers: 'none' };
  return { output, answers: process.stdout.isTTY ? 'live' : 'whole' };
}

export function interruptsFor(output: Output): Interrupts {
  const interrupts = createInterrupts({
    // The line that is being typed stays as it is above.
    warn: () => output.complain(`${process.stdin.isTTY ? '\n' : ''}Ctrl-C once more ends it; so does Ctrl-D.`),
    quit: () => process.exit(interrupted),
  });
  listenForInterrupts(interrupts);
  return interrupts;
}

/** What is said on the command line, where `-` stands for standard input; undefined where there will be a dialogue. */
async function oneShot(words: readonly string[], { lines }: ChatFlags): Promise<string | undefined> {
  const piped = !process.stdin.isTTY && lines !== true;
  if (words.length === 0 && !piped) return undefined;
  const wanted = words.length === 0 || words.includes('-');
  const given = wanted ? Buffer.concat(await readStdin()).toString() : '';
  return words.length === 0 ? given : words.map((word) => (word === '-' ? given : word)).join(' ');
}

/** `rethread chat`: there has to be something to answer and somebody to ask before a store is made for it. */
export async function prepareChat(flags: ChatFlags, words: readonly string[]): Promise<Task<ChatFlags>> {
  const prompt = await oneShot(words, flags);
  const begins = flags.resume === undefined;
  if (prompt?.trim() === '' && begins) throw new Unreadable('there is nothing to answer');
  if (begins) await portTo(readModel(flags.model, process.env), process.env);
  return { creates: begins, work: (desk) => chat(desk, prompt) };
}

async function chat({ store, flags, output }: Desk<ChatFlags>, prompt: string | undefined): Promise<number> {
  const interrupts = interruptsFor(output);
  const found = flags.resume === undefined ? undefined : await findSession(store, flags.resume);
  const { agent, model, left } = await agentFor({ store, session: found, flags, output });
  const heading = (words: string): void => output.complain(output.tone('dim', visible(`${words}, ${model}`)));
  const open = async (session: Session): Promise<Session> => {
    await noteModel(session, model, left);
    heading(`session ${session.id}`);
    return session;
  };
  const begin = async (words: string): Promise<Session> => open(await store.create({ title: titleOf(words) }));
  const known = found === undefined ? undefined : await open(found);
  const table: Table = { agent, screen: screenFor(output, flags.json), interrupts };
  if (prompt === undefined) {
    if (known === undefined) heading('a new session');
    return dialogue(table, { flags, known, begin, unfinished: left.unfinished });
  }
  const session = known ?? (await begin(prompt));
  const turn = await takeTurn({ ...table, session: session.id }, prompt.trim() === '' ? undefined : prompt);
  if (flags.json === true) printOutcome(output, session, turn);
  if (turn.code !== exitCode.healthy) tellHowToResume(output, session.id, flags.store);
  return turn.code;
}

type Table = Omit<Conversation, 'session'>;

interface Beginning {
  readonly flags: ChatFlags;
  readonly unfinished: boolean;
  /** The session that is resumed. */
  readonly known: Session | undefined;
  /** Makes a session for what is said first: nobody wants one in which nothing was said. */
  readonly begin: (line: string) => Promise<Session>;
}

/** One turn after the other, until there are no more lines. */
async function dialogue(table: Table, { flags, unfinished, known, begin }: Beginning): Promise<number> {
  const { output } = table.screen;
  const lines = linesFor(table.interrupts);
  let session = known;
  let stopped = unfinished;
  let code: number = exitCode.healthy;
  if (stopped) output.complain('The last turn was not brought to its end. Enter alone goes on with it.');
  for (;;) {
    const line = await lines.next('> ');
    if (line === undefined) break;
    table.interrupts.forget();
    const said = line.trim() !== '';
    if (!said && !stopped) continue;
    session ??= await begin(line);
    const turn = await takeTurn({ ...table, session: session.id }, said ? line : undefined);
    ({ code } = turn);
    stopped = code !== exitCode.healthy;
    if (flags.json === true) output.print(visibleJson(outcomeOf(session.id, turn), 0));
  }
  if (session === undefined) return code;
  const where = flags.store === undefined ? '' : ` --store ${shellName(flags.store)}`;
  output.complain(`Come back with: rethread chat --resume ${shellName(session.id)}${where}`);
  return code;
}

function linesFor(interrupts: Interrupts): Lines {
  return process.stdin.isTTY ? typedLines(() => interrupts.press()) : pipedLines();
}

function outcomeOf(session: string, { result, problem }: Turn): object {
  const told = result === undefined ? {} : { ...result };
  return { schema: 'rethread/turn@1', session, ...told, ...(problem === undefined ? {} : { problem }) };
}

export function printOutcome(output: Output, session: Session, turn: Turn): void {
  output.print(visibleJson(outcomeOf(session.id, turn), 2));
}
