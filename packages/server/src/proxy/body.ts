import { Transform, type Readable } from 'node:stream';

/** A body that is larger than allowed. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** All bytes of a body; rejects with `BodyTooLarge`, or if the sender goes away. */
export function collect(body: Readable, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= mostBytes) chunks.push(chunk);
      else {
        body.pause();
        reject(new BodyTooLarge(`the body is larger than ${mostBytes} bytes`));
      }
    });
    body.once('end', () => resolve(Buffer.concat(chunks)));
    body.once('error', reject);
    body.once('close', () => reject(new Error('the body ended early')));
  });
}

/** Passes a body on, and fails with `BodyTooLarge` where it becomes larger than allowed. */
export function limited(body: Readable, mostBytes: number, onBytes: (bytes: number) => void): Readable {
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      onBytes(chunk.length);
      if (bytes > mostBytes) done(new BodyTooLarge(`the body is larger than ${mostBytes} bytes`));
      else done(null, chunk);
    },
  });
  body.once('error', (error) => through.destroy(error));
  body.once('close', () => {
    if (!body.readableEnded) through.destroy(new Error('the body ended early'));
  });
  return body.pipe(through);
}
