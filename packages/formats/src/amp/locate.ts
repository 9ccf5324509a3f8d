import { dataHome, firstSet, type Root, type System } from '../system.ts';

/** Threads that the program still keeps on this system: newer ones may be on a server only. */
export function locate(system: System): Root[] {
  const data = system.platform === 'win32' ? firstSet(system, 'LOCALAPPDATA') : undefined;
  const folders = [system.join(dataHome(system), 'amp', 'threads')];
  if (data !== undefined) folders.push(system.join(data, 'amp', 'threads'));
  return folders.map((folder) => ({ folder, files: 'T-*.json' }));
}
