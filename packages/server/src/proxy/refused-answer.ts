import { Readable } from 'node:stream';

import { readText } from './coding.ts';
import { headerIn } from './headers.ts';
import type { Answer } from './lane.ts';

/** An answer that was read, and can still be passed on. */
export type ReadAnswer = { readonly answer: Answer; readonly text: string | undefined };

/** Reads the text of a refusal; one that is too long to be a refusal is put back unread. */
export async function readRefusal(answer: Answer, longestBytes: number): Promise<ReadAnswer> {
  const { body, headers } = answer;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const isWhole = await new Promise<boolean>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= longestBytes) return;
      body.off('data', take);
      body.pause();
      resolve(false);
    };
    body.on('data', take);
    body.once('end', () => resolve(true));
    body.once('error', reject);
    body.once('close', () => reject(new Error('the refusal broke off')));
  });
  const read = Buffer.concat(chunks);
  if (!isWhole) {
    body.unshift(read);
    return { answer, text: undefined };
  }
  const again = read.length === 0 ? Readable.from([]) : Readable.from([read]);
  return {
    answer: { ...answer, body: again },
    text: readText(read, headerIn(headers, 'content-encoding'), longestBytes),
  };
}
