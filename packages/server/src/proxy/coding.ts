import zlib from 'node:zlib';

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

/** Node has zstd since 22.15. */
const zstd: Decode | undefined = 'zstdDecompressSync' in zlib ? zlib.zstdDecompressSync : undefined;

const DECODERS: Readonly<Record<string, Decode | undefined>> = {
  br: zlib.brotliDecompressSync,
  deflate: zlib.inflateSync,
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  zstd,
};

/** The text of a body; undefined if it is no text, too long, or compressed in a way unknown here. */
export function readText(bytes: Buffer, encoding: string | undefined, longestBytes: number): string | undefined {
  const coding = encoding?.trim().toLowerCase();
  try {
    const plain = coding === undefined || coding === '' || coding === 'identity';
    const decoded = plain ? bytes : DECODERS[coding]?.(bytes, { maxOutputLength: longestBytes });
    return decoded === undefined
      ? undefined
      : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(decoded);
  } catch {
    return undefined;
  }
}
