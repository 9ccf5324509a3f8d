import { createHash } from 'node:crypto';

import type { FaultLog } from '../fault.ts';
import { isFile } from '../files/file-stat.ts';
import { readDocument } from '../files/read-document.ts';
import { isObject, listAt, numberAt, textAt, type JsonObject } from '../json.ts';
import { wholeFile, type Place } from '../place.ts';
import type { Reading, Related } from '../session.ts';
import type { Turn } from '../wire/turn.ts';
import { joinTurns, type WireMessage } from '../wire/wire-message.ts';
import { writeTurns } from '../wire/write-turns.ts';
import { turnOf } from './records.ts';

/** What stands for the first messages of a session, in a file of its own. */
export type Compaction = {
  readonly related: Related;
  readonly turns: readonly Turn[];
  /** How many messages it stands for; undefined when it was made of other ones, and the tool ignores it. */
  readonly covers: number | undefined;
};

export async function readCompaction(
  path: string,
  messages: readonly JsonObject[],
  faults: FaultLog,
): Promise<Compaction | undefined> {
  if (!(await isFile(path))) return undefined;
  const state = await readDocument(path, faults);
  const count = numberAt(state, 'source_message_count') ?? 0;
  const turns = listAt(state, 'messages').flatMap((message, index) => {
    const places: Place[] = [{ kind: 'value', file: path, pointer: `/messages/${index}` }];
    return isObject(message) ? [{ ...turnOf(message), places }] : [];
  });
  const fits = count > 0 && count <= messages.length && isMadeOf(state, messages.slice(0, count));
  if (!fits) {
    faults.add('stale-index', wholeFile(path), 'This summary was made of other messages: Cline sends all of them.');
  }
  return { related: { kind: 'side-file', path, isThere: true }, turns, covers: fits ? count : undefined };
}

/** Whether the messages are those that the summary was made of: it has a hash of them, or the key of the last one. */
function isMadeOf(state: unknown, messages: readonly JsonObject[]): boolean {
  const hash = textAt(state, 'source_prefix_hash');
  if (hash !== undefined) return hash === prefixHash(messages);
  const key = textAt(state, 'source_last_message_key');
  const last = messages.at(-1);
  return (
    key !== undefined &&
    (key === `id:${textAt(last, 'id')}` || key === `ts:${textAt(last, 'role')}:${numberAt(last, 'ts')}`)
  );
}

/** The hash that Cline makes of messages: of what was said, without ids and times. */
function prefixHash(messages: readonly JsonObject[]): string {
  const hash = createHash('sha256');
  hash.update(`cline-session-compaction-source-v2\n${messages.length}\n`);
  for (const message of messages) {
    const keys = ['agent', 'sessionId', 'metadata', 'modelInfo', 'metrics'];
    const said = [
      ['role', message['role']],
      ['content', shownContent(message)],
    ];
    hash.update(`${JSON.stringify([...said, ...keys.map((key) => [key, message[key] ?? null])])}\n`);
  }
  return `sha256:${hash.digest('hex')}`;
}

/** What is hashed of a prompt is what the screen shows of it. */
function shownContent({ role, content }: JsonObject): unknown {
  if (role !== 'user') return content;
  if (typeof content === 'string') return shown(content);
  return (Array.isArray(content) ? content : []).map((block: unknown) =>
    isObject(block) && block['type'] === 'text' ? { ...block, text: shown(textAt(block, 'text') ?? '') } : block,
  );
}

const shown = (text: string): string => text.replace(/^<user_input mode="[^"]*">(.*)<\/user_input>$/s, '$1');

/** Puts what the summary says before the messages that it leaves. */
export function applyCompaction(reading: Reading, { turns }: Compaction): Reading {
  return {
    ...reading,
    async active() {
      const active = await reading.active();
      const left = active.messages.map((message, index) => ({ message, places: active.places[index] ?? [] }));
      const wire = [...writeTurns(turns, active.dialect), ...(left as WireMessage[])];
      const joined = active.dialect === 'anthropic-messages' ? joinTurns(wire, 'content') : wire;
      return { ...active, messages: joined.map(({ message }) => message), places: joined.map(({ places }) => places) };
    },
  };
}
