import { type Command, Option } from 'commander';

import type { ChatFlags } from '../chat/chat.ts';
import type { Shell } from '../shell.ts';
import { onStore } from '../store/store-command.ts';

const help = `
A model is named as anthropic/claude-sonnet-5, openai/gpt-5 (Responses) or openai-chat/… (Chat Completions, also of
other hosts); the first part can be left away where the name tells. Without --model it is that of the session, the
variable RETHREAD_MODEL, or the usual one of the provider whose variables are set. The SDK of the provider has to be
installed.
Without any key: run rethread simulate in another terminal, and set the variables that it prints in this one.

Answers go to standard output, everything else to standard error. Ctrl-C once stops the turn, twice ends the program.
Exit codes: 0 answered, 1 waits for an approval, 2 could not be done, 130 stopped.`;

/** What `chat` and `resume` can be told about the agent. */
export function withAgentOptions(command: Command): Command {
  return command
    .option('--model <name>', 'the model to ask')
    .option('--system <text>', 'the system prompt')
    .option('--no-tools', 'give the model no tools; otherwise it may read and list files here, and see the time')
    .option('--verbose', 'print every request and what is logged on the way')
    .addHelpText('after', help);
}

/** `rethread chat`: a plain agent in the terminal, whose sessions can be stopped and resumed anywhere. */
export function addChat(program: Command, shell: Shell): void {
  const command = program
    .command('chat')
    .summary('talk to a model in a session that survives')
    .description('Talk to a model. Every word is stored before it is shown, so that the session survives any end.')
    .argument(
      '[words...]',
      'what to say; - is standard input. Without any there is a dialogue, or standard input is read',
    )
    .option('--resume <session>', 'go on with the session of this id, or with the last one as: last')
    .addOption(new Option('--lines', 'take each line of standard input as a turn, also where it is a pipe'));
  onStore<ChatFlags>(withAgentOptions(command), shell, {
    prepare: async (flags) => {
      const { prepareChat } = await import('../chat/chat.ts');
      return prepareChat(flags, command.args);
    },
  });
}
