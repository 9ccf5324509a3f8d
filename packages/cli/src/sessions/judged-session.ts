import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';

import { repair } from '@rethread/core';
import {
  type JudgeOptions,
  type Judgement,
  type OpenOptions,
  type ToolSession,
  judgeSession,
  openSession,
} from '@rethread/formats';

import { holderOf } from '../files/holder.ts';
import { saveNew } from '../files/save-new.ts';
import { formOf, newlyWritten } from '../files/written.ts';
import type { Named } from './session-argument.ts';

/** A session of a tool, and what was found out about it. It is plain data. */
export interface JudgedSession {
  readonly kind: 'session';
  /** What a person would type to name it again. */
  readonly name: string;
  readonly path: string;
  readonly tool: string;
  readonly id?: string;
  readonly version?: string;
  readonly title?: string;
  readonly cwd?: string;
  readonly bytes: number;
  /** When it was written to last, in milliseconds since 1970. */
  readonly modified: number;
  /** Another process that has the file open. */
  readonly heldBy?: number;
  readonly judgement: Judgement;
  /** The new file that the repaired messages of the next request were written to. */
  readonly written?: string;
}

/** A session that a tool wrote. */
export type OfTool = ToolSession & { readonly tool: string };

const isOfTool = (session: ToolSession): session is OfTool => session.tool !== undefined;

/** Frameworks and requests whose JSON files hold nothing but messages: those are histories, and can be written anew. */
const ofMessages: ReadonlySet<string> = new Set(['openai-chat', 'pydantic-ai', 'openai-agents', 'mastra-ai-sdk']);

function isDatabase(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const magic = Buffer.alloc(15);
    readSync(file, magic, 0, magic.length, 0);
    return magic.toString('latin1') === 'SQLite format 3';
  } finally {
    closeSync(file);
  }
}

/** Opens a session where a tool that is known wrote the file; undefined for any other file. */
export async function openNamed({ path, id }: Named, options: OpenOptions = {}): Promise<OfTool | undefined> {
  // The user named this file, so a link that was named is followed; links inside of folders never are.
  const real = realpathSync(path);
  if (!statSync(real).isFile()) return undefined;
  const session = await openSession(id === undefined ? real : { path: real, id }, options);
  if (!isOfTool(session) || (ofMessages.has(session.tool) && !isDatabase(real))) return undefined;
  return session;
}

/** Writes the messages of the next request to a new file, repaired so that the provider accepts them. */
export async function writeRepaired(session: OfTool, out: string, options: JudgeOptions): Promise<void> {
  const { messages, dialect, model: own } = await session.active();
  const model = options.model ?? own;
  const target = { dialect, ...(model === undefined ? {} : { model }) };
  const { output } = repair(messages, target, options.policy === undefined ? {} : { policy: options.policy });
  saveNew(out, newlyWritten(output, formOf(out, output)));
}

const given = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** Judges an open session; nothing is changed. */
export async function judgeOpened(
  { name, path, chunks }: Named,
  session: OfTool,
  options: JudgeOptions,
): Promise<JudgedSession> {
  const stats = statSync(session.path, { bigint: true });
  const isPiped = chunks !== undefined;
  // The time of a database, or of a copy, is not that of the session.
  const isShared = isPiped || /\.(db|sqlite)$/.test(session.path);
  const written = Number(stats.mtimeMs);
  const modified = (isShared ? Date.parse(session.times.updated ?? '') : written) || written;
  const heldBy = isPiped ? undefined : holderOf(stats);
  const now = Date.now();
  const timing = isPiped ? {} : { now, modified, isOpen: !isShared && heldBy !== undefined };
  const judgement = await judgeSession(session, { ...timing, ...options });
  const { tool, id, version, title, cwd } = session;
  return {
    kind: 'session',
    name,
    path: isPiped ? name : path,
    tool,
    bytes: Number(stats.size),
    modified,
    judgement,
    ...given({ id, version, title, cwd, heldBy }),
  };
}
