const word = /[\p{L}\p{N}]+/gu;

/** The words of a text as they are searched by: runs of letters and digits, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(word) ?? [];
}
