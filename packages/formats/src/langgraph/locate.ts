import type { Root, System } from '../system.ts';

/** Programs keep checkpoints where they say: this is where its development server does. */
export const locate = (system: System): Root[] =>
  ['checkpoints.sqlite', '*/checkpoints.sqlite', '*/checkpoints.db'].map((files) => ({ folder: system.home, files }));
