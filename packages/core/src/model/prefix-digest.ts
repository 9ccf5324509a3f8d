import { fingerprint } from './call-id.ts';

/** By the place of a message in the input: the digest of what the provider had been sent when it gave the message. */
export type PrefixDigests = Readonly<Record<number, string>>;

/** The digest of no message at all. */
export const EMPTY_PREFIX = '';

/** The digest of a list, from that of all of it but the last message. */
export function extendDigest(digest: string, message: unknown): string {
  return fingerprint(`${digest} ${JSON.stringify(message)}`);
}

/** The digest of messages as they are sent; the same bytes give the same one in any process. */
export function prefixDigest(messages: readonly unknown[]): string {
  return messages.reduce<string>(extendDigest, EMPTY_PREFIX);
}
