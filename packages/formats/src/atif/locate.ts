import type { Root, System } from '../system.ts';

/** Jobs of Harbor are written where it is started: this is the folder that it suggests. */
export const locate = (system: System): Root[] => [
  { folder: system.join(system.home, 'jobs'), files: '**/trajectory.json' },
];
