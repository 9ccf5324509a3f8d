import type { Root, System } from '../system.ts';

/** A database in the folder of each project: projects are looked for two folders deep below the home folder. */
export const locate = (system: System): Root[] =>
  ['.crush/crush.db', '*/.crush/crush.db', '*/*/.crush/crush.db'].map((files) => ({ folder: system.home, files }));
