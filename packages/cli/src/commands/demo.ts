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
import { thoughtWithoutItsCall } from '../demo/thought-without-its-call.ts';
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
  'rethread finds what a provider would refuse in an agent session, repairs it, and reports every change. Here are ' +
  `${demoSessions.length} broken sessions.`;

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

/** `rethread demo`: repairs sessions that ship with the command. It uses no network and no files. */
export function addDemo(program: Command, shell: Shell): void {
  program
    .command('demo')
    .summary('repair ten broken sessions and show every change')
    .description('Repair ten broken sessions that ship with the command. Reads and writes no files.')
    .action((_: unknown, command: Command) => {
      const output = createOutput(readTerminal(command.optsWithGlobals<{ color: boolean }>().color));
      output.print(wrap(purpose, 0, output.width));
      output.print('');
      const good = demoSessions.filter((session, index) => show(session, index + 1, output)).length;
      const all = good === demoSessions.length;
      output.print(`${good} of ${demoSessions.length} broken sessions can be sent again.`);
      output.print('Next: npx rethread doctor <your session file>');
      shell.exit(all ? exitCode.healthy : exitCode.findings);
    });
}
