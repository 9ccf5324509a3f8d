import { type Stats, readFileSync, statSync } from 'node:fs';

import { Unreadable, reasonOf } from '../unreadable.ts';

/** A refusal has words, or is JSON; a path rarely has blanks, and never looks like either. */
const isText = (given: string): boolean => /[\s{}"]/.test(given);

/** One word with slashes, or with the ending of a file, was meant as the name of one. */
const looksLikePath = (given: string): boolean => /^[~.]|[/\\]|\.(?:json|jsonl|txt|log|md)$/i.test(given);

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // What the system does not even take for a name, because it is too long for one, is none.
    return undefined;
  }
}

const about = (given: string, reason: string): Unreadable => new Unreadable(`--refusal ${given} ${reason}`);

/** The words of a refusal, or those in the file that has this name. */
export function refusalOf(given: string): string {
  const stats = statsOf(given);
  if (stats?.isFile() === true) {
    try {
      return readFileSync(given, 'utf8');
    } catch (error) {
      throw about(given, `cannot be read: ${reasonOf(error)}`);
    }
  }
  if (isText(given)) return given;
  if (stats !== undefined) {
    const kind = stats.isDirectory() ? 'a folder' : 'a pipe, socket or device';
    throw about(given, `is ${kind}; give the words of the refusal, or a file with them`);
  }
  if (looksLikePath(given) && !given.includes('://')) throw about(given, 'cannot be read: no such file');
  return given;
}
