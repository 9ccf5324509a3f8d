import type { Command } from 'commander';

import { commandsBelow, type Described } from './command-tree.ts';

export type ShellName = 'bash' | 'zsh' | 'fish';

/** Commands whose arguments are words of the user, or that take none. */
const withoutFiles = new Set(['search', 'explain', 'demo', 'list', 'stats', 'store']);

const flagsOf = ({ options }: Described): string[] =>
  options.flatMap(({ short, long }) => [short, long].filter((flag) => flag !== undefined));

const namesOf = (program: Command): string[] =>
  program.commands.flatMap((command) => [command.name(), ...command.aliases()]);

/** What may follow the words of one command. */
function caseOf(described: Described): string {
  const { words, command } = described;
  const names = words.length === 1 ? [words[0] ?? '', ...command.aliases()] : [words.join(' ')];
  const below = command.commands.map((each) => each.name());
  const follows = [...below, ...flagsOf(described), '--help', '--no-color'].join(' ');
  const files = withoutFiles.has(words[0] ?? '') ? '' : ' files=1;';
  return `    ${names.map((name) => `"${name}"`).join('|')}) words="${follows}";${files} ;;`;
}

function bash(program: Command): string {
  const tops = [...namesOf(program), '--all', '--long', '--json', '--help', '--version', '--no-color'].join(' ');
  const cases = commandsBelow(program).map(caseOf);
  return `# Completion of rethread for bash: eval "$(rethread completion bash)"
_rethread() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="${tops}" files="" name="\${COMP_WORDS[1]}"
  [ "$name" = store ] && [ "$COMP_CWORD" -gt 2 ] && name="store \${COMP_WORDS[2]}"
  [ "$COMP_CWORD" -gt 1 ] && case "$name" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  case "$current" in
    -*) ;;
    *) [ -n "$files" ] && COMPREPLY+=(last $(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _rethread rethread
`;
}

/** zsh runs completions that were written for bash. */
const zsh = (program: Command): string =>
  `#compdef rethread
# Completion of rethread for zsh: eval "$(rethread completion zsh)"
autoload -U +X bashcompinit && bashcompinit
${bash(program).split('\n').slice(1).join('\n')}`;

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;

function fish(program: Command): string {
  const lines = ['# Completion of rethread for fish: rethread completion fish | source'];
  const top = '__fish_use_subcommand';
  for (const command of program.commands) {
    lines.push(`complete -c rethread -n ${top} -a ${command.name()} -d ${quoted(command.summary())}`);
  }
  for (const { words, options } of commandsBelow(program)) {
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    for (const { short, long, description, required } of options) {
      const names = [
        ...(long === undefined ? [] : [`-l ${long.slice(2)}`]),
        ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
      ];
      const value = required ? ' -r' : '';
      lines.push(`complete -c rethread -n '${seen}' ${names.join(' ')}${value} -d ${quoted(description)}`);
    }
    if (withoutFiles.has(words[0] ?? '')) lines.push(`complete -c rethread -n '${seen}' -f`);
  }
  return `${lines.join('\n')}\n`;
}

/** A script that makes a shell complete the commands and options of a program. */
export function completionFor(shell: ShellName, program: Command): string {
  return { bash, zsh, fish }[shell](program);
}
