import { dataHome, firstSet, type Root, type System } from '../system.ts';

/** A database for all sessions; a log for each until the end of 2025. `GOOSE_PATH_ROOT` moves everything. */
export function locate(system: System): Root[] {
  const { platform, home, join } = system;
  const root = firstSet(system, 'GOOSE_PATH_ROOT');
  const roaming = firstSet(system, 'APPDATA') ?? join(home, 'AppData', 'Roaming');
  const data =
    root !== undefined
      ? join(root, 'data')
      : platform === 'win32'
        ? join(roaming, 'Block', 'goose', 'data')
        : join(dataHome(system), 'goose');
  return [
    { folder: join(data, 'sessions'), files: 'sessions.db' },
    { folder: join(data, 'sessions'), files: '*.jsonl' },
  ];
}
