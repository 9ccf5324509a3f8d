import { carriedOver } from './carried-over.ts';
import { type Container, type Span, spansOf } from './json-spans.ts';
import type { Range } from './pieces.ts';
import type { JsonSession } from './read-session.ts';

interface Style {
  readonly text: string;
  readonly unit: string;
  readonly lineEnd: string;
  /** Where the text is kept as it was. */
  readonly kept: Range[];
}

/** One element to write: the place of an original one, or new text. */
type Element = Span | string;

const gapBefore = (text: string, { open, spans, close }: Container): string =>
  text.slice(open + 1, spans[0]?.start ?? close);

function styleOf(text: string, top: Container): Style {
  const found = /\n([ \t]*)$/.exec(gapBefore(text, top));
  return { text, unit: (found?.[1] ?? '').slice(0, 10), lineEnd: text.includes('\r\n') ? '\r\n' : '\n', kept: [] };
}

/** Writes a value as its neighbours are written: on one line, or laid out with the indentation of the file. */
function textOf(value: unknown, style: Style, layout: { readonly depth: number; readonly flat: boolean }): string {
  if (layout.flat || style.unit === '') return JSON.stringify(value);
  return JSON.stringify(value, null, style.unit).replaceAll('\n', style.lineEnd + style.unit.repeat(layout.depth));
}

/** Puts a container together again: gaps between those who still are neighbours stay, others are made like them. */
function join(style: Style, container: Container, elements: readonly Element[]): string[] {
  const { text } = style;
  const { open, close, spans } = container;
  const opening = gapBefore(text, container);
  const [first, second] = spans;
  const usual = first !== undefined && second !== undefined ? text.slice(first.end, second.start) : `,${opening}`;
  const pieces = [text.charAt(open)];
  let previous = -1;
  for (const [position, element] of elements.entries()) {
    const index = typeof element === 'string' ? -2 : element.index;
    const before = spans[index - 1];
    const neighbours = before !== undefined && previous === index - 1 && typeof element !== 'string';
    const gap = neighbours ? text.slice(before.end, element.start) : usual;
    pieces.push(position === 0 ? opening : gap);
    pieces.push(typeof element === 'string' ? element : text.slice(element.start, element.end));
    if (typeof element !== 'string') style.kept.push(element);
    previous = index;
  }
  const closing = text.slice(spans.at(-1)?.end ?? close, close);
  return elements.length === 0 ? [...pieces, text.charAt(close)] : [...pieces, closing, text.charAt(close)];
}

interface ListChange {
  readonly container: Container;
  readonly input: readonly unknown[];
  readonly output: readonly unknown[];
  readonly depth: number;
}

function renderList(style: Style, { container, input, output, depth }: ListChange): string[] {
  const { spans } = container;
  const indexes = carriedOver(input, output);
  const sample = spans[0];
  const flat = sample !== undefined && !style.text.slice(sample.start, sample.end).includes('\n');
  const elements = output.map(
    (message, position) => spans[indexes[position] ?? -1] ?? textOf(message, style, { depth, flat }),
  );
  return join(style, container, elements);
}

type Body = Readonly<Record<string, unknown>>;

function renderBody(
  style: Style,
  container: Container,
  bodies: { readonly input: Body; readonly output: Body },
): string[] {
  const { text } = style;
  const spanOf = new Map(container.spans.map((span) => [span.key, span]));
  const flat = !gapBefore(text, container).includes('\n');
  const elements = Object.entries(bodies.output).map(([key, value]): Element => {
    const span = spanOf.get(key);
    const before = bodies.input[key];
    if (span !== undefined && Object.is(before, value)) return span;
    const prefix =
      span === undefined ? `${JSON.stringify(key)}:${flat ? '' : ' '}` : text.slice(span.start, span.valueStart);
    if (span === undefined || !Array.isArray(before) || !Array.isArray(value)) {
      return prefix + textOf(value, style, { depth: 1, flat });
    }
    const change = { container: spansOf(text, span.valueStart), input: before, output: value, depth: 2 };
    return prefix + renderList(style, change).join('');
  });
  return join(style, container, elements);
}

/** The text to write, and which stretches of the original are in it as they were. */
export interface Rendered {
  readonly pieces: readonly string[];
  readonly kept: readonly Range[];
}

/**
 * Writes the repaired value into the original text: what is still the same keeps its characters, so numbers and
 * escapes that a parser would not give back survive. The indentation, line ends and final newline stay as they were.
 */
export function renderJson({ text, value }: JsonSession, output: unknown): Rendered {
  const top = spansOf(text, text.startsWith('\uFEFF') ? 1 : 0);
  const style = styleOf(text, top);
  const around = [text.slice(0, top.open), text.slice(top.close + 1)] as const;
  const middle =
    Array.isArray(value) && Array.isArray(output)
      ? renderList(style, { container: top, input: value, output, depth: 1 })
      : renderBody(style, top, { input: value as Body, output: output as Body });
  return { pieces: [around[0], ...middle, around[1]], kept: style.kept };
}
