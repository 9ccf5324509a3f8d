import { type Message, type Part, decode, estimateTokens, turns } from '@rethread/core';
import type { Active } from '@rethread/formats';

import { excerpt } from '../terminal/visible.ts';

/** One thing that was said or done, in one line. */
export interface Step {
  readonly kind: 'user' | 'assistant' | 'reasoning' | 'call' | 'media' | 'system' | 'result';
  readonly text: string;
  /** The tool that was called. */
  readonly tool?: string;
  /** How a call ended; `open` when it has no result. */
  readonly outcome?: 'ok' | 'error' | 'denied' | 'interrupted' | 'unknown' | 'open';
  /** Characters of its result. */
  readonly result?: number;
}

/** A turn of the next request. */
export interface TimelineTurn {
  readonly index: number;
  readonly kind: 'user' | 'summary' | 'context' | 'none';
  /** The places of its messages, counted from 0. */
  readonly from: number;
  readonly to: number;
  readonly tokens: number;
  readonly at?: string;
  /** Whether an answer in it was stopped before its end, or a call has no result. */
  readonly interrupted: boolean;
  readonly steps: readonly Step[];
}

/** So much of each text is kept. */
const longest = 400;

type ResultPart = Extract<Part, { readonly kind: 'result' }>;

/** The results of calls, each taken once and in order: ids are used again in real histories. */
function resultsById(messages: readonly Message[]): Map<string, ResultPart[]> {
  const results = new Map<string, ResultPart[]>();
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.kind === 'result') results.set(part.callId, [...(results.get(part.callId) ?? []), part]);
  }
  return results;
}

const cut = (text: string): string => excerpt(text.trim().replaceAll(/\s+/g, ' '), longest);

function stepOf(part: Part, role: Message['role'], results: Map<string, ResultPart[]>): Step | undefined {
  switch (part.kind) {
    case 'text': {
      const kind = role === 'assistant' || role === 'system' ? role : 'user';
      return part.text.trim() === '' ? undefined : { kind, text: cut(part.text) };
    }
    case 'reasoning':
      return part.text.trim() === '' ? undefined : { kind: 'reasoning', text: cut(part.text) };
    case 'call': {
      const result = results.get(part.callId)?.shift();
      const text = cut(typeof part.input === 'string' ? part.input : (JSON.stringify(part.input) ?? ''));
      if (result === undefined) return { kind: 'call', tool: part.tool, text, outcome: 'open' };
      return { kind: 'call', tool: part.tool, text, outcome: result.outcome, result: result.text.length };
    }
    case 'media':
      return { kind: 'media', text: `${part.characters.toLocaleString('en-US')} characters` };
    case 'result':
    case 'opaque':
      return undefined;
  }
}

/** The turns of a request, with calls beside their results. `timeOf` gives the time of a message, where it is known. */
export function timelineOf(
  { messages, dialect, model }: Pick<Active, 'messages' | 'dialect' | 'model'>,
  timeOf: (message: number) => string | undefined,
): readonly TimelineTurn[] {
  const target = { dialect, ...(model === undefined ? {} : { model }) };
  const read = decode(messages, dialect)?.messages ?? [];
  const results = resultsById(read);
  return turns(messages, target).map(({ index, kind, from, to, messages: own }) => {
    const said = read.slice(from, to);
    const steps = said.flatMap(({ role, parts }) => parts.flatMap((part) => stepOf(part, role, results) ?? []));
    const at = timeOf(from);
    const interrupted = steps.some(({ outcome }) => outcome === 'open' || outcome === 'interrupted');
    const tokens = estimateTokens(own, target);
    return { index, kind, from, to, tokens, ...(at === undefined ? {} : { at }), interrupted, steps };
  });
}
