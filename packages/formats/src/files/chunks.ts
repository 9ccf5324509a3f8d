import type { FileHandle } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import zlib from 'node:zlib';

const CHUNK = 1 << 20;

/** The bytes of a file, in pieces. Each piece is a buffer of its own. */
export async function* readChunks(handle: FileHandle, from: number = 0, chunk: number = CHUNK): AsyncGenerator<Buffer> {
  for (let at = from; ;) {
    const buffer = Buffer.allocUnsafe(chunk);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

export const isZstd = (head: Buffer): boolean => head.subarray(0, 4).equals(ZSTD_MAGIC);

/** Node learned zstd in 22.15; the package runs from 22.13 on. */
export const canReadZstd = (): boolean => typeof zlib.createZstdDecompress === 'function';

/** The bytes that a compressed file stands for. */
export async function* readZstd(handle: FileHandle): AsyncGenerator<Buffer> {
  const decompress = zlib.createZstdDecompress();
  // The loop below meets every error of the stream itself.
  pipeline(Readable.from(readChunks(handle)), decompress, () => undefined);
  for await (const chunk of decompress) yield chunk as Buffer;
}
