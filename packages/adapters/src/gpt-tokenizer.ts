import type { TokenCounter } from '@rethread/core';

/** A vocabulary; the models of the last years share the first. */
export type EncodingName = 'o200k_base' | 'cl100k_base';

const ENCODINGS: readonly EncodingName[] = ['o200k_base', 'cl100k_base'];

async function load(encoding: EncodingName): Promise<typeof import('gpt-tokenizer/encoding/o200k_base')> {
  try {
    return encoding === 'o200k_base'
      ? await import('gpt-tokenizer/encoding/o200k_base')
      : await import('gpt-tokenizer/encoding/cl100k_base');
  } catch (cause) {
    throw new Error('loadTokenCounter needs the package gpt-tokenizer, 3 or newer: npm install gpt-tokenizer', {
      cause,
    });
  }
}

/**
 * The time a tokenizer takes grows with the square of a stretch that it cannot split: 100 kB of blanks stop the event
 * loop for seconds. No word is this long, so what is cut for it is counted almost as it was.
 */
const LONGEST_STRETCH = 256;

/**
 * Loads a counter that counts exactly, for `compact`, `estimateTokens` and their like. That takes some 30 MB and a
 * fraction of a second, and every text several times as long as the estimate.
 */
export async function loadTokenCounter(encoding: EncodingName = 'o200k_base'): Promise<TokenCounter> {
  if (!ENCODINGS.includes(encoding)) {
    throw new TypeError(`there is no vocabulary ${JSON.stringify(encoding)}: there are ${ENCODINGS.join(', ')}`);
  }
  const { countTokens } = await load(encoding);
  // What looks like a control token of the model is text here, as it is in a message.
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => {
    let sum = 0;
    let from = 0;
    while (from < text.length) {
      const to = nextCut(text, from);
      sum += countTokens(from === 0 && to === text.length ? text : text.slice(from, to), options);
      from = to;
    }
    return sum;
  };
}

/** The end of the text, or the place where a stretch of characters of one kind becomes too long. */
function nextCut(text: string, from: number): number {
  let kind = -1;
  let stretch = 0;
  for (let i = from; i < text.length; i += 1) {
    const next = kindAt(text, i);
    stretch = next === kind ? stretch + 1 : 1;
    kind = next;
    // Numbers are split by the tokenizer itself, and the halves of a pair stay together.
    if (stretch >= LONGEST_STRETCH && kind !== DIGIT && !isFirstHalf(text.charCodeAt(i))) return i + 1;
  }
  return text.length;
}

const BLANK = 0;
const DIGIT = 1;
const SIGN = 2;
const WORD = 3;

function kindAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code === 32 || (code >= 9 && code <= 13) || code === 0xa0) return BLANK;
  if (code >= 48 && code <= 57) return DIGIT;
  const letter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code >= 0x80;
  return letter ? WORD : SIGN;
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
