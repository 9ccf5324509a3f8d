/** One entry of a generated history, before it is written in a dialect. */
export type Entry =
  | { kind: 'user'; text: string }
  | { kind: 'assistant'; text: string; calls: Call[] }
  | { kind: 'results'; results: Result[] }
  | { kind: 'empty' };

export type Call = { id: string; name: string; input: Record<string, unknown> };
export type Result = { id: string; name: string; content: string };
