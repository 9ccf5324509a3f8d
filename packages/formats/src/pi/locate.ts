import { firstSet, type Root, type System } from '../system.ts';

/** One folder for each working directory; `PI_CODING_AGENT_DIR` moves all of them. */
export function locate(system: System): Root[] {
  const agent = firstSet(system, 'PI_CODING_AGENT_DIR') ?? system.join(system.home, '.pi', 'agent');
  return [{ folder: system.join(agent, 'sessions'), files: '**/*.jsonl' }];
}
