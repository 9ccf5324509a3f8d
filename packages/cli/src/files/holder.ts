import { readdirSync, statSync } from 'node:fs';

const list = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    // The process has ended, or belongs to somebody else.
    return [];
  }
};

const isSame = (link: string, file: { readonly dev: bigint; readonly ino: bigint }): boolean => {
  try {
    const { dev, ino } = statSync(link, { bigint: true });
    return dev === file.dev && ino === file.ino;
  } catch {
    return false;
  }
};

/** The id of another process that has the file open, as far as the system lets us see (Linux, own processes). */
export function holderOf(file: { readonly dev: bigint; readonly ino: bigint }): number | undefined {
  for (const name of list('/proc')) {
    const id = Number(name);
    if (!Number.isInteger(id) || id === process.pid) continue;
    const folder = `/proc/${name}/fd`;
    if (list(folder).some((fd) => isSame(`${folder}/${fd}`, file))) return id;
  }
  return undefined;
}
