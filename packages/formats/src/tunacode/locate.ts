import { dataHome, type Root, type System } from '../system.ts';

/** A file for each session, on every system in the same folder. */
export const locate = (system: System): Root[] => [
  { folder: system.join(dataHome(system), 'tunacode', 'sessions'), files: '*.json' },
];
