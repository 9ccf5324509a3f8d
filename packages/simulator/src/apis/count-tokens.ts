import type { JsonObject, Refusal } from '../judges/docket.ts';
import { judge, type JudgeOptions } from '../judges/judge.ts';

/** What a request for an answer may say and one for a number of tokens may not. */
const ANSWER_KEYS =
  'max_tokens temperature top_p top_k stop_sequences stream metadata service_tier container inference_geo'.split(' ');

/** A request to count tokens is judged as one for an answer, except that it asks for none. */
export function judgeCount(body: JsonObject, options: JudgeOptions): Refusal[] {
  const extra = ANSWER_KEYS.filter((key) => body[key] !== undefined).map((key) => ({
    row: 'an-extra-keys',
    pointer: `/${key}`,
    text: `${key}: Extra inputs are not permitted`,
  }));
  return [...extra, ...judge('anthropic-messages', { ...body, max_tokens: 1 }, options)];
}
