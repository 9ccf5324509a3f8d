import { firstSet, type Root, type System } from '../system.ts';

/** One folder for each project below `tmp`; `GEMINI_CLI_HOME` stands for the home folder. */
export function locate(system: System): Root[] {
  const home = firstSet(system, 'GEMINI_CLI_HOME') ?? system.home;
  const folder = system.join(home, '.gemini', 'tmp');
  return [
    { folder, files: '*/chats/**/*.json*' },
    { folder, files: '*/checkpoint-*.json' },
  ];
}
