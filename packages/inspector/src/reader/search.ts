import { open } from 'node:fs/promises';

import { openSession, type SessionRef } from '@rethread/formats';

import type { HitView } from '../api.ts';
import { readSaid, type SaidPart } from './said.ts';

type Wanted = SessionRef & { readonly key: string };

const AROUND = 80;
const MOST_IN_A_SESSION = 5;

/** Finds a text in what was said in a session; upper and lower case are the same. */
export async function searchSession(ref: Wanted, words: string): Promise<HitView[]> {
  const wanted = words.toLowerCase();
  if (!(await mayContain(ref, wanted))) return [];
  const session = await openSession({ path: ref.path, id: ref.id });
  const hits: HitView[] = [];
  let entry = -1;
  for await (const { value } of session.entries()) {
    entry += 1;
    const said = readSaid(value);
    for (const part of said?.parts ?? []) {
      const hit = hitIn(textOf(part), wanted);
      if (said === undefined || hit === undefined) continue;
      hits.push({ key: ref.key, entry, role: said.role, ...hit });
      if (hits.length === MOST_IN_A_SESSION) return hits;
    }
  }
  return hits;
}

const textOf = (part: SaidPart): string =>
  part.kind === 'call' ? `${part.tool} ${part.input}` : part.kind === 'media' ? '' : part.text;

function hitIn(text: string, wanted: string): Pick<HitView, 'before' | 'hit' | 'after'> | undefined {
  const at = text.toLowerCase().indexOf(wanted);
  if (at === -1) return undefined;
  const end = at + wanted.length;
  return {
    before: text.slice(Math.max(0, at - AROUND), at),
    hit: text.slice(at, end),
    after: text.slice(end, end + AROUND),
  };
}

/** Reads the bytes only: most files do not contain the words. Words that JSON may write otherwise go on. */
async function mayContain({ path }: Wanted, wanted: string): Promise<boolean> {
  if (!/^[\w .,:;@#+-]+$/.test(wanted) || !/\.jsonl?$/.test(path)) return true;
  const handle = await open(path, 'r').catch(() => undefined);
  if (handle === undefined) return false;
  const bytes = Buffer.alloc(1024 * 1024);
  let rest = '';
  try {
    for (;;) {
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, null);
      if (bytesRead === 0) return false;
      const text = rest + bytes.toString('latin1', 0, bytesRead).toLowerCase();
      if (text.includes(wanted)) return true;
      rest = text.slice(-wanted.length);
    }
  } finally {
    await handle.close();
  }
}
