import type { ResultPart } from '../model/part.ts';
import { readSafely } from '../model/read-safely.ts';
import { isPlaceholder } from '../model/synthetic.ts';
import { clip } from './history-text.ts';
import { retellResults, type Gone, type Shortened, type StepContext } from './step.ts';

/** Which results are too long, and which of them may not be touched. */
export type ClampOptions = {
  readonly limitTokens: number;
  /** Messages that stay as they are. */
  readonly isExempt: (index: number) => boolean;
};

/** Shortens single results that are longer than a limit; their beginning and their end stay. */
export function clampResults(
  list: readonly unknown[],
  { limitTokens, isExempt }: ClampOptions,
  context: StepContext,
): Shortened {
  const gone: Gone[] = [];
  const next = [...list];
  for (let i = 0; i < list.length; i += 1) {
    // A message that has no more tokens than the limit has no result that does.
    if (isExempt(i) || context.tokens.of(list[i]) <= limitTokens) continue;
    const message = readSafely(context.codec, list[i], i);
    const clamped = retellResults(message, (part) => clampResult(part, limitTokens, context), { list, context });
    if (clamped === undefined) continue;
    next[i] = clamped.wire;
    gone.push({ from: i, to: i + 1, what: 'clamped', note: 'the middle of a long result was left out' });
  }
  return { list: gone.length === 0 ? list : next, gone };
}

function clampResult(part: ResultPart, limit: number, { codec, count }: StepContext): ResultPart | undefined {
  const { text } = part;
  const tokens = count(text);
  if (!(tokens > limit) || isPlaceholder(text)) return undefined;
  // What one character costs differs by text, so the length is found by trying; each try is shorter than the last.
  let most = Math.floor((text.length * limit) / tokens);
  for (let tries = 0; tries < 4 && count(clip(text, most)) > limit; tries += 1) most = Math.floor(most * 0.75);
  return codec.retell(part, clip(text, most));
}
