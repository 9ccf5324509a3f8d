import { Argument, type Command } from 'commander';

import { type ShellName, completionFor } from '../help/completion.ts';
import { createOutput, readTerminal } from '../terminal/output.ts';

/** `rethread completion`: a script that makes a shell complete commands and options. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .summary('print a completion script for your shell')
    .description('Print a script that completes commands and options: eval "$(rethread completion bash)".')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .action((shell: ShellName) => {
      createOutput(readTerminal(false)).write(completionFor(shell, program));
    });
}
