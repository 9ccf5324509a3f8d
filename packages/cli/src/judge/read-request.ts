import { detectDialect } from '@rethread/core';
import type { JudgedDialect } from '@rethread/simulator';

import { foreignShape } from '../doctor/foreign.ts';
import { type Numbers, type OpenedFile, openSession } from '../files/read-json.ts';
import { Unreadable } from '../unreadable.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How many entries of a list are looked at. */
const sample = 200;
const lists = ['messages', 'contents', 'input'];
const responsesPart = /^(input|output)_(text|image|file)$/;
const responsesEntry = /^(message|reasoning|item_reference|compaction|.*_call|.*_call_output)$/;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isBody = (value: unknown): value is Fields =>
  isObject(value) && lists.some((key) => Array.isArray(value[key]) || (key === 'input' && key in value));

function entryDialect(entry: unknown): JudgedDialect | undefined {
  if (!isObject(entry)) return undefined;
  const { role, kind, parts, type, content } = entry;
  if (Array.isArray(parts) && kind === undefined && (role === undefined || typeof role === 'string')) return 'gemini';
  if (typeof type === 'string' && responsesEntry.test(type)) return 'openai-responses';
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  const named = isObject(first) && typeof first['type'] === 'string' ? first['type'] : '';
  return responsesPart.test(named) ? 'openai-responses' : undefined;
}

/** Tells which API a body or a bare list is meant for, or nothing where nothing shows it. */
export function dialectOf(value: unknown): JudgedDialect | undefined {
  if (Array.isArray(value)) {
    for (const entry of value.slice(0, sample)) {
      const found = entryDialect(entry);
      if (found !== undefined) return found;
    }
  } else if (isObject(value) && !Array.isArray(value['messages'])) {
    if ('contents' in value) return 'gemini';
    if ('input' in value || 'previous_response_id' in value) return 'openai-responses';
  }
  return detectDialect(value);
}

/** Why a value does not tell its API, and what to do about it. */
export function unknownDialect(value: unknown): string {
  const messages = isObject(value) && 'messages' in value ? value['messages'] : [];
  if (Array.isArray(messages)) return 'does not show which API it is for; name it with --dialect';
  const found = messages === null ? 'null' : `${typeof messages === 'object' ? 'an' : 'a'} ${typeof messages}`;
  return `holds no list of messages: its messages are ${found}; with --dialect it is judged all the same`;
}

function refuseOther(value: unknown): void {
  if (Array.isArray(value) && value.length > 1 && value.every(isBody)) {
    throw new Unreadable('holds several requests; give them one at a time');
  }
  if (!Array.isArray(value) && !isObject(value))
    throw new Unreadable('holds no request: it is neither an object nor a list');
}

/**
 * Opens one saved request, one bare list, or the session of a tool, gives it to the work, and closes it. A file of
 * another program is refused: its entries are no messages.
 */
export async function withRequest<T>(
  path: string,
  work: (opened: OpenedFile) => T,
  numbers: Numbers = 'exact',
): Promise<T> {
  const opened = await openSession(path, numbers);
  try {
    const { session, origin } = opened;
    refuseOther(session.value);
    const foreign = origin === undefined ? foreignShape(session.value) : undefined;
    if (foreign !== undefined) throw new Unreadable(`${foreign}; rethread does not read such a file yet`);
    return work(opened);
  } finally {
    opened.close();
  }
}
