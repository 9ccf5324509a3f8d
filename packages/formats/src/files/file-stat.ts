import { lstat } from 'node:fs/promises';

/** What the system knows of a regular file; undefined for anything else, links included. */
export async function fileStat(
  path: string,
): Promise<{ readonly bytes: number; readonly modified: number } | undefined> {
  const stat = await lstat(path).catch(() => undefined);
  return stat?.isFile() === true ? { bytes: stat.size, modified: stat.mtimeMs } : undefined;
}

export const isFile = async (path: string): Promise<boolean> => (await fileStat(path)) !== undefined;
