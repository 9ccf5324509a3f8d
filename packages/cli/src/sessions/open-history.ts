import { realpathSync } from 'node:fs';

import type { Dialect } from '@rethread/core';

import { type FileSource, type Source, fromChunks, openFile } from '../files/source.ts';
import { Unreadable } from '../unreadable.ts';
import { type OfTool, openNamed } from './judged-session.ts';
import { type Named, sessionsNamed } from './session-argument.ts';
import { toolName } from './tool-words.ts';

/** Where the messages of a tool's session come from. */
export interface Origin {
  readonly tool: string;
  readonly dialect: Dialect;
  readonly model?: string;
  /** One sentence on what was taken for the history. */
  readonly note: string;
}

/** The bytes of a history: those of a file, or the messages that a tool would send, written as a list. */
export interface OpenedHistory {
  readonly source: Source;
  /** The file itself, where the history is one that may be written anew in its place. */
  readonly file?: FileSource;
  /** Only a session of a tool has one. Nothing may be written in its place. */
  readonly origin?: Origin;
  readonly close: () => void;
}

async function onlyOne(word: string): Promise<Named> {
  const found = await sessionsNamed(word);
  const [first] = found;
  if (first === undefined) throw new Unreadable('holds no session');
  if (found.length > 1) throw new Unreadable(`holds ${found.length} files; name one of them`);
  return first;
}

async function openedTool(session: OfTool): Promise<OpenedHistory> {
  const { dialect, model, messages } = await session.active();
  const source = fromChunks([Buffer.from(JSON.stringify(messages))]);
  const what = `${messages.length.toLocaleString('en-US')} messages in ${dialect}`;
  const note = `a session of ${toolName(session.tool)}; taken is what its next request contains: ${what}`;
  const origin = { tool: session.tool, dialect, note, ...(model === undefined ? {} : { model }) };
  return { source, origin, close: () => undefined };
}

/**
 * Opens the history that a session argument names. Of a session that a tool keeps these are the messages of the next
 * request, so that what the tool notes beside them is never taken for words of the user.
 */
export async function openHistory(word: string): Promise<OpenedHistory> {
  const named = await onlyOne(word);
  const session = await openNamed(named);
  if (session !== undefined) return openedTool(session);
  if (named.chunks !== undefined) return { source: fromChunks(named.chunks), close: () => undefined };
  const file = openFile(word === named.name ? word : realpathSync(named.path));
  return { source: file, file, close: () => file.close() };
}
