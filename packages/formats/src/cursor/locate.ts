import type { Root, System } from '../system.ts';

/** Transcripts of agents, in a folder for each project. */
export function locate(system: System): Root[] {
  const folder = system.join(system.home, '.cursor', 'projects');
  return [{ folder, files: '*/agent-transcripts/**/*.jsonl' }];
}
