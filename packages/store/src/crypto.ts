import type * as Crypto from 'node:crypto';

/** Loaded when it is first needed: it takes longer to load than all of this package. */
const crypto = (): typeof Crypto => process.getBuiltinModule('node:crypto');

/** A new SHA-256 sum. */
export const sha256 = (): Crypto.Hash => crypto().createHash('sha256');

/** So many bytes that nobody can guess. */
export const chance = (bytes: number): Uint8Array => crypto().randomBytes(bytes);
