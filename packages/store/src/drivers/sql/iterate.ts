import type { ListQuery, SessionInfo } from '../../driver.ts';

/** A generator that starts its work on the first read. */
export async function* whenStarted<T>(work: () => AsyncIterable<T>): AsyncIterable<T> {
  yield* work();
}

const listLength = 500;

/** Lists all sessions of a query, page by page. */
export async function* listAll(
  query: ListQuery,
  page: (query: ListQuery, limit: number) => Promise<readonly SessionInfo[]> | readonly SessionInfo[],
): AsyncIterable<SessionInfo> {
  let [after, left] = [query.after, query.limit ?? Number.POSITIVE_INFINITY];
  while (left > 0) {
    const found = await page({ ...query, ...(after === undefined ? {} : { after }) }, Math.min(left, listLength));
    yield* found;
    after = found.at(-1)?.id;
    left -= found.length;
    if (after === undefined) return;
  }
}
