import { maxLinesBytes } from './source.ts';

/** Reads standard input here and not in a worker: a thread that waits for a pipe cannot be stopped. */
export async function readStdin(): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Uint8Array);
    size += (chunk as Uint8Array).length;
    // One chunk past the limit is enough to say that it is too large.
    if (size > maxLinesBytes) break;
  }
  return chunks;
}
