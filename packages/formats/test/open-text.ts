import { join } from 'node:path';

import { openSession, type ToolSession } from '../src/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Opens a session that is written for a test. */
export const openText = async (content: string | Uint8Array, name: string = 'session.jsonl'): Promise<ToolSession> =>
  openSession(join(temporaryFolder({ [name]: content }), name));

export const openJson = async (value: unknown, name: string = 'session.json'): Promise<ToolSession> =>
  openText(JSON.stringify(value, undefined, 2), name);

export const kindsOf = ({ faults }: ToolSession): string[] => faults.map(({ kind }) => kind);

/** How many messages are not sent, by the reason. */
export const absentIn = async (session: ToolSession): Promise<Record<string, number>> => {
  const { absent } = await session.active();
  return Object.fromEntries(absent.map(({ reason, messages }) => [reason, messages]));
};

/** Every text in each message of the next request, joined. */
export async function textsIn(session: ToolSession): Promise<string[]> {
  const { messages } = await session.active();
  return messages.map((message) => {
    const { content, parts, output } = message as Record<string, unknown>;
    return textOf(content ?? parts ?? output);
  });
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('|');
  if (typeof value !== 'object' || value === null) return '';
  const { text, content, thinking, type } = value as Record<string, unknown>;
  return textOf(text ?? content ?? thinking ?? (typeof type === 'string' ? `<${type}>` : ''));
}
