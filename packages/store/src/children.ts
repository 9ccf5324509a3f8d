import { type History, type Message, check, project } from '@rethread/core';

import type { Driver } from './driver.ts';
import { loadRecords, readRecords } from './log.ts';
import { keysOf, type StoredRecord, toSessionRecord } from './record.ts';
import { StoreError } from './store-error.ts';

/** A child session and, optionally, the call of the parent that it answers. */
export type ChildLink = { readonly id: string; readonly callId?: string };

/**
 * How far a child session got. `answered`: its last message is a complete answer. `interrupted`: a call or answer is
 * open, and `partial` holds the last text. `empty`: no message yet. `missing`: erased. `damaged`: unreadable.
 */
export type ChildReport = ChildLink & {
  readonly state: 'answered' | 'interrupted' | 'empty' | 'missing' | 'damaged';
  readonly seq?: number;
  readonly updatedAt?: string;
  readonly messages?: number;
  /** The child's last text, shortened: the start of its answer, or what it said before it was stopped. */
  readonly partial?: string;
  readonly openCalls?: readonly { readonly callId: string; readonly tool: string }[];
  readonly problem?: string;
};

const longestPartial = 2000;

function linkIn(record: StoredRecord): ChildLink | undefined {
  const { child, callId } = keysOf(record);
  if (record.kind !== 'link' || typeof child !== 'string') return undefined;
  return { id: child, ...(typeof callId === 'string' ? { callId } : {}) };
}

/** Lists the children of a session: those its log links to, and those that name it as parent. */
export async function childrenOf(driver: Driver, session: string): Promise<readonly ChildLink[]> {
  const links = new Map<string, ChildLink>();
  for await (const record of readRecords(driver, session, {})) {
    const link = linkIn(record);
    if (link !== undefined) links.set(link.id, link);
  }
  for await (const { id } of driver.list({ parent: session })) if (!links.has(id)) links.set(id, { id });
  return [...links.values()];
}

const said = ({ parts }: Message): string =>
  parts
    .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .join('\n')
    .slice(0, longestPartial);

function openCallsIn({ messages }: History): { callId: string; tool: string }[] {
  const open = new Map<string, { callId: string; tool: string }>();
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.kind === 'call') open.set(part.callId, { callId: part.callId, tool: part.tool });
    if (part.kind === 'result') open.delete(part.callId);
  }
  return [...open.values()];
}

function workIn(history: History): Pick<ChildReport, 'state' | 'messages' | 'partial' | 'openCalls'> {
  const { messages } = history;
  const openCalls = openCallsIn(history);
  const last = messages.at(-1);
  const whole = last?.role === 'assistant' && openCalls.length === 0 && last.parts.some(({ kind }) => kind === 'text');
  const wire = messages.flatMap((message) => (message.wire === undefined ? [] : [message.wire]));
  const sound = wire.length < messages.length || check(wire).verdict === 'clean';
  const partial = messages.findLast((message) => message.role === 'assistant' && said(message) !== '');
  return {
    state: whole && sound ? 'answered' : 'interrupted',
    messages: messages.length,
    ...(partial === undefined ? {} : { partial: said(partial) }),
    ...(openCalls.length === 0 ? {} : { openCalls }),
  };
}

/** Reports one child. An unreadable child is reported as such and never blocks its parent. */
export async function reportChild(driver: Driver, link: ChildLink): Promise<ChildReport> {
  try {
    const info = await driver.info(link.id);
    if (info === undefined) return { ...link, state: 'missing' };
    const records = await loadRecords(driver, link.id, {});
    const history = project(records.map(toSessionRecord));
    const { seq, updatedAt } = info;
    if (history === undefined) return { ...link, state: 'empty', seq, updatedAt };
    return { ...link, seq, updatedAt, ...workIn(history) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // The child was erased after it was listed. If only the source of a fork is missing, the child is damaged.
    if (error.code === 'missing' && error.details.session === link.id) return { ...link, state: 'missing' };
    return { ...link, state: 'damaged', problem: error.message };
  }
}
