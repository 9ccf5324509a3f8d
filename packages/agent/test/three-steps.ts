import { judge } from '@rethread/simulator';
import type { Dialect } from '@rethread/core';
import type { StoredRecord } from '@rethread/store';
import { expect } from 'vitest';

import type { AgentEvent, ModelRequest, ScriptedReply } from '../src/index.ts';

/** Three requests, the first two with parallel tools. */
export const THREE_STEPS: readonly ScriptedReply[] = [
  {
    reasoning: 'Two things to look at.',
    text: 'First I look around.',
    calls: [
      { callId: 'call_a1', tool: 'look', input: { name: 'hall' } },
      { callId: 'call_a2', tool: 'look', input: { name: 'cellar' } },
      { callId: 'call_a3', tool: 'send', input: { name: 'letter' } },
    ],
  },
  {
    text: 'Now the rest.',
    calls: [
      { callId: 'call_b1', tool: 'send', input: { name: 'parcel' } },
      { callId: 'call_b2', tool: 'look', input: { name: 'roof' } },
    ],
  },
  { text: 'That was everything.' },
];

/** A request as its provider would judge it; undefined if it is accepted. */
export function refusalOf({ messages }: ModelRequest, dialect: Dialect): unknown {
  const refusals = judge(dialect, messages, { purpose: 'request' });
  return refusals.length === 0 ? undefined : refusals;
}

/** The text a reader saw, one string per step. */
export function shownText(events: readonly AgentEvent[]): readonly string[] {
  const steps: string[] = [];
  for (const event of events) {
    if (event.kind === 'state' && event.state === 'awaiting-model') steps.push('');
    if (event.kind === 'text') steps.push((steps.pop() ?? '') + event.text);
  }
  return steps.filter((text) => text !== '');
}

/** The next request must contain everything a reader saw. */
export function expectKept(events: readonly AgentEvent[], request: ModelRequest | undefined): void {
  const sent = JSON.stringify(request?.messages ?? []);
  for (const text of shownText(events)) expect(sent).toContain(JSON.stringify(text).slice(1, -1));
}

export const lastState = (records: readonly StoredRecord[]): unknown =>
  records.findLast(({ kind }) => kind === 'state')?.data;
