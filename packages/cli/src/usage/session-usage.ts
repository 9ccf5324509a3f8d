import { decode } from '@rethread/core';
import { type SessionVerdict, judgeSession } from '@rethread/formats';

import type { OfTool } from '../sessions/judged-session.ts';
import { usageIn } from './usage-in.ts';

/** The figures of one session. */
export interface SessionUsage {
  readonly verdict: SessionVerdict;
  readonly turns: number;
  readonly model: string;
  /** Calls in the next request by the name of their tool. */
  readonly calls: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** Reads a session for its figures; tokens are counted once for each request. */
export async function usageOfSession(session: OfTool): Promise<SessionUsage> {
  const { verdict, turns, model } = await judgeSession(session);
  const { messages, dialect } = await session.active();
  const calls: Record<string, number> = Object.create(null) as Record<string, number>;
  for (const part of (decode(messages, dialect)?.messages ?? []).flatMap(({ parts }) => parts)) {
    if (part.kind === 'call') calls[part.tool] = (calls[part.tool] ?? 0) + 1;
  }
  const byRequest = new Map<string, { input: number; output: number; cached: number }>();
  for await (const entry of session.entries()) {
    const usage = usageIn(entry);
    // The last line of an answer has the final figures.
    if (usage !== undefined) byRequest.set(usage.request, usage);
  }
  const sum = { input: 0, output: 0, cached: 0 };
  for (const { input, output, cached } of byRequest.values()) {
    sum.input += input;
    sum.output += output;
    sum.cached += cached;
  }
  return { verdict, turns, model: model ?? 'unknown', calls, requests: byRequest.size, ...sum };
}
