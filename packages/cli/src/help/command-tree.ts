import type { Command, Option } from 'commander';

/** A command with all of its words, such as `store fork`. */
export interface Described {
  readonly words: readonly string[];
  readonly command: Command;
  readonly options: readonly Option[];
}

const isShown = (option: Option): boolean => !option.hidden;

/** Every command below a program, in the order of the help. */
export function commandsBelow(program: Command, words: readonly string[] = []): readonly Described[] {
  return program.commands.flatMap((command) => {
    const own = [...words, command.name()];
    const options = command.options.filter(isShown);
    return [{ words: own, command, options }, ...commandsBelow(command, own)];
  });
}
