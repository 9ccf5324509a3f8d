import type { Message, Part, ResultPart } from '../model/part.ts';
import { readSafely } from '../model/read-safely.ts';
import { isPlaceholder } from '../model/synthetic.ts';
import type { Bench, Gone, Shortened } from './gone.ts';
import { clip } from './history-text.ts';

/** Which results are too long, and which of them may not be touched. */
export type ClampOptions = {
  readonly limitTokens: number;
  /** Messages that stay as they are. */
  readonly isExempt: (index: number) => boolean;
};

/** Shortens single results that are longer than a limit; their beginning and their end stay. */
export function clampResults(list: readonly unknown[], options: ClampOptions, bench: Bench): Shortened {
  const gone: Gone[] = [];
  let next: unknown[] | undefined;
  for (let i = 0; i < list.length; i += 1) {
    // A message that weighs no more than the limit has no result that does.
    if (options.isExempt(i) || bench.scales.of(list[i]) <= options.limitTokens) continue;
    const clamped = clampMessage(readSafely(bench.codec, list[i], i), options.limitTokens, bench);
    const wire = clamped === undefined ? undefined : bench.codec.write(clamped, list);
    if (wire === undefined || bench.scales.of(wire) >= bench.scales.of(list[i])) continue;
    next ??= [...list];
    next[i] = wire;
    gone.push({ from: i, to: i + 1, what: 'clamped', note: 'the middle of a long result was left out' });
  }
  return { list: next ?? list, gone };
}

function clampMessage(message: Message, limit: number, bench: Bench): Message | undefined {
  const parts = message.parts.map((part) => (isLong(part, limit, bench) ? clampPart(part, limit, bench) : part));
  return parts.some((part, index) => part !== message.parts[index]) ? { ...message, parts } : undefined;
}

function isLong(part: Part, limit: number, { count }: Bench): part is ResultPart {
  return part.kind === 'result' && !part.server && count(part.text) > limit && !isPlaceholder(part.text);
}

function clampPart(part: ResultPart, limit: number, { codec, count }: Bench): ResultPart {
  const { text } = part;
  // What one character costs differs by text, so the length is found by trying; each try is shorter than the last.
  let most = Math.floor((text.length * limit) / count(text));
  for (let tries = 0; tries < 4 && count(clip(text, most)) > limit; tries += 1) most = Math.floor(most * 0.75);
  return codec.retell(part, clip(text, most)) ?? part;
}
