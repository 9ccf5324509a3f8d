import type { Dialect } from '../../src/index.ts';
import type { Random } from './random.ts';

type Message = Record<string, unknown>;

/** One call or result of a batch: its id, and the number in its content. */
export interface Spoken {
  readonly id: string;
  readonly n: number;
}

/** How a dialect writes what the user says, a batch of calls, and results. */
export interface Batches {
  readonly user: (text: string) => Message;
  readonly say: (text: string) => Message;
  readonly calls: (calls: readonly Spoken[]) => readonly Message[];
  readonly results: (results: readonly Spoken[]) => readonly Message[];
}

const path = (n: number): object => ({ path: `path ${n}` });
const output = (n: number): string => `output ${n}`;
const one = (message: Message): readonly Message[] => [message];

const chat = {
  user: (content: string): Message => ({ role: 'user', content }),
  say: (content: string): Message => ({ role: 'assistant', content }),
};

const openAi: Batches = {
  ...chat,
  calls: (calls) =>
    one({
      role: 'assistant',
      content: '',
      tool_calls: calls.map(({ id, n }) => ({
        id,
        type: 'function',
        function: { name: 'read', arguments: JSON.stringify(path(n)) },
      })),
    }),
  results: (results) => results.map(({ id, n }) => ({ role: 'tool', tool_call_id: id, content: output(n) })),
};

/** Calls and results of every dialect in which they can come apart. */
export const BATCHES: Readonly<Record<Exclude<Dialect, 'ai-sdk-ui'>, Batches>> = {
  'openai-chat': openAi,
  'mistral-chat': openAi,
  'anthropic-messages': {
    ...chat,
    calls: (calls) =>
      one({
        role: 'assistant',
        content: calls.map(({ id, n }) => ({ type: 'tool_use', id, name: 'read', input: path(n) })),
      }),
    results: (results) =>
      one({
        role: 'user',
        content: results.map(({ id, n }) => ({ type: 'tool_result', tool_use_id: id, content: output(n) })),
      }),
  },
  'bedrock-converse': {
    user: (text) => ({ role: 'user', content: [{ text }] }),
    say: (text) => ({ role: 'assistant', content: [{ text }] }),
    calls: (calls) =>
      one({
        role: 'assistant',
        content: calls.map(({ id, n }) => ({ toolUse: { toolUseId: id, name: 'read', input: path(n) } })),
      }),
    results: (results) =>
      one({
        role: 'user',
        content: results.map(({ id, n }) => ({ toolResult: { toolUseId: id, content: [{ text: output(n) }] } })),
      }),
  },
  gemini: {
    user: (text) => ({ role: 'user', parts: [{ text }] }),
    say: (text) => ({ role: 'model', parts: [{ text }] }),
    calls: (calls) =>
      one({
        role: 'model',
        parts: calls.map(({ id, n }) => ({
          functionCall: { id, name: 'read', args: path(n) },
          thoughtSignature: 'c2ln',
        })),
      }),
    results: (results) =>
      one({
        role: 'user',
        parts: results.map(({ id, n }) => ({
          functionResponse: { id, name: 'read', response: { result: output(n) } },
        })),
      }),
  },
  'openai-responses': {
    ...chat,
    calls: (calls) =>
      calls.map(({ id, n }) => ({
        type: 'function_call',
        call_id: id,
        name: 'read',
        arguments: JSON.stringify(path(n)),
      })),
    results: (results) =>
      results.map(({ id, n }) => ({ type: 'function_call_output', call_id: id, output: output(n) })),
  },
  'openai-agents': {
    user: chat.user,
    say: (text) => ({
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text }],
    }),
    calls: (calls) =>
      calls.map(({ id, n }) => ({
        type: 'function_call',
        callId: id,
        name: 'read',
        status: 'completed',
        arguments: JSON.stringify(path(n)),
      })),
    results: (results) =>
      results.map(({ id, n }) => ({
        type: 'function_call_result',
        callId: id,
        name: 'read',
        status: 'completed',
        output: { type: 'text', text: output(n) },
      })),
  },
  'pydantic-ai': {
    user: (content) => ({ kind: 'request', parts: [{ part_kind: 'user-prompt', content }] }),
    say: (content) => ({ kind: 'response', parts: [{ part_kind: 'text', content }] }),
    calls: (calls) =>
      one({
        kind: 'response',
        parts: calls.map(({ id, n }) => ({
          part_kind: 'tool-call',
          tool_name: 'read',
          args: path(n),
          tool_call_id: id,
        })),
      }),
    results: (results) =>
      one({
        kind: 'request',
        parts: results.map(({ id, n }) => ({
          part_kind: 'tool-return',
          tool_name: 'read',
          content: output(n),
          tool_call_id: id,
        })),
      }),
  },
  'ai-sdk-model': {
    ...chat,
    calls: (calls) =>
      one({
        role: 'assistant',
        content: calls.map(({ id, n }) => ({ type: 'tool-call', toolCallId: id, toolName: 'read', input: path(n) })),
      }),
    results: (results) =>
      one({
        role: 'tool',
        content: results.map(({ id, n }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: 'read',
          output: { type: 'text', value: output(n) },
        })),
      }),
  },
  langchain: {
    user: (content) => ({ type: 'human', content }),
    say: (content) => ({ type: 'ai', content }),
    calls: (calls) =>
      one({
        type: 'ai',
        content: '',
        tool_calls: calls.map(({ id, n }) => ({ name: 'read', args: path(n), id, type: 'tool_call' })),
      }),
    results: (results) =>
      results.map(({ id, n }) => ({ type: 'tool', content: output(n), tool_call_id: id, name: 'read' })),
  },
};

