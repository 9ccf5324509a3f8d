import { type Agent, AgentError, ModelError, type RunResult } from '@rethread/agent';
import { StoreError } from '@rethread/store';

import { exitCode } from '../doctor/job.ts';
import type { Output } from '../terminal/output.ts';
import { excerpt, shellName, visible } from '../terminal/visible.ts';
import { Unreadable } from '../unreadable.ts';
import type { Interrupts } from './interrupts.ts';
import { type Screen, showRun } from './show-run.ts';

/** The exit code of a program that was ended by Ctrl-C. */
export const interrupted = 130;

/** How one turn went. */
export interface Turn {
  readonly code: number;
  readonly result?: RunResult;
  /** What went wrong, in one sentence. */
  readonly problem?: string;
}

export interface Conversation {
  readonly agent: Agent;
  readonly session: string;
  readonly screen: Screen;
  readonly interrupts: Interrupts;
}

const isStop = (error: unknown): boolean => error instanceof AgentError && error.code === 'aborted';

function sentenceOf(error: unknown): string {
  if (error instanceof ModelError) {
    const status = error.status === undefined ? '' : ` ${error.status}`;
    return `the model could not be asked (${error.kind}${status}): ${error.body ?? error.message}`;
  }
  if (error instanceof AgentError || error instanceof StoreError) return error.message;
  throw error;
}

/** Lets the agent answer, or go on where nothing is said. What goes wrong is told, and the session stays in order. */
export async function takeTurn(talk: Conversation, input: string | undefined): Promise<Turn> {
  const { agent, session, screen, interrupts } = talk;
  const run = agent.run(session, input);
  const over = interrupts.during(() => run.abort('Ctrl-C'));
  try {
    const result = await showRun(run, screen);
    if (result.state === 'complete') return { code: exitCode.healthy, result };
    const tools = result.asks.map(({ tool }) => visible(tool)).join(', ');
    screen.output.complain(`rethread: waits for somebody to allow ${tools}`);
    return { code: exitCode.findings, result };
  } catch (error) {
    if (isStop(error)) {
      screen.output.complain('stopped');
      return { code: interrupted, problem: 'stopped' };
    }
    const problem = sentenceOf(error);
    screen.output.complain(`rethread: ${excerpt(problem, 700)}`);
    return { code: exitCode.unreadable, problem };
  } finally {
    over();
  }
}

/** The command that takes the session up again, as it can be typed. */
export function commandFor(session: string, store: string | undefined): string {
  const where = store === undefined ? '' : ` --store ${shellName(store)}`;
  return `rethread resume ${shellName(session)}${where}`;
}

export function tellHowToResume(output: Output, session: string, store: string | undefined): void {
  output.complain(`Go on with: ${commandFor(session, store)}`);
}

/** The one choice of a list that a text names. */
export function oneOf<T extends string>(text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new Unreadable(`${JSON.stringify(text)} is none of ${choices.join(', ')}`);
}
