import { fingerprint } from '../../model/call-id.ts';

/** A name in letters, digits, underscores and hyphens, at most 64; one that had to be cut ends in a fingerprint. */
export function strictName(name: string): string {
  const plain = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  if (plain.length <= 64) return plain;
  const mark = fingerprint(name);
  return `${plain.slice(0, 64 - mark.length - 1)}_${mark}`;
}
