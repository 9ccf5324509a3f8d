import { type Repaired, type Report, check, repair } from '@rethread/core';
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
import { printFindings, shareOf } from '../doctor/report-text.ts';
import type { Shell } from '../shell.ts';
import { type Output, createOutput, readTerminal } from '../terminal/output.ts';
import { wrap } from '../terminal/wrap.ts';

/** The sessions of the demonstration, in the order in which they are shown. */
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

interface Shown {
  readonly before: Report;
  readonly repaired: Repaired<readonly unknown[]>;
  readonly after: Report;
}

/** Does the main job on one session: check, repair, and check again. */
export function rehearse({ history, dialect }: DemoSession): Shown {
  const before = check(history, dialect);
  const repaired = repair(history, dialect);
  return { before, repaired, after: check(repaired.output, dialect) };
}

const isGood = ({ before, after }: Shown): boolean => before.verdict === 'broken' && after.verdict === 'clean';

function show(session: DemoSession, number: number, output: Output): boolean {
  const shown = rehearse(session);
  const { before, repaired, after } = shown;
  output.print(output.tone('bold', `${number}. ${session.title}`) + output.tone('dim', `  (${session.dialect})`));
  output.print(wrap(session.story, 0, output.width));
  printFindings(before, repaired.report.repairs, output);
  const result = `${repaired.output.length} messages, ${shareOf(repaired.report)} of the content preserved`;
  output.print(
    after.verdict === 'clean'
      ? `${output.tone('green', 'accepted')}: the repaired history passes every rule (${result})`
      : `${output.tone('red', 'not accepted')}: ${after.findings.length} findings are left (${result})`,
  );
  output.print('');
  return isGood(shown);
}

/** `rethread demo`: the main job on sessions that ship with the command. No network, no files. */
export function addDemo(program: Command, shell: Shell): void {
  program
    .command('demo')
    .summary('watch broken sessions being repaired')
    .description('Show the main job on broken sessions that ship with the command. Reads and writes no files.')
    .action((_: unknown, command: Command) => {
      const output = createOutput(readTerminal(command.optsWithGlobals<{ color: boolean }>().color));
      const good = demoSessions.filter((session, index) => show(session, index + 1, output)).length;
      const all = good === demoSessions.length;
      output.print(`${good} of ${demoSessions.length} sessions were broken and are sendable again.`);
      output.print('Next: rethread doctor <your session file>');
      shell.exit(all ? exitCode.healthy : exitCode.findings);
    });
}
