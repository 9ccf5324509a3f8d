import type { Root, System } from '../system.ts';

/** Runs are written to the folder that the program was started in: this is its own one. */
export const locate = (system: System): Root[] => [
  { folder: system.join(system.home, 'SWE-agent', 'trajectories'), files: '**/*.traj' },
];
