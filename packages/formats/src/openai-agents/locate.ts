import type { Root, System } from '../system.ts';

/** The library keeps sessions where a program says: these are the names that its documentation gives. */
export const locate = (system: System): Root[] =>
  ['conversations.db', 'conversation_history.db', '*/conversations.db', '*/conversation_history.db'].map((files) => ({
    folder: system.home,
    files,
  }));
