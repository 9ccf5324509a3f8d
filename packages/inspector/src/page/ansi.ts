/** A stretch of terminal output in one style. */
export type Span = { readonly text: string; readonly style: string };

const COLORS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

const ESCAPE = '\u001B';

/** Everything that begins with the escape character: colours, and what moves the cursor or names the window. */
const SEQUENCE = new RegExp(
  `${ESCAPE}(?:\\[([\\d;:]*)([@-~])|\\][^\\u0007${ESCAPE}]*(?:\\u0007|${ESCAPE}\\\\)?|[@-Z\\\\^_])`,
  'g',
);

export const hasAnsi = (text: string): boolean => text.includes(ESCAPE);

/** Divides terminal output by its colours; other control sequences are left out. */
export function readAnsi(text: string): Span[] {
  const spans: Span[] = [];
  let style = new Set<string>();
  let at = 0;
  for (const match of text.matchAll(SEQUENCE)) {
    add(spans, text.slice(at, match.index), style);
    at = match.index + match[0].length;
    if (match[2] === 'm') style = applied(style, match[1] ?? '');
  }
  add(spans, text.slice(at), style);
  return spans;
}

function add(spans: Span[], text: string, style: ReadonlySet<string>): void {
  const plain = text.replaceAll(ESCAPE, '');
  if (plain !== '') spans.push({ text: plain, style: [...style].map((name) => `ansi-${name}`).join(' ') });
}

function applied(before: ReadonlySet<string>, codes: string): Set<string> {
  const style = new Set(before);
  const numbers = codes.split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    if (code === 0) style.clear();
    else if (code === 1) style.add('bold');
    else if (code === 2) style.add('dim');
    else if (code === 3) style.add('italic');
    else if (code === 4) style.add('underline');
    else if (code === 22) for (const name of ['bold', 'dim']) style.delete(name);
    else if (code === 38 || code === 48) at += numbers[at + 1] === 5 ? 2 : 4;
    else if (code === 39) uncolor(style);
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
      uncolor(style);
      style.add(COLORS[code % 10] ?? 'white');
    }
  }
  return style;
}

function uncolor(style: Set<string>): void {
  for (const color of COLORS) style.delete(color);
}
