import { carriedOver } from './carried-over.ts';
import { spansOf } from './json-spans.ts';
import type { Piece } from './pieces.ts';
import type { JsonSession, JsonlSession, Session } from './read-session.ts';
import { renderJson } from './render-json.ts';
import { renderJsonl } from './render-jsonl.ts';

/** How a list is written: one message in each line, or one JSON text. */
export type Form = 'lines' | 'json';

const ofLines = /\.(jsonl|ndjson)$/i;

/** A list in a file whose name says that it has lines is one message in each line; anything else is one JSON text. */
export function formOf(path: string, value: unknown): Form {
  return Array.isArray(value) && ofLines.test(path) ? 'lines' : 'json';
}

function listOfLines(session: JsonlSession, output: readonly unknown[]): readonly Piece[] {
  if (output.length === 0) return ['[]\n'];
  const indexes = carriedOver(session.value, output);
  const messages = output.map((message, position): Piece => {
    const line = session.lines[indexes[position] ?? -1];
    return line === undefined ? JSON.stringify(message) : { start: line.start, end: line.end };
  });
  return [...messages.flatMap((message, position) => [position === 0 ? '[\n  ' : ',\n  ', message]), '\n]\n'];
}

/** A message that is laid out over several lines has to be written anew to fit into one. */
function linesOfList({ text, value }: JsonSession, output: readonly unknown[]): readonly Piece[] {
  const { spans } = spansOf(text, text.startsWith('\uFEFF') ? 1 : 0);
  const indexes = carriedOver(value as readonly unknown[], output);
  return output.map((message, position) => {
    const span = spans[indexes[position] ?? -1];
    const own = span === undefined ? '\n' : text.slice(span.start, span.end);
    return `${/[\r\n]/.test(own) ? JSON.stringify(message) : own}\n`;
  });
}

function ended(pieces: readonly string[]): readonly string[] {
  return pieces.findLast((piece) => piece !== '')?.endsWith('\n') === true ? pieces : [...pieces, '\n'];
}

/** What a part of a sound session, or a version of it, is written as: messages that are the same keep their bytes. */
export function writtenAs(session: Session, output: unknown, form: Form): readonly Piece[] {
  if (session.form === 'json') {
    return form === 'json'
      ? ended(renderJson(session, output).pieces)
      : linesOfList(session, output as readonly unknown[]);
  }
  const messages = output as readonly unknown[];
  return form === 'lines' ? renderJsonl(session, messages) : listOfLines(session, messages);
}

/** What a value is written as that no session holds. */
export function* newlyWritten(value: unknown, form: Form): Generator<Uint8Array> {
  if (form === 'json' || !Array.isArray(value)) yield Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  else for (const each of value) yield Buffer.from(`${JSON.stringify(each)}\n`);
}
