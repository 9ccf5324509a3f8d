import type { Agent, Choice, RecoveredState, Unsettled, UnsettledCall } from '@rethread/agent';
import type { Session } from '@rethread/store';

import { exitCode } from '../doctor/job.ts';
import type { Desk } from '../store/store-command.ts';
import type { Output } from '../terminal/output.ts';
import { excerpt, visible } from '../terminal/visible.ts';
import { interruptsFor, printOutcome, screenFor } from './chat.ts';
import { type AgentFlags, agentFor } from './create.ts';
import type { Interrupts } from './interrupts.ts';
import { type Lines, typedLines } from './lines.ts';
import { findSession, noteModel } from './session.ts';
import { commandFor, oneOf, takeTurn, tellHowToResume } from './take-turn.ts';

export interface ResumeFlags extends AgentFlags {
  readonly unsettled?: string;
}

export const unsettledChoices = ['close', 'remove', 're-execute'] as const;

const longest = 120;

const becomes: Readonly<Record<Choice, string>> = {
  close: 'closed: the model is told what is known of it',
  remove: 'left out of the history',
  're-execute': 'run again',
  ask: 'left open',
};

const describe = ({ tool, callId, input, effect, mayHaveRun }: UnsettledCall): string => {
  const known = mayHaveRun ? `may have run (effect: ${effect})` : 'was not started';
  const words = [tool, JSON.stringify(input) ?? '', callId].map((word) => excerpt(word, longest));
  return `${words.join(' ')}: ${known}`;
};

/** Whether running it is safe, by what its tool declares. */
const isSafe = ({ effect, mayHaveRun, started }: UnsettledCall): boolean =>
  !mayHaveRun || effect === 'read' || effect === 'idempotent' || (effect === 'keyed' && started !== undefined);

/** Asks a person about one call after the other; what is safe to run again is not worth a question. */
function askedAbout(lines: Lines, output: Output): Unsettled {
  let before: Promise<unknown> = Promise.resolve();
  const ask = async (call: UnsettledCall): Promise<Choice> => {
    output.complain(`unsettled: ${describe(call)}`);
    for (;;) {
      const answer = (await lines.next('close, remove or ask later? [close] '))?.trim().toLowerCase();
      if (answer === undefined || answer === 'ask later' || answer === 'ask') return 'ask';
      if (answer === '' || answer === 'close') return 'close';
      if (answer === 'remove') return 'remove';
    }
  };
  return (call) => {
    if (isSafe(call)) return 're-execute';
    const answer = before.then(() => ask(call));
    before = answer.catch(() => undefined);
    return answer;
  };
}

function choiceOf({ unsettled }: ResumeFlags, interrupts: Interrupts, output: Output): Unsettled {
  if (unsettled !== undefined) return oneOf(unsettled, unsettledChoices);
  const isAsked = process.stdin.isTTY && process.stderr.isTTY;
  return isAsked
    ? askedAbout(
        typedLines(() => interrupts.press()),
        output,
      )
    : 'by-effect';
}

function tellState(state: RecoveredState, output: Output): void {
  const { crashed, found, unsettled, partial, children, report, ms } = state;
  if (crashed) output.complain(`The run before ended while ${found}; recovered in ${ms} ms.`);
  for (const { call, choice } of unsettled) output.complain(`unsettled: ${describe(call)} → ${becomes[choice]}`);
  if (partial !== '') output.complain(`kept of the answer: ${excerpt(partial, longest)}`);
  const rules = [...new Set(report.repairs.map(({ rule }) => rule))];
  if (rules.length > 0) output.complain(`to be repaired: ${rules.join(', ')}`);
  for (const { id, state: at } of children) {
    if (at !== 'answered') output.complain(`its child ${visible(id)} is ${at}`);
  }
}

/** Whoever closes or removes what is unsettled does not wait for approvals either. */
async function withoutApprovals(agent: Agent, state: RecoveredState, flags: ResumeFlags): Promise<boolean> {
  if (state.asks.length === 0) return true;
  if (flags.unsettled !== 'close' && flags.unsettled !== 'remove') return false;
  await agent.approve(state.session, Object.fromEntries(state.asks.map(({ callId }) => [callId, 'deny'])));
  return true;
}

/** A session that others wrote has no states; it is over when its last word is an answer. */
async function isOver(session: Session, { found }: RecoveredState): Promise<boolean> {
  if (found !== 'idle') return found === 'complete';
  const last = (await session.project())?.messages.at(-1);
  return last === undefined || (last.role === 'assistant' && last.parts.every(({ kind }) => kind !== 'call'));
}

/** `rethread resume`, once it is clear that it is wanted. */
export async function resume({ store, flags, output }: Desk<ResumeFlags>, id: string): Promise<number> {
  const interrupts = interruptsFor(output);
  const unsettled = choiceOf(flags, interrupts, output);
  const session = await findSession(store, id);
  const { agent, model, left } = await agentFor({ store, session, flags, output, unsettled });
  await noteModel(session, model, left);
  output.complain(output.tone('dim', visible(`session ${session.id}, ${model}`)));
  const state = await agent.recover(session.id, { unsettled });
  tellState(state, output);
  const open = state.unsettled.filter(({ choice }) => choice === 'ask');
  if (!(await withoutApprovals(agent, state, flags)) || open.length > state.asks.length) {
    output.complain(
      `Nobody has decided about ${open.length || state.asks.length} of them. Say what is to become of them:`,
    );
    output.complain(`  ${commandFor(session.id, flags.store)} --unsettled ${unsettledChoices.join('|')}`);
    return exitCode.findings;
  }
  if (await isOver(session, state)) {
    output.complain('The last turn is over; there is nothing to finish.');
    return exitCode.healthy;
  }
  const turn = await takeTurn(
    { agent, session: session.id, screen: screenFor(output, flags.json), interrupts },
    undefined,
  );
  if (flags.json === true) printOutcome(output, session, turn);
  if (turn.code !== exitCode.healthy) tellHowToResume(output, session.id, flags.store);
  return turn.code;
}
