import { numberAt, objectAt, textAt, type JsonObject } from './value.ts';

/** Tokens of one request, as the tool recorded them. */
export type RecordedUsage = {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly window?: number;
  /** Records with the same id tell of the same answer. */
  readonly id?: string;
};

/** The usage that a record tells of, under the names of any tool known here. */
export function usageOf(value: JsonObject): RecordedUsage | undefined {
  const message = objectAt(value, 'message') ?? objectAt(value, 'payload') ?? value;
  const info = objectAt(message, 'info');
  const usage =
    objectAt(info, 'last_token_usage') ??
    objectAt(message, 'usage') ??
    objectAt(message, 'tokens') ??
    objectAt(value, 'usage');
  if (usage === undefined) return undefined;
  const read =
    numberAt(usage, 'cache_read_input_tokens', 'cacheRead') ?? numberAt(objectAt(usage, 'cache'), 'read') ?? 0;
  const written =
    numberAt(usage, 'cache_creation_input_tokens', 'cacheWrite') ?? numberAt(objectAt(usage, 'cache'), 'write') ?? 0;
  const inside = numberAt(usage, 'cached_input_tokens', 'cached');
  const plain = numberAt(usage, 'input_tokens', 'input', 'prompt_tokens', 'promptTokens');
  const output = numberAt(usage, 'output_tokens', 'output', 'completion_tokens', 'completionTokens');
  if (plain === undefined && output === undefined) return undefined;
  const window = numberAt(info, 'model_context_window');
  const id = textAt(message, 'id');
  return {
    input: (plain ?? 0) + (inside === undefined ? read + written : 0),
    cached: inside ?? read,
    output: output ?? 0,
    ...(window === undefined ? {} : { window }),
    ...(id === undefined ? {} : { id }),
  };
}
