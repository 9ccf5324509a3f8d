import process from 'node:process';

import { sessions } from '@rethread/formats';

import type { AskName, Asks, Question, Reply, RequestTarget } from './asks.ts';
import { fileRef } from './file-ref.ts';
import { nextRequest, viewPairs, type NextRequest } from './next-request.ts';
import { readSession, type OpenSession } from './open-session.ts';
import { readSaid, type SaidPart } from './said.ts';
import { searchSession } from './search.ts';
import { summarize } from './summarize.ts';
import { jsonOf, optional } from './value.ts';
import { cut, viewPart, viewRows } from './view-rows.ts';

/** The whole of a record or a part is shown up to this many characters. */
const MOST_SHOWN = 4 * 1024 * 1024;

type Answers = {
  readonly [Name in AskName]: (
    input: Asks[Name]['input'],
    progress: (value: Asks[Name]['progress']) => void,
  ) => Promise<Asks[Name]['output']>;
};

let current: OpenSession | undefined;
let request: { readonly target: string; readonly next: NextRequest } | undefined;

function opened(): OpenSession {
  if (current === undefined) throw new Error('No session is open.');
  return current;
}

function requestFor({ dialect, model }: RequestTarget): NextRequest {
  const target = JSON.stringify([dialect, model]);
  if (request?.target !== target) {
    request = { target, next: nextRequest(opened(), { ...optional('dialect', dialect), ...optional('model', model) }) };
  }
  return request.next;
}

async function partAt(entry: number, part: number): Promise<SaidPart | undefined> {
  const [value] = await opened().store.range(entry, entry + 1);
  return value === undefined ? undefined : readSaid(value)?.parts[part];
}

const answers: Answers = {
  async list({ home }, progress) {
    const system = home === undefined ? {} : { system: { platform: process.platform, home, env: {} } };
    for await (const ref of sessions(system)) progress(ref);
    return null;
  },
  locate: async ({ path }) => (await fileRef(path)) ?? null,
  summary: summarize,
  async open(ref, progress) {
    await current?.store.close();
    request = undefined;
    current = await readSession(ref, progress);
    return current.overview;
  },
  rows: async ({ from, to }) => viewRows(opened(), from, to),
  row: async ({ entry }) => opened().index.rowOf(entry),
  async entry({ entry }) {
    const [value] = await opened().store.range(entry, entry + 1);
    if (value === undefined) return null;
    const { text, more } = cut(jsonOf(value), MOST_SHOWN);
    return { json: text, ...more };
  },
  async part({ entry, part }) {
    const found = await partAt(entry, part);
    return found === undefined ? null : viewPart(found, part, MOST_SHOWN);
  },
  async media({ entry, part }) {
    const found = await partAt(entry, part);
    return found?.kind === 'media' ? { type: found.type, data: found.data } : null;
  },
  request: async (target) => requestFor(target).view,
  pairs: async (wanted) => viewPairs(opened(), requestFor(wanted), wanted),
  async search({ refs, words }, progress) {
    for (const [done, ref] of refs.entries()) progress({ hits: await searchSession(ref, words), done: done + 1 });
    return null;
  },
};

const reply = (message: Reply): void => void process.send?.(message);

async function answer({ id, name, input }: Question): Promise<void> {
  try {
    const ask = answers[name] as (input: unknown, progress: (value: unknown) => void) => Promise<unknown>;
    reply({ id, kind: 'done', value: await ask(input, (value) => reply({ id, kind: 'progress', value })) });
  } catch (error) {
    reply({ id, kind: 'failed', sentence: error instanceof Error ? error.message : 'The reader failed.' });
  }
}

// One question after the other: a session is read before its rows are asked for.
let last = Promise.resolve();
process.on('message', (question: Question) => {
  last = last.then(() => answer(question));
});
// Without its server a reader has nobody to read for.
process.on('disconnect', () => process.exit(0));
