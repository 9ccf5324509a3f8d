import { firstSet, type Root, type System } from '../system.ts';

/** A folder for each working directory, and in it one for each session. */
export function locate(system: System): Root[] {
  const home = firstSet(system, 'GROK_HOME') ?? system.join(system.home, '.grok');
  return [{ folder: system.join(home, 'sessions'), files: '*/*/updates.jsonl' }];
}
