import type { Choice, Conversion, Packing, Setting, ToolSpec } from '../model/conversion.ts';
import type { Lose } from '../model/loss.ts';
import type { Message } from '../model/part.ts';
import { pointerTo } from '../model/noting.ts';
import { isRecord } from '../model/value.ts';
import type { NameBook } from './names.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The two sides of a conversion, and what is told to both. */
export type Sides = { readonly from: Conversion; readonly to: Conversion; readonly how: Packing };

const ROOT = { message: -1 } as const;

/** The fields around the list in the form of the target; what it has no place for is noted. */
export function convertFields(body: Fields, { from, to, how }: Sides, book: NameBook): Record<string, unknown> {
  const { lose } = how;
  loseOthers(body, from, lose);
  const tools = convertTools(body, { from, to, how }, book);
  const choice = convertChoice(body, { from, to, how }, { book, declared: tools.length > 0 });
  const declared = tools.length === 0 ? {} : (to.withTools?.(tools) ?? {});
  const settings = convertSettings(body, { from, to, how });
  return merge(merge(merge({ ...to.needs }, settings), declared), choice);
}

function merge(a: Fields, b: Fields): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...a };
  for (const key of Object.keys(b)) {
    const [before, after] = [a[key], b[key]];
    merged[key] = isRecord(before) && isRecord(after) ? merge(before, after) : after;
  }
  return merged;
}

/** Fields that nothing here reads belong to this dialect alone, also inside a field that holds settings. */
function loseOthers(body: Fields, { fields, settings }: Conversion, lose: Lose): void {
  const paths = Object.values(settings).flat();
  for (const key of Object.keys(body)) {
    if (fields.has(key) || paths.some((path) => path.length === 1 && path[0] === key)) continue;
    const known = paths.filter((path) => path.length > 1 && path[0] === key);
    const inner = body[key];
    if (known.length === 0 || !isRecord(inner)) {
      loseField([key], inner, lose);
      continue;
    }
    for (const name of Object.keys(inner)) {
      if (!known.some((path) => path[1] === name)) loseField([key, name], inner[name], lose);
    }
  }
}

function loseField(path: readonly string[], value: unknown, lose: Lose): void {
  if (value === undefined || value === null || value === false) return;
  const what = path.join('.');
  lose({ at: ROOT, path: pointerTo(path) }, { kind: 'key', what, why: 'only this dialect has the field' });
}

function convertSettings(body: Fields, { from, to, how }: Sides): Record<string, unknown> {
  let fields: Record<string, unknown> = {};
  for (const setting of Object.keys(from.settings) as Setting[]) {
    for (const path of from.settings[setting] ?? []) {
      const value = valueAt(body, path);
      if (value === undefined || value === null || value === false) continue;
      const [there] = to.settings[setting] ?? [];
      if (there !== undefined) fields = merge(fields, nested(there, setting === 'stop' ? [value].flat() : value));
      else if (!(setting === 'parallel' && value === true)) loseField(path, value, how.lose);
    }
  }
  return fields;
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  let value = body;
  for (const key of path) value = isRecord(value) ? value[key] : undefined;
  return value;
}

function nested(path: readonly string[], value: unknown): Record<string, unknown> {
  return path.reduceRight((inner: unknown, key) => ({ [key]: inner }), value) as Record<string, unknown>;
}

function convertTools(body: Fields, { from, to, how }: Sides, book: NameBook): readonly ToolSpec[] {
  const tools = from.tools?.(body, how.lose) ?? [];
  if (to.withTools === undefined) {
    for (const { name, path } of tools) {
      how.lose({ at: ROOT, path }, { kind: 'tool', what: name, why: 'messages are all that the target has' });
    }
    return [];
  }
  return tools.map((tool) => {
    const spot = { at: ROOT, path: tool.path };
    const named = { ...tool, name: book(tool.name, spot) };
    if (tool.free !== true || to.freeTools === true) return loseStrict(named, to, how.lose);
    const { free: _free, ...plain } = named;
    how.lose(spot, { kind: 'tool', what: tool.name, became: 'other', why: 'tools take JSON there' });
    const schema = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };
    return { ...plain, schema };
  });
}

function loseStrict(tool: ToolSpec, to: Conversion, lose: Lose): ToolSpec {
  const { schema: _schema, strictAt: path, ...bare } = tool;
  if (path === undefined) return tool;
  const kept = JSON.stringify(to.withTools?.([{ ...bare, strictAt: path }]) ?? {}).includes('"strict":true');
  if (!kept) lose({ at: ROOT, path }, { kind: 'key', what: 'strict', why: 'the target has no such promise' });
  return tool;
}

type Declared = { readonly book: NameBook; readonly declared: boolean };

function convertChoice(body: Fields, { from, to, how }: Sides, { book, declared }: Declared): Fields {
  const { choicePath: path } = from;
  if (path === undefined || valueAt(body, path.split('/').slice(1)) === undefined) return {};
  const spot = { at: ROOT, path };
  const choice = from.choice?.(body);
  const renamed: Choice | undefined =
    choice?.names === undefined ? choice : { ...choice, names: choice.names.map((name) => book(name, spot)) };
  const fields = renamed === undefined || !declared ? undefined : to.withChoice?.(renamed);
  if (fields !== undefined) return fields;
  how.lose(spot, {
    kind: 'key',
    what: path.slice(1),
    why: declared ? 'the target has no such choice' : 'no tool is left to choose',
  });
  return {};
}

/** Takes system text that opens a list out of it where the target has a field for it. */
export function liftSystem(
  messages: readonly Message[],
  { to, how }: Sides,
): { fields: Record<string, unknown>; rest: readonly Message[] } {
  const end = messages.findIndex(({ role }) => role !== 'system');
  const leading = end === -1 ? messages : messages.slice(0, end);
  const parts = leading.flatMap((message) => message.parts);
  const value = to.systemKey === undefined || parts.length === 0 ? undefined : to.withSystem?.(parts, how);
  if (value === undefined || to.systemKey === undefined) return { fields: {}, rest: messages };
  for (const { developer, at, path } of leading) {
    if (developer !== true) continue;
    const why = 'the target does not tell it from the system';
    how.lose(
      { at: { message: at }, path: `${path}/role` },
      { kind: 'system', what: 'the role of a developer', became: 'other', why },
    );
  }
  return { fields: { [to.systemKey]: value }, rest: messages.slice(leading.length) };
}
