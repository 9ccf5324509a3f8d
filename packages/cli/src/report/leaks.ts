import { homedir } from 'node:os';

import type { Reported } from './bug-report.ts';
import { holdsSecret } from './secrets.ts';

/** Shorter texts are words that everybody uses. */
const leastText = 16;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What people and tools wrote; names of kinds and ids of calls are no text. */
const namingKeys: ReadonlySet<string> = new Set(['type', 'role', 'id', 'call_id', 'tool_use_id', 'name', 'status']);

function* textsIn(value: unknown): Generator<string> {
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') yield next;
    else if (Array.isArray(next)) waiting.push(...next);
    else if (isObject(next)) {
      for (const [key, held] of Object.entries(next)) if (!namingKeys.has(key) && held !== null) waiting.push(held);
    }
  }
}

/** Pieces of a text, any of which would give it away. */
function* piecesOf(text: string): Generator<string> {
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (trimmed.length >= leastText) yield trimmed.slice(0, 60);
  }
}

/** Tells whether a text quotes what was said in some sessions, or what they are called. */
export function quotesSession(reported: readonly Reported[]): (text: string) => boolean {
  const pieces = new Set(
    reported.flatMap(({ messages, session }) =>
      [...textsIn(messages), session.title ?? '', session.cwd ?? ''].flatMap((text) => [...piecesOf(text)]),
    ),
  );
  return (text) => {
    for (const piece of pieces) if (text.includes(piece)) return true;
    return false;
  };
}

/** What a report gives away that it must not, in words; undefined when it is fit to be shown. */
export function leakIn(report: string, reported: readonly Reported[], withText: boolean): string | undefined {
  if (holdsSecret(report)) return 'something that looks like a secret';
  if (homedir().length > 1 && report.includes(homedir())) return 'the name of the home folder';
  return !withText && quotesSession(reported)(report) ? 'text of the session' : undefined;
}
