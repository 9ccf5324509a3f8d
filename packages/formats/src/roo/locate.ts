import { editorStorage, type Root, type System } from '../system.ts';

/** A folder for each task, in every editor that may run the extension. */
export const locate = (system: System): Root[] =>
  editorStorage(system, 'rooveterinaryinc.roo-cline').map((folder) => ({
    folder: system.join(folder, 'tasks'),
    files: '*/api_conversation_history.json',
  }));
