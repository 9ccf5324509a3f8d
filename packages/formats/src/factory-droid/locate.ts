import type { Root, System } from '../system.ts';

/** One folder for each working directory; early versions kept all sessions side by side. */
export const locate = (system: System): Root[] => [
  { folder: system.join(system.home, '.factory', 'sessions'), files: '**/*.jsonl' },
];
