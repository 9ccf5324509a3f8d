import { dataHome, editorStorage, firstSet, type Root, type System } from '../system.ts';

/** A database since the seventh version; before, a folder for each task in every editor that may run the extension. */
export function locate(system: System): Root[] {
  const data = system.join(dataHome(system), 'kilo');
  const named = firstSet(system, 'KILO_DB');
  const cut = named === undefined ? -1 : Math.max(named.lastIndexOf('/'), named.lastIndexOf('\\'));
  return [
    { folder: data, files: 'kilo*.db' },
    ...(named === undefined
      ? []
      : [{ folder: cut === -1 ? data : named.slice(0, Math.max(cut, 1)), files: named.slice(cut + 1) }]),
    { folder: system.join(data, 'storage', 'session'), files: '*/ses_*.json' },
    ...editorStorage(system, 'kilocode.kilo-code').map((folder) => ({
      folder: system.join(folder, 'tasks'),
      files: '*/api_conversation_history.json',
    })),
  ];
}
