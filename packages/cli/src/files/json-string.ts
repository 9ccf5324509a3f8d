const quoteOrEscape = /["\\]/g;

/** Where the string of a JSON text ends that begins at `from`; the end of the text where it does not. */
export function endOfString(text: string, from: number): number {
  quoteOrEscape.lastIndex = from + 1;
  for (let found = quoteOrEscape.exec(text); found !== null; found = quoteOrEscape.exec(text)) {
    if (found[0] === '"') return found.index + 1;
    quoteOrEscape.lastIndex = found.index + 2;
  }
  return text.length;
}
