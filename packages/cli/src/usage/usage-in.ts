import type { Entry } from '@rethread/formats';

/** Tokens that the provider counted for one request. */
export interface Usage {
  /** The request that they were counted for; tools write the same figures on every line of an answer. */
  readonly request: string;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldsAt = (value: Fields, key: string): Fields => {
  const held = value[key];
  return isFields(held) ? held : {};
};

/** The names that tools have for one figure, the first of which that is there counts. */
const names = {
  input: ['input_tokens', 'prompt_tokens', 'input', 'inputTokens', 'prompt'],
  output: ['output_tokens', 'completion_tokens', 'output', 'outputTokens', 'candidates'],
  cached: ['cache_read_input_tokens', 'cached_input_tokens', 'cacheRead', 'cached', 'cachedTokens'],
} as const;

function figure(usage: Fields, of: keyof typeof names): number {
  for (const name of names[of]) {
    const value = usage[name];
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  }
  return 0;
}

/** Where tools keep what the provider counted. */
function usageOf(value: Fields): Fields | undefined {
  const message = fieldsAt(value, 'message');
  const payload = fieldsAt(value, 'payload');
  const held = [message['usage'], fieldsAt(payload, 'info')['last_token_usage'], value['usage'], value['tokens']];
  return held.find(isFields);
}

/** What the provider counted for the answer in a record; undefined when the record tells nothing of that. */
export function usageIn({ place, value }: Pick<Entry, 'place' | 'value'>): Usage | undefined {
  const usage = usageOf(value);
  if (usage === undefined) return undefined;
  const id = fieldsAt(value, 'message')['id'] ?? value['requestId'] ?? value['id'];
  const request = typeof id === 'string' ? id : JSON.stringify(place);
  const cache = fieldsAt(usage, 'cache')['read'];
  const cached = typeof cache === 'number' ? cache : figure(usage, 'cached');
  const found = { request, input: figure(usage, 'input'), output: figure(usage, 'output'), cached };
  return found.input + found.output + found.cached === 0 ? undefined : found;
}
