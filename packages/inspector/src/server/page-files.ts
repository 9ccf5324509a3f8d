import { readFile } from 'node:fs/promises';

/** A file of the page, read when the server starts: an address never becomes a path. */
export type Asset = { readonly type: string; readonly text: Buffer };

const FILES: Readonly<Record<string, { readonly name: string; readonly type: string }>> = {
  '/': { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/page.js': { name: 'page.js', type: 'text/javascript; charset=utf-8' },
  '/page.css': { name: 'page.css', type: 'text/css; charset=utf-8' },
  '/icon.svg': { name: 'icon.svg', type: 'image/svg+xml' },
};

export async function readPage(folder: URL): Promise<ReadonlyMap<string, Asset>> {
  const files = Object.entries(FILES).map(async ([path, { name, type }]) => {
    const text = await readFile(new URL(name, folder));
    return [path, { type, text }] as const;
  });
  return new Map(await Promise.all(files));
}
