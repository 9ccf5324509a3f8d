import { check } from '@rethread/core';
import { openSession } from '@rethread/formats';
import * as z from 'zod';

import { cut, describeMessage, describeSession, wordsIn, type Described } from './describe.ts';
import { idOf, type Found, type Library } from './library.ts';

/** One tool: what it takes, and what it gives. */
export type SessionTool<Input extends z.ZodObject = z.ZodObject> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly run: (library: Library, input: z.output<Input>, signal: AbortSignal) => Promise<Described>;
};

/** A tool was asked for something that is not there. */
export class NotFound extends Error {
  override readonly name = 'NotFound';
}

const define = <Input extends z.ZodObject>(tool: SessionTool<Input>): SessionTool => tool;

const session = z
  .string()
  .max(4096)
  .describe('`last`, an id or its first characters (at least 4), or a path from session_list');
const mostSearched = 200;

async function found(library: Library, name: string): Promise<Found> {
  const one = await library.find(name);
  if (one === undefined) throw new NotFound(`there is no session ${JSON.stringify(name)}; session_list shows all`);
  return one;
}

const list = define({
  name: 'session_list',
  title: 'List sessions',
  description: 'List recorded sessions of coding agents on this machine and of the rethread store, the newest first.',
  input: z.object({
    tool: z
      .string()
      .max(100)
      .optional()
      .describe('only this source: codex, claude-code, gemini, opencode, pi or store'),
    cwd: z.string().max(4096).optional().describe('only sessions whose working directory contains this text'),
    limit: z.int().min(1).max(100).default(20).describe('maximum number of sessions'),
  }),
  run: async (library, { tool, cwd, limit }) => {
    const sessions: Described[] = [];
    for await (const one of library.all()) {
      const described = describeSession(one);
      if (tool !== undefined && described['source'] !== tool) continue;
      if (cwd !== undefined && !(one.source === 'tool' && one.ref.cwd?.includes(cwd) === true)) continue;
      sessions.push(described);
      if (sessions.length === limit) break;
    }
    return { sessions };
  },
});

const search = define({
  name: 'session_search',
  title: 'Search sessions',
  description: `Find messages that contain every word of a query, in the ${mostSearched} newest sessions.`,
  input: z.object({
    query: z.string().min(1).max(500).describe('words that must all be in a message'),
    limit: z.int().min(1).max(50).default(10).describe('maximum number of matches'),
  }),
  run: async (library, { query, limit }, signal) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const matches: Described[] = [];
    let searched = 0;
    for await (const one of library.all()) {
      if (signal.aborted || matches.length >= limit || ++searched > mostSearched) break;
      const { messages } = await library.read(one);
      for (const [index, message] of messages.entries()) {
        const text = wordsIn(message);
        const lower = text.toLowerCase();
        if (matches.length >= limit || !words.every((word) => lower.includes(word))) continue;
        const at = Math.max(0, lower.indexOf(words[0] ?? '') - 100);
        matches.push({ session: idOf(one), message: index, role: message.role, text: cut(text.slice(at), 300) });
      }
    }
    return { matches, searched: Math.min(searched, mostSearched) };
  },
});

const show = define({
  name: 'session_show',
  title: 'Show a session',
  description: 'Show messages of a session as its next request would contain them.',
  input: z.object({
    session,
    from: z.int().min(0).optional().describe('index of the first message (default: the last `limit` messages)'),
    limit: z.int().min(1).max(100).default(20).describe('maximum number of messages'),
    characters: z.int().min(50).max(20_000).default(1_000).describe('maximum characters of one text'),
  }),
  run: async (library, { session: name, from, limit, characters }) => {
    const one = await found(library, name);
    const { dialect, messages } = await library.read(one);
    const start = from ?? Math.max(0, messages.length - limit);
    const shown = messages.slice(start, start + limit);
    return {
      ...describeSession(one),
      dialect,
      total: messages.length,
      messages: shown.map((message, index) => describeMessage(message, start + index, characters)),
    };
  },
});

const doctor = define({
  name: 'session_doctor',
  title: 'Examine a session',
  description: 'Say whether a provider would accept the next request of a session, and what is wrong with its file.',
  input: z.object({ session }),
  run: async (library, { session: name }) => {
    const one = await found(library, name);
    if (one.source === 'store') {
      const own = await library.session(one.info.id);
      const history = await own?.project();
      const report = check(history?.messages.map(({ wire }) => wire) ?? [], history?.dialect);
      return { ...describeSession(one), ...verdictOf(report) };
    }
    const opened = await openSession(one.ref);
    const { dialect, model, messages, absent, copes } = await opened.active();
    const report = check(messages, model === undefined ? dialect : { dialect, model });
    const left = report.findings.filter(({ rule }) => !copes.includes(rule));
    return {
      ...describeSession(one),
      ...verdictOf({ ...report, findings: left }),
      faults: opened.faults.slice(0, 50).map(({ kind, note }) => ({ kind, note: cut(note, 300) })),
      absent,
    };
  },
});

type Judged = Pick<ReturnType<typeof check>, 'findings' | 'dialect'>;

function verdictOf({ findings, dialect }: Judged): Described {
  const refused = findings.some(({ severity }) => severity === 'rejected');
  return {
    dialect,
    verdict: refused ? 'refused' : 'healthy',
    findings: findings.slice(0, 50).map(({ rule, severity, at, explain }) => ({
      rule,
      severity,
      message: at.message,
      explain: cut(explain, 300),
    })),
  };
}

/** The tools, all of which only read. */
export const sessionTools: readonly SessionTool[] = [list, search, show, doctor];
