const unstorable = /[\0\u241a\p{Cs}]/gu;
const escaped = /\u241a([0-9a-f]{4})/g;

/**
 * Makes any string storable: NUL and lone surrogates become escapes that start with U+241A. Different strings stay
 * different.
 */
export function toStoredText(text: string): string {
  return text.replace(unstorable, (unit) => `\u241a${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function fromStoredText(text: string): string {
  return text.replace(escaped, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}
