import { readFileSync, statSync } from 'node:fs';

import { detectDialect } from '@rethread/core';
import { type Fault, type FaultKind, type Place, judgeSession } from '@rethread/formats';

import type { FileRule } from '../files/file-rules.ts';
import { messagesOf } from '../files/message-list.ts';
import { readSession } from '../files/read-session.ts';
import { fromChunks } from '../files/source.ts';
import { Unreadable } from '../unreadable.ts';
import type { JudgedSession } from './judged-session.ts';

const kinds: Readonly<Record<FileRule['id'], FaultKind>> = {
  'torn-last-line': 'torn',
  'json-cut-off': 'torn',
  'lines-glued': 'glued',
  'line-not-json': 'not-json',
  'bytes-not-utf8': 'bad-utf8',
  'key-repeated': 'repeated-id',
};

interface Given {
  readonly name: string;
  readonly path: string;
  readonly chunks?: readonly Uint8Array[];
}

/** Judges a file of messages as if it were the session of a tool that sends them as they are. */
export async function judgeHistory(
  { name, path, chunks }: Given,
  model: string | undefined,
): Promise<{ readonly session: JudgedSession; readonly messages: readonly unknown[] }> {
  const bytes = chunks ?? [readFileSync(path)];
  const session = readSession(fromChunks(bytes));
  const messages = messagesOf(session.value);
  const dialect = detectDialect(session.value, model);
  if (messages === undefined || dialect === undefined) throw new Unreadable('is no history that can be reported');
  const placeAt = (index: number): Place => ({ kind: 'value', file: name, pointer: `/${index}` });
  const faults = session.findings.map(({ rule, line, explain }): Fault => {
    return { kind: kinds[rule], place: { kind: 'line', file: name, line, byte: 0, bytes: 0 }, note: explain };
  });
  const places = messages.map((_, index) => [placeAt(index)]);
  const active = { dialect, messages, places, absent: [], copes: [] };
  const opened = { path, faults, times: {}, models: [], related: [], entries: nothing };
  const judgement = await judgeSession(
    { ...opened, active: () => Promise.resolve(active) },
    model === undefined ? {} : { model },
  );
  const size = bytes.reduce((sum, { length }) => sum + length, 0);
  const modified = chunks === undefined ? statSync(path).mtimeMs : Date.now();
  return { session: { kind: 'session', name, path, tool: 'history', bytes: size, modified, judgement }, messages };
}

async function* nothing(): AsyncGenerator<never> {
  // The messages are all there is.
}
