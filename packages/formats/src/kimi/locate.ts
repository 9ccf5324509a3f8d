import { firstSet, type Root, type System } from '../system.ts';

/** One folder for each working directory, and in it one for each session, with a log for each of its agents. */
export function locate(system: System): Root[] {
  const home = firstSet(system, 'KIMI_CODE_HOME') ?? system.join(system.home, '.kimi-code');
  return [{ folder: system.join(home, 'sessions'), files: '*/*/agents/*/wire.jsonl' }];
}
