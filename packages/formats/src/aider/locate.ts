import { firstSet, type Root, type System } from '../system.ts';

/** A history in the folder of each project: projects are looked for two folders deep below the home folder. */
export function locate(system: System): Root[] {
  const name = '.aider.chat.history.md';
  const named = firstSet(system, 'AIDER_CHAT_HISTORY_FILE');
  const cut = named === undefined ? -1 : Math.max(named.lastIndexOf('/'), named.lastIndexOf('\\'));
  const found = [name, `*/${name}`, `*/*/${name}`].map((files) => ({ folder: system.home, files }));
  return cut <= 0 || named === undefined
    ? found
    : [...found, { folder: named.slice(0, cut), files: named.slice(cut + 1) }];
}
