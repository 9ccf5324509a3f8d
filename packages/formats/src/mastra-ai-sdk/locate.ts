import type { Root, System } from '../system.ts';

/** Programs keep their database where they are started: this is the name that a new project gives it. */
export const locate = (system: System): Root[] =>
  ['mastra.db', '*/mastra.db', '*/*/mastra.db'].map((files) => ({ folder: system.home, files }));