/** Nine letters and digits, which every provider takes. */
export const batchId = (n: number): string => `c${String(n).padStart(8, '0')}`;

const without = (random: Random, items: readonly Spoken[], oneIn: number): Spoken[] =>
  items.filter(() => !random.chance(oneIn));

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random.below(left.length), 1));
}

/** The ids of a batch: new ones, or those of every other batch again, as some hosts number them. */
function batchAt(random: Random, count: number, reused: boolean): Spoken[] {
  return Array.from({ length: random.between(1, 4) }, (_, at) => ({
    id: batchId(reused ? at : count + at),
    n: count + at,
  }));
}

/** Results in one message or in several, some of them late, twice, under a lost id, or in another order. */
function answersTo(batch: readonly Spoken[], random: Random): { now: Spoken[][]; late: Spoken[] } {
  const renamed = batch.map((each) => (random.chance(12) ? { ...each, id: batchId(90_000 + each.n) } : each));
  const late = random.chance(6) ? renamed.splice(random.below(renamed.length), 1) : [];
  const twice = random.chance(12) ? renamed.slice(0, 1).map(({ id, n }) => ({ id, n: n + 50_000 })) : [];
  const all = [...renamed, ...twice];
  const ordered = random.chance(3) ? shuffled(random, all) : all;
  const now = random.chance(2) ? ordered.map((each) => [each]) : [ordered];
  return { now, late };
}

/** A history of batches that was cut by ids, at the front and in the middle. */
export function cutHistory({ user, say, calls, results }: Batches, random: Random): Message[] {
  const messages: Message[] = [];
  const oneIn = random.pick([4, 8, 1000]);
  const reused = random.chance(4);
  let count = 1;
  let owed: Spoken[] = [];
  for (let turn = random.between(1, 3); turn > 0; turn -= 1) {
    messages.push(user(`question ${(count += 1)}`));
    for (let step = random.between(1, 3); step > 0; step -= 1) {
      const batch = batchAt(random, (count += 1), reused);
      count += batch.length;
      const kept = without(random, batch, oneIn);
      const { now, late } = answersTo(batch, random);
      if (kept.length > 0) messages.push(...calls(kept));
      // What was owed since an earlier step comes before or behind the results of this one.
      const groups = random.chance(2) ? [owed, ...now] : [...now, owed];
      owed = late;
      for (const group of groups) {
        const left = without(random, group, oneIn);
        if (left.length > 0) messages.push(...results(left));
        if (random.chance(20)) messages.push(user(`aside ${(count += 1)}`));
      }
    }
    if (random.chance(2)) messages.push(say(`answer ${(count += 1)}`));
  }
  if (owed.length > 0) messages.push(...results(owed));
  if (random.chance(2)) messages.splice(0, random.below(messages.length));
  if (random.chance(2)) messages.splice(random.below(messages.length + 1), random.below(3));
  return messages;
}
