import type { Root, System } from '../system.ts';

/** The library keeps nothing itself: this is the database of the chat that its documentation builds. */
export const locate = (system: System): Root[] => [
  { folder: system.home, files: '.chat_app_messages.sqlite' },
  { folder: system.home, files: '*/.chat_app_messages.sqlite' },
];
