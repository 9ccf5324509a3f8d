// Everything a terminal may obey or hide: C0, DEL and C1, the bidirectional and other invisible format characters, line
// and paragraph separators, tag characters, and (in a `u` pattern) surrogates that stand alone.
const hidden: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe007f],
];

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

const classOf = (ranges: readonly (readonly [number, number])[]): string =>
  ranges.map(([from, to]) => `\\u{${hex(from, 1)}}-\\u{${hex(to, 1)}}`).join('');

const pattern = new RegExp(`[${classOf(hidden)}]`, 'gu');

// Laid out JSON has line ends of its own; inside its strings they are already escaped.
const patternInJson = new RegExp(`(?!\\n)[${classOf(hidden)}]`, 'gu');

const patternInLayout = new RegExp(`(?![\\n\\r\\t])[${classOf(hidden)}]`, 'gu');

// A text of several lines keeps its line ends and tabs.
const patternInText = new RegExp(`(?![\\n\\t])[${classOf(hidden)}]`, 'gu');

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escapeOne = (character: string): string => {
  const point = character.codePointAt(0) ?? 0;
  if (point > 0xffff) return `\\u{${hex(point, 1)}}`;
  return short[character] ?? (point > 0xff ? `\\u${hex(point, 4)}` : `\\x${hex(point, 2)}`);
};

const escapeUnits = (character: string): string =>
  Array.from({ length: character.length }, (_, unit) => `\\u${hex(character.charCodeAt(unit), 4)}`).join('');

/** Makes text from outside safe to print on one line: what a terminal would obey or hide is shown as an escape. */
export function visible(text: string): string {
  return text.replace(pattern, escapeOne);
}

/** Like {@link visible}, for text that is printed with its own line ends and tabs. */
export function visibleText(text: string): string {
  return text.replace(patternInText, escapeOne);
}

/** Like {@link visible}, for text of any length: past the limit it is cut and the rest is counted. */
export function excerpt(text: string, limit: number): string {
  if (text.length <= limit) return visible(text);
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(limit - 1));
  const shown = text.slice(0, splitsPair ? limit - 1 : limit);
  return `${visible(shown)} … (${(text.length - shown.length).toLocaleString('en-US')} more characters)`;
}

/** Makes JSON that others have laid out safe to print: only blanks, tabs and line ends stand outside of its strings. */
export function visibleLayout(json: string): string {
  return json.replace(patternInLayout, escapeUnits).replaceAll(/\r(?!\n)/g, ' ');
}

/** Serialises a value so that the JSON is safe to print too. */
export function visibleJson(value: unknown, indent: number): string {
  return JSON.stringify(value, null, indent).replace(patternInJson, escapeUnits);
}

/** A word of a command as a person would type it into a shell; nothing for one that cannot be typed. */
export function shellWord(word: string): string | undefined {
  if (/^[\w./@%+=:,-]+$/.test(word)) return word;
  return visible(word) === word ? `'${word.replaceAll("'", String.raw`'\''`)}'` : undefined;
}

/** A file name as a person would type it into a shell, or a stand-in for one that cannot be typed. */
export function shellName(path: string): string {
  return path.startsWith('-') ? '<file>' : (shellWord(path) ?? '<file>');
}
