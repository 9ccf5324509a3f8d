const unstorable = /[\0\u241a\p{Cs}]/gu;
const escaped = /\u241a([0-9a-f]{4})/g;

/**
 * Any string as text that every database holds: NUL and lone surrogates become an escape that begins with the
 * symbol for a substitute (U+241A). Two different strings never become the same text.
 */
export function toStoredText(text: string): string {
  return text.replace(unstorable, (unit) => `\u241a${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The string that such a text was made from. */
export function fromStoredText(text: string): string {
  return text.replace(escaped, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}
