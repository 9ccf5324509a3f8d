import { RESULT_TEXTS, type Repair, type Repaired } from '@rethread/core';

import { messagesOf } from '../files/message-list.ts';

/** Where dialects keep what was said; elsewhere only what has the look of a sentence is taken for it. */
const textKeys: ReadonlySet<string> = new Set(['text', 'content', 'thinking', 'summary', 'output', 'refusal']);
/** What is under such a key names something, however it is spelt. */
const names = /^(?:id|name|type)$|(?:_i|I)d$/;
const sentence = /\p{L}\s+\p{L}/u;
const word = /\p{L}{2,}/gu;

/** Text that is JSON itself has escapes where the value it stands for has characters. */
const escapes = /\\(?:u[\da-f]{4}|.)/gi;

const wordsOf = (text: string): string[] => text.replaceAll(escapes, ' ').toLowerCase().match(word) ?? [];

/** Every text in a value, in no particular order; not recursive, because a value may be nested as deep as it likes. */
function* textsIn(value: unknown): Generator<{ readonly text: string; readonly said: boolean }> {
  const waiting: { readonly value: unknown; readonly said: boolean }[] = [{ value, said: false }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: held, said } = next;
    if (typeof held === 'string') yield { text: held, said };
    else if (Array.isArray(held)) for (const each of held) waiting.push({ value: each, said });
    else if (typeof held === 'object' && held !== null) {
      for (const [key, each] of Object.entries(held))
        if (!names.test(key)) waiting.push({ value: each, said: textKeys.has(key) });
    }
  }
}

/** A placeholder of ours gives way to what it stood for. */
const placeholders: ReadonlySet<string> = new Set(Object.values(RESULT_TEXTS));

/** Repairs that put one text in the place of another which stood for it, and so lose nothing. */
const superseding: ReadonlySet<Repair['rule']> = new Set(['late-result', 'output-preliminary', 'data-twice']);

interface Text {
  readonly message: number;
  readonly words: readonly string[];
  readonly characters: number;
}

/** The texts of messages that were changed or left out, and of whose loss no repair speaks. */
function* textsAtRisk(
  input: readonly unknown[],
  output: readonly unknown[],
  repairs: readonly Repair[],
): Generator<Text> {
  const kept = new Set(output);
  const told = new Set(
    repairs.filter(({ rule, loss }) => loss === 'lossy' || superseding.has(rule)).map(({ at }) => at.message),
  );
  for (const [message, held] of input.entries()) {
    if (kept.has(held) || told.has(message)) continue;
    for (const { text, said } of textsIn(held)) {
      if (placeholders.has(text)) continue;
      const words = said || sentence.test(text) ? [...new Set(wordsOf(text))] : [];
      if (words.length > 0) yield { message, words, characters: text.length };
    }
  }
}

/**
 * The messages whose words a repair has lost without saying so: more than half of the words of a text are nowhere in
 * what would be written. The engine accounts for what it drops; this looks at the texts alone, and so does not believe
 * it.
 */
export function messagesGone(input: unknown, { output, lifted, report }: Repaired<unknown>): readonly number[] {
  if (report.verdict !== 'repaired') return [];
  const [before = [], after = []] = [messagesOf(input), messagesOf(output)];
  const atRisk = [...textsAtRisk(before, after, report.repairs)];
  if (atRisk.length === 0) return [];
  const missing = new Set(atRisk.flatMap(({ words }) => words));
  for (const { text } of textsIn([output, lifted])) {
    if (missing.size === 0) return [];
    for (const each of wordsOf(text)) missing.delete(each);
  }
  const gone = atRisk.filter(({ words }) => words.filter((each) => missing.has(each)).length * 2 > words.length);
  // What leaves with something else is told of there: the results of a call with the call.
  const { charactersIn, charactersOut } = report.preserved;
  const lost = gone.reduce((sum, { characters }) => sum + characters, 0);
  return lost <= charactersIn - charactersOut ? [] : [...new Set(gone.map(({ message }) => message))];
}
