import type { ServerResponse } from 'node:http';

import { DIALECTS, explain } from '@rethread/core';

import type { Summary } from '../api.ts';
import type { KeyedRef } from '../reader/asks.ts';
import { optional } from '../reader/value.ts';
import { sendJson, sendLines, sendSentence } from './answers.ts';
import type { OpenSessions } from './open-sessions.ts';
import type { Reader } from './reader-process.ts';
import { toRow, type SessionList } from './session-list.ts';

/** What the routes work with. */
export type World = {
  readonly list: SessionList;
  readonly open: OpenSessions;
  /** Finds and searches sessions. */
  readonly finder: Reader;
  /** Reads the sessions of the list, one after the other. */
  readonly summarizer: Reader;
  readonly summaries: Map<string, { readonly state: string; readonly summary: Promise<Summary> }>;
  readonly home: string | undefined;
  readonly version: string;
  /** The session that the command was given, which the page opens first. */
  readonly first: string | undefined;
};

type Call = { readonly world: World; readonly query: URLSearchParams; readonly response: ServerResponse };
type Route = (call: Call) => Promise<void> | void;
type SessionRoute = (call: Call, ref: KeyedRef) => Promise<void>;

const ROWS_AT_ONCE = 100;
const SUMMARIES_AT_ONCE = 50;

const about: Route = ({ world, response }) =>
  sendJson(response, { version: world.version, dialects: DIALECTS, ...optional('first', world.first) });

/** Every session, a line each, as they are found. */
async function sessions({ world, response }: Call): Promise<void> {
  const write = sendLines(response);
  await world.finder.ask('list', optional('home', world.home), (ref) => {
    write(`${JSON.stringify(toRow(world.list.add(ref)))}\n`);
  });
  response.end();
}

async function summaries({ world, query, response }: Call): Promise<void> {
  const keys = (query.get('keys') ?? '').split(',').slice(0, SUMMARIES_AT_ONCE);
  const refs = keys.flatMap((key) => world.list.get(key) ?? []);
  sendJson(response, await Promise.all(refs.map((ref) => summaryOf(world, ref))));
}

async function summaryOf({ summarizer, summaries: known }: World, ref: KeyedRef): Promise<Summary> {
  const state = `${ref.bytes} ${ref.modified}`;
  const before = known.get(ref.key);
  if (before?.state === state) return before.summary;
  const summary = summarizer.ask('summary', ref).catch((): Summary => unreadable(ref));
  known.set(ref.key, { state, summary });
  return summary;
}

const unreadable = ({ key }: KeyedRef): Summary => ({
  key,
  verdict: 'unreadable',
  turns: 0,
  messages: 0,
  tokens: 0,
  rules: [],
  faults: 0,
});

/** Hits, a line for each session that has some or stands for how far the search is. */
async function search({ world, query, response }: Call): Promise<void> {
  const words = (query.get('q') ?? '').trim().slice(0, 200);
  const refs = world.list.all();
  const write = sendLines(response);
  if (words.length > 1) {
    await world.finder.ask('search', { refs, words }, ({ hits, done }) => {
      if (hits.length > 0 || done % 20 === 0) write(`${JSON.stringify({ hits, done, of: refs.length })}\n`);
    });
  }
  write(`${JSON.stringify({ hits: [], done: refs.length, of: refs.length })}\n`);
  response.end();
}

const rule: Route = ({ query, response }) => {
  const found = explain(query.get('id') ?? '');
  if (found === undefined) sendSentence(response, 404, 'There is no such rule.');
  else sendJson(response, found);
};

/** Lines of progress, and then what was read. */
async function overview({ world, response }: Call, ref: KeyedRef): Promise<void> {
  const write = sendLines(response);
  try {
    const done = await world.open.overview(ref, (bytes) => write(`${JSON.stringify({ bytes, of: ref.bytes })}\n`));
    write(`${JSON.stringify({ overview: done })}\n`);
  } catch (error) {
    write(`${JSON.stringify({ failed: error instanceof Error ? error.message : 'This session cannot be read.' })}\n`);
  }
  response.end();
}

const wholeNumber = (query: URLSearchParams, name: string): number => {
  const number = Number(query.get(name) ?? '0');
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
};

/** A range that is not larger than an answer may be. */
const rangeIn = (query: URLSearchParams): { readonly from: number; readonly to: number } => {
  const from = wholeNumber(query, 'from');
  return { from, to: Math.min(wholeNumber(query, 'to'), from + ROWS_AT_ONCE) };
};

const targetIn = (query: URLSearchParams): { readonly dialect?: string; readonly model?: string } => ({
  ...optional('dialect', query.get('dialect') ?? undefined),
  ...optional('model', query.get('model') || undefined),
});

const partIn = (query: URLSearchParams): { readonly entry: number; readonly part: number } => ({
  entry: wholeNumber(query, 'entry'),
  part: wholeNumber(query, 'part'),
});

/** A route that asks the reader of the session one question. */
const asking =
  (ask: (reader: Reader, query: URLSearchParams) => Promise<unknown>): SessionRoute =>
  async ({ world, query, response }, ref) => {
    sendJson(response, (await ask(await world.open.reader(ref), query)) ?? null);
  };

/** A line whenever the file of the session has changed, until the page goes away. */
async function follow({ world, response }: Call, ref: KeyedRef): Promise<void> {
  const write = sendLines(response);
  let state = `${ref.bytes} ${ref.modified}`;
  const look = async (): Promise<void> => {
    const now = await world.list.fresh(ref.key);
    const next = now === undefined ? state : `${now.bytes} ${now.modified}`;
    // An empty line says that the server is still there.
    write(next === state ? '\n' : `${JSON.stringify({ bytes: now?.bytes })}\n`);
    state = next;
  };
  const timer = setInterval(() => void look(), 1000);
  response.once('close', () => clearInterval(timer));
}

export const ROUTES: Readonly<Record<string, Route>> = { about, sessions, summaries, search, rule };

export const SESSION_ROUTES: Readonly<Record<string, SessionRoute>> = {
  overview,
  follow,
  rows: asking((reader, query) => reader.ask('rows', rangeIn(query))),
  row: asking((reader, query) => reader.ask('row', { entry: wholeNumber(query, 'entry') })),
  entry: asking((reader, query) => reader.ask('entry', { entry: wholeNumber(query, 'entry') })),
  part: asking((reader, query) => reader.ask('part', partIn(query))),
  media: asking((reader, query) => reader.ask('media', partIn(query))),
  request: asking((reader, query) => reader.ask('request', targetIn(query))),
  pairs: asking((reader, query) => reader.ask('pairs', { ...targetIn(query), ...rangeIn(query) })),
};
