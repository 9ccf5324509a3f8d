import { type Repaired, type Report, check, repair } from '@rethread/core';
import { type Refusal, judge } from '@rethread/simulator';
import type { Command } from 'commander';

import { abortedThinking } from '../demo/aborted-thinking.ts';
import { answeredTwice } from '../demo/answered-twice.ts';
import { chatCallUnanswered } from '../demo/chat-call-unanswered.ts';
import { halfOfTheFunctions } from '../demo/half-of-the-functions.ts';
import { killedBetweenCallAndResult } from '../demo/killed-between-call-and-result.ts';
import { orphanAfterCut } from '../demo/orphan-after-cut.ts';
import { pageClosedWhileAToolRan } from '../demo/page-closed-while-a-tool-ran.ts';
import { pydanticAiPromptAfterCall } from '../demo/pydantic-ai-prompt-after-call.ts';
import type { DemoSession } from '../demo/session.ts';
import { showTools } from '../demo/show-tools.ts';
import { thoughtWithoutItsCall } from '../demo/thought-without-its-call.ts';
import { demoToolSessions } from '../demo/tool-sessions.ts';
import { twoOfThreeFinished } from '../demo/two-of-three-finished.ts';
import { exitCode } from '../doctor/job.ts';
import { keptOf, printFindings } from '../doctor/report-text.ts';
import { plural } from '../plural.ts';
import type { Shell } from '../shell.ts';
import { type Output, createOutput, readTerminal } from '../terminal/output.ts';
import { wrap } from '../terminal/wrap.ts';

/** The sessions of the demo, in the order shown. */
export const demoSessions: readonly DemoSession[] = [
  killedBetweenCallAndResult,
  twoOfThreeFinished,
  abortedThinking,
  orphanAfterCut,
  answeredTwice,
  chatCallUnanswered,
  thoughtWithoutItsCall,
  halfOfTheFunctions,
  pageClosedWhileAToolRan,
  pydanticAiPromptAfterCall,
];

const purpose =
  'rethread reads the sessions that coding agents leave on your machine. It says whether the next request will be ' +
  'accepted, how much of the conversation is in it, and what to do when something is broken.';

interface Shown {
  readonly before: Report;
  readonly repaired: Repaired<readonly unknown[]>;
  /** What the simulator refuses before and after the repair. It shares no code with the rules that repair. */
  readonly refusals: { readonly before: readonly Refusal[]; readonly after: readonly Refusal[] };
}

/** Checks one session, repairs it, and asks the simulator about both versions. */
export function rehearse({ history, dialect }: DemoSession): Shown {
  const before = check(history, dialect);
  const repaired = repair(history, dialect);
  return {
    before,
    repaired,
    refusals: { before: judge(dialect, history), after: judge(dialect, repaired.output) },
  };
}

const isGood = ({ refusals: { before, after } }: Shown): boolean => before.length > 0 && after.length === 0;

function show(session: DemoSession, number: number, output: Output): boolean {
  const shown = rehearse(session);
  const { before, repaired, refusals } = shown;
  output.print(output.tone('bold', `${number}. ${session.title}`) + output.tone('dim', `  (${session.dialect})`));
  output.print(wrap(session.story, 0, output.width));
  printFindings(before, repaired.report.repairs, output);
  const result = `${repaired.output.length} messages, ${keptOf(repaired.report)}`;
  const left = refusals.after.length;
  output.print(
    left === 0
      ? `${output.tone('green', 'repaired')}: the simulator accepts it (${result})`
      : `${output.tone('red', 'still broken')}: the simulator refuses it for ${plural(left, 'reason')} (${result})`,
  );
  output.print('');
  return isGood(shown);
}

/** Shows the histories one after the other; true when all of them can be sent after the repair. */
function showHistories(output: Output): boolean {
  const intro = `A repair, case by case: ${demoSessions.length} broken histories of six APIs and frameworks.`;
  output.print(wrap(intro, 0, output.width));
  output.print('');
  const good = demoSessions.filter((session, index) => show(session, index + 1, output)).length;
  output.print(`${good} of ${demoSessions.length} broken histories can be sent again.`);
  return good === demoSessions.length;
}

async function showSessions(output: Output): Promise<boolean> {
  output.print(wrap(`${purpose} Here are sessions of five tools.`, 0, output.width));
  output.print('');
  const good = await showTools(output);
  output.print('rethread demo --histories shows ten broken histories and every change of their repair.');
  return good === demoToolSessions.length;
}

/** `rethread demo`: judges and repairs sessions that ship with the command. It uses no network. */
export function addDemo(program: Command, shell: Shell): void {
  program
    .command('demo')
    .summary('show what rethread does, on sessions that ship with it')
    .description('Judge sessions of five tools that ship with the command. Uses a temporary folder, and no network.')
    .option('--histories', 'repair ten broken histories of APIs and frameworks, and show every change')
    .action(async (_: unknown, command: Command) => {
      const { color, histories } = command.optsWithGlobals<{ color: boolean; histories?: true }>();
      const output = createOutput(readTerminal(color));
      const good = histories === true ? showHistories(output) : await showSessions(output);
      output.print(
        'Next: npx rethread lists the sessions of your project; npx rethread doctor last judges the newest.',
      );
      shell.exit(good ? exitCode.healthy : exitCode.findings);
    });
}
