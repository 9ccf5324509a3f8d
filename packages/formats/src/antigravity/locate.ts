import type { Root, System } from '../system.ts';

/** Transcripts of the terminal program and of the editor, in a folder for each conversation. */
export const locate = (system: System): Root[] =>
  ['antigravity-cli', 'antigravity'].map((name) => ({
    folder: system.join(system.home, '.gemini', name, 'brain'),
    files: '*/.system_generated/logs/transcript.jsonl',
  }));
