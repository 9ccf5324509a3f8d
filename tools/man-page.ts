import { commandsBelow, type Described } from '../packages/cli/src/help/command-tree.ts';

type Command = Described['command'];

/** Text as roff takes it: a dash is a minus, and no line begins like a request. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll(/^([.'])/gm, String.raw`\&$1`);

const bold = (text: string): string => String.raw`\fB${roff(text)}\fR`;

interface Argument {
  readonly name: () => string;
  readonly required: boolean;
  readonly variadic: boolean;
}

function usageOf(name: string, { registeredArguments }: Command): string {
  const given = registeredArguments.map((argument: Argument) => {
    const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${word}>` : `[${word}]`;
  });
  return [name, '[options]', ...given].join(' ');
}

/** The manual page of a program, made from the same descriptions as its help. */
export function manPage(program: Command, { version, about }: { version: string; about: readonly string[] }): string {
  const lines = [
    `.TH RETHREAD 1 "" "rethread ${version}" "rethread"`,
    '.SH NAME',
    roff('rethread - pick up any agent session, from any state'),
    '.SH SYNOPSIS',
    `${bold('rethread')} ${roff('[--all] [command] [options]')}`,
    '.SH DESCRIPTION',
    ...about.flatMap((paragraph) => ['.PP', roff(paragraph)]),
    '.SH COMMANDS',
  ];
  for (const { words, command, options } of commandsBelow(program)) {
    const name = `rethread ${words.join(' ')}`;
    lines.push('.SS', bold(usageOf(name, command)), '.PP', roff(command.description()));
    for (const { flags, description } of options) lines.push('.TP', bold(flags), roff(description));
  }
  const footer = [
    '.SH EXIT STATUS',
    roff('0: nothing to repair; 1: something was found; 2: something could not be read, written or understood.'),
    '.SH ENVIRONMENT',
    '.TP',
    bold('NO_COLOR'),
    'Print without colours.',
    '.TP',
    bold('RETHREAD_STORE'),
    roff('The store, for the commands below rethread store.'),
    '.TP',
    bold('RETHREAD_CACHE'),
    roff('Folder of the search index and of what is remembered of sessions. It may be deleted at any time.'),
  ];
  return `${[...lines, ...footer].join('\n')}\n`;
}
