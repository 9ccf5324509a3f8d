import type { Mode, RunOutcome } from '@rethread/server';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { Shell } from '../shell.ts';
import { createOutput, readTerminal } from '../terminal/output.ts';
import { visible } from '../terminal/visible.ts';
import { Unreadable, reasonOf, systemCode } from '../unreadable.ts';

interface Flags {
  readonly mode: Mode;
  readonly set?: Readonly<Record<string, string>>;
  readonly color: boolean;
}

const epilogue = `
Known commands: claude, codex, gemini, kilo, kimi, opencode, pi, qwen. For any other command, ANTHROPIC_BASE_URL,
OPENAI_BASE_URL and GOOGLE_GEMINI_BASE_URL are set. Name other variables with --set.
The exit code is that of the command; 2 if it could not be started.`;

function readVariable(text: string, previous: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, name = '', url = ''] = /^([A-Za-z_]\w*)=(https?:\/\/.+)$/.exec(text) ?? [];
  if (url === '')
    throw new InvalidArgumentError('Use VARIABLE=address, for example LLM_URL=https://llm.example.com/v1.');
  return { ...previous, [name]: url };
}

async function run(command: readonly string[], { mode, set }: Flags): Promise<RunOutcome> {
  const { runBehindProxy } = await import('@rethread/server');
  try {
    return await runBehindProxy(command, { mode, ...(set !== undefined && { variables: set }) });
  } catch (error) {
    const isMissing = systemCode(error) === 'ENOENT';
    throw new Unreadable(isMissing ? `there is no command ${command[0]}` : reasonOf(error), { cause: error });
  }
}

function summaryOf({ statistics }: RunOutcome): string | undefined {
  const { exchanges, endings, repairs } = statistics;
  if (exchanges === 0) return 'no request went through the proxy; see rethread run --help';
  const repaired = (endings.repaired ?? 0) + (endings['repaired-after-refusal'] ?? 0);
  if (repaired === 0) return undefined;
  const rules = Object.entries(repairs).map(([rule, count]) => `${visible(rule)} ×${count}`);
  return `${repaired} of ${exchanges} requests were repaired: ${rules.join(', ')}`;
}

/** `rethread run`: starts a command whose requests are repaired on their way. */
export function addRun(program: Command, shell: Shell): void {
  program
    .command('run')
    .summary('run an agent whose requests are repaired on their way')
    .description('Run a command whose requests go through a proxy that repairs them.')
    .argument('<command...>', 'the command with its arguments, after --')
    .addOption(
      new Option('--mode <mode>', 'mend repairs, observe only reports').choices(['mend', 'observe']).default('mend'),
    )
    .option('--set <variable=address>', 'a variable of the command that holds a base URL; repeatable', readVariable)
    .addHelpText('after', epilogue)
    .action(async (words: readonly string[], _: unknown, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const outcome = await run(words, flags);
      const summary = summaryOf(outcome);
      if (summary !== undefined) createOutput(readTerminal(flags.color)).complain(`rethread: ${summary}`);
      shell.exit(outcome.code === 0 ? exitCode.healthy : outcome.code);
    });
}
