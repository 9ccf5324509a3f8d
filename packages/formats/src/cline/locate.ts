import { editorStorage, firstSet, type Root, type System } from '../system.ts';

/** Sessions of the fourth version, and before it a folder for each task: of the terminal program, or in an editor. */
export function locate(system: System): Root[] {
  const home = firstSet(system, 'CLINE_DIR') ?? system.join(system.home, '.cline');
  const data = firstSet(system, 'CLINE_DATA_DIR') ?? system.join(home, 'data');
  const sessions = firstSet(system, 'CLINE_SESSION_DATA_DIR') ?? system.join(data, 'sessions');
  return [
    { folder: sessions, files: '*/*.messages.json' },
    { folder: system.join(data, 'tasks'), files: '*/api_conversation_history.json' },
    ...editorStorage(system, 'saoudrizwan.claude-dev').map((folder) => ({
      folder: system.join(folder, 'tasks'),
      files: '*/api_conversation_history.json',
    })),
  ];
}
