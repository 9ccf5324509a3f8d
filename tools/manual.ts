import { join } from 'node:path';

import { createProgram } from '../packages/cli/src/program.ts';
import { version } from '../packages/cli/src/version.ts';
import { manPage } from './man-page.ts';

export const manualPath: string = join(import.meta.dirname, '..', 'packages/cli/man/rethread.1');

const about = [
  'rethread reads the sessions that coding agents leave on this machine, says what is wrong with them, and repairs them.',
  'Without a command it lists the sessions of this project, from every tool that it finds, with a verdict for each ' +
    '(endangered, hidden, torn, refused, heavy, running or healthy) and the share of the conversation that the next ' +
    'request contains.',
  'A session is named the same way everywhere: last, its id or the first characters of that, a file, or - for ' +
    'standard input. Nothing is written unless a command is told to.',
];

/** The manual page of the command, as the package ships it. */
export function manual(): string {
  const shell = { entry: '', exit: () => undefined };
  return manPage(createProgram(shell), { version, about });
}
