import { carriedOver } from './carried-over.ts';
import { type FileFinding, fileFinding } from './file-rules.ts';
import type { Range } from './pieces.ts';
import type { JsonSession, JsonlSession, Session } from './read-session.ts';
import { renderJson } from './render-json.ts';
import { type RepeatedKey, repeatedKeys } from './repeated-keys.ts';
import type { Source } from './source.ts';

/** A key of which all but the last are lost, because its object is not copied as it stands. */
export interface CollapsedKey {
  readonly key: string;
  /** The JSON pointer of its object in the value that was read. */
  readonly pointer: string;
  readonly line: number;
}

function inLines({ lines }: JsonlSession, source: Source, kept: ReadonlySet<unknown>): readonly CollapsedKey[] {
  return lines.flatMap(({ number, start, end, sound }, index) => {
    if (sound && kept.has(index)) return [];
    const text = Buffer.concat([...source.read(start, end)]).toString();
    return repeatedKeys(text).map(({ key, pointer }) => ({ key, pointer: `/${index}${pointer}`, line: number }));
  });
}

/** Counts the lines up to each place; the places are in order. */
function withLines(text: string, found: readonly RepeatedKey[]): readonly CollapsedKey[] {
  let line = 1;
  let from = 0;
  return found.map(({ key, pointer, at }) => {
    for (let end = text.indexOf('\n', from); end !== -1 && end < at; end = text.indexOf('\n', from)) {
      line += 1;
      from = end + 1;
    }
    return { key, pointer, line };
  });
}

function inText({ text }: JsonSession, kept: readonly Range[]): readonly CollapsedKey[] {
  const found = repeatedKeys(text);
  return withLines(
    text,
    found.filter(({ at }) => !kept.some(({ start, end }) => at > start && at < end)),
  );
}

/** The keys that are lost when the session is written as this output, or as something else altogether. */
export function collapsedKeys(
  session: Session,
  source: Source,
  output?: { readonly value: unknown },
): readonly CollapsedKey[] {
  if (session.form === 'json') {
    return inText(session, output === undefined ? [] : renderJson(session, output.value).kept);
  }
  const carried = output === undefined ? [] : carriedOver(session.value, output.value as readonly unknown[]);
  return inLines(session, source, new Set(carried));
}

/** What such a loss is called in a report. */
export function collapsedFinding({ key, pointer, line }: CollapsedKey): FileFinding {
  const where = pointer === '' ? 'the request' : pointer;
  return fileFinding('key-repeated', line, `the key ${key} stands twice in ${where}; only the last is read`);
}
