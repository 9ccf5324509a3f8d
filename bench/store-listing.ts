import { join } from 'node:path';
import { type Files, realFiles } from '../packages/store/src/drivers/file/files.ts';
import { appendData, inFolder, openStore, startSession } from './store-records.ts';
import type { Listing } from './store-reading.ts';

/** Lists so many sessions, and counts how many of their logs were opened for that. */
export async function measureListing({ sessions }: { sessions: number }): Promise<Listing> {
  return inFolder(async (folder) => {
    const root = join(folder, 'store');
    const writer = await openStore(root, 'os');
    for (let index = 0; index < sessions; index += 1) {
      const writing = await startSession(writer, `session-${index}`);
      await appendData(writing, [{ role: 'user', content: `hello ${index}` }]);
      await writer.release(writing.lease);
    }
    await writer.close();
    let logsOpened = 0;
    const counting: Files = {
      ...realFiles,
      open: (path, how) => {
        if (path.endsWith('log.jsonl')) logsOpened += 1;
        return realFiles.open(path, how);
      },
    };
    const reader = await openStore(root, 'os', counting);
    const started = performance.now();
    let count = 0;
    for await (const info of reader.list({})) count += info.seq;
    const ms = performance.now() - started;
    await reader.close();
    if (count !== sessions) throw new Error(`${count} of ${sessions} sessions were listed`);
    return { sessions, ms, logsOpened };
  });
}
