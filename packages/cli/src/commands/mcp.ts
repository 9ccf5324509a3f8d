import { type Command } from 'commander';

import { exitCode } from '../doctor/job.ts';
import type { Shell } from '../shell.ts';
import { createOutput, readTerminal } from '../terminal/output.ts';
import { visible } from '../terminal/visible.ts';
import { reasonOf } from '../unreadable.ts';
import { version } from '../version.ts';

interface Flags {
  readonly store?: string;
  readonly color: boolean;
}

async function run({ store: url, color }: Flags): Promise<void> {
  const output = createOutput(readTerminal(color));
  const [{ serveMcp }, { open }] = await Promise.all([import('@rethread/server'), import('@rethread/store')]);
  const store = url === undefined ? undefined : await open(url);
  const onError = (error: unknown): void => output.complain(`rethread: ${visible(reasonOf(error))}`);
  const serving = await serveMcp({ version, store, onError });
  await serving.ended;
  await serving.close();
  await store?.close();
}

/** `rethread mcp`: sessions as MCP tools, so that an agent can look into its own past. */
export function addMcp(program: Command, shell: Shell): void {
  program
    .command('mcp')
    .summary('serve sessions as MCP tools to an agent')
    .description(
      'Serve session_list, session_search, session_show and session_doctor over MCP on standard input and output.',
    )
    .option('--store <url>', 'also serve the sessions of this store')
    .action(async (_: unknown, command: Command) => {
      await run(command.optsWithGlobals<Flags>());
      shell.exit(exitCode.healthy);
    });
}
