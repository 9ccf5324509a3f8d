import { isFields, type Fields } from './draft.ts';

/** A call or a result of the caller's own tools, with the numbered contents that no generator writes twice. */
interface Seen {
  readonly kind: 'call' | 'result';
  readonly id: string;
  readonly contents: readonly string[];
}

interface Form {
  readonly kind: Seen['kind'];
  /** The object that holds the id and the contents; undefined for anything else. */
  readonly of: (fields: Fields) => Fields | undefined;
  readonly ids: readonly string[];
  readonly contents: readonly string[];
}

const under =
  (...keys: string[]) =>
  (fields: Fields): Fields | undefined =>
    keys.map((key) => fields[key]).find(isFields);

const where =
  (test: (fields: Fields) => boolean) =>
  (fields: Fields): Fields | undefined =>
    test(fields) ? fields : undefined;

const typed = (pattern: RegExp): Form['of'] => where(({ type }) => typeof type === 'string' && pattern.test(type));

const call = (of: Form['of'], ids: readonly string[], ...contents: string[]): Form => ({
  kind: 'call',
  of,
  ids,
  contents,
});
const result = (of: Form['of'], ids: readonly string[], ...contents: string[]): Form => ({
  kind: 'result',
  of,
  ids,
  contents,
});

const hasState = (fields: Fields): boolean => 'toolCallId' in fields && 'state' in fields;

/** How calls and results are written, in all dialects. */
const FORMS: readonly Form[] = [
  // A call that carries its own result is both.
  call(where(hasState), ['toolCallId'], 'input', 'rawInput'),
  result(
    where((fields) => hasState(fields) && ('output' in fields || 'errorText' in fields)),
    ['toolCallId'],
    'output',
    'errorText',
  ),
  call(under('functionCall', 'function_call'), ['id'], 'args'),
  result(under('functionResponse', 'function_response'), ['id'], 'response'),
  call(under('toolUse'), ['toolUseId'], 'input'),
  result(under('toolResult'), ['toolUseId'], 'content'),
  call(
    where(
      ({ function: named, custom }) =>
        (isFields(named) && 'arguments' in named) || (isFields(custom) && 'input' in custom),
    ),
    ['id'],
    'function',
    'custom',
  ),
  call(typed(/^tool-call$/), ['toolCallId'], 'input'),
  result(typed(/^tool-result$/), ['toolCallId'], 'output'),
  call(typed(/^(?:tool_use|tool_call|invalid_tool_call)$/), ['id'], 'input', 'args'),
  result(typed(/^tool_result$/), ['tool_use_id'], 'content'),
  call(
    typed(/^(?:function|custom_tool|shell|local_shell|apply_patch|computer|tool_search)_call$/),
    ['callId', 'call_id'],
    'arguments',
    'input',
    'action',
    'operation',
  ),
  result(typed(/_(?:call_output|call_result|search_output)$/), ['callId', 'call_id'], 'output', 'tools'),
  call(
    where((fields) => fields['part_kind'] === 'tool-call'),
    ['tool_call_id'],
    'args',
  ),
  result(
    where(
      ({ part_kind: kind, tool_name: tool }) =>
        kind === 'tool-return' || (kind === 'retry-prompt' && typeof tool === 'string'),
    ),
    ['tool_call_id'],
    'content',
  ),
  result(
    where((fields) => 'tool_call_id' in fields && !('part_kind' in fields) && !('function' in fields)),
    ['tool_call_id'],
    'content',
    'artifact',
  ),
];

function idOf(fields: Fields, keys: readonly string[]): string {
  const id = keys.map((key) => fields[key]).find((value) => typeof value === 'string' || typeof value === 'number');
  return id === undefined ? '' : String(id);
}

const contentsOf = (fields: Fields, keys: readonly string[]): string[] =>
  keys.flatMap((key) => JSON.stringify(fields[key])?.match(/[a-z]+ \d+/g) ?? []);

/** The provider runs these itself, and their results stand beside them. */
const isServers = (fields: Fields): boolean =>
  fields['providerExecuted'] === true || fields['execution'] === 'server' || fields['server'] === true;

/** All calls and results in a value, in order, read from the JSON and from nothing else of the library. */
function readAll(value: unknown, into: Seen[] = []): Seen[] {
  if (Array.isArray(value)) for (const each of value) readAll(each, into);
  if (!isFields(value)) return into;
  let known = false;
  for (const { kind, of, ids, contents } of FORMS) {
    const fields = of(value);
    if (fields === undefined) continue;
    known = true;
    if (!isServers(fields)) into.push({ kind, id: idOf(fields, ids), contents: contentsOf(fields, contents) });
  }
  if (!known) for (const each of Object.values(value)) readAll(each, into);
  return into;
}

/** The ids under which each content stands. */
function idsByContent(seen: readonly Seen[], kind: Seen['kind']): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>();
  for (const { id, contents, ...each } of seen) {
    if (each.kind !== kind) continue;
    for (const content of contents) ids.set(content, (ids.get(content) ?? new Set()).add(id));
  }
  return ids;
}

/** How many calls or results stand under an id. */
function countIds(seen: readonly Seen[], kind: Seen['kind']): Map<string, number> {
  const counts = new Map<string, number>();
  for (const each of seen) {
    if (each.kind === kind && each.id !== '') counts.set(each.id, (counts.get(each.id) ?? 0) + 1);
  }
  return counts;
}

const gather = (ids: ReadonlyMap<string, ReadonlySet<string>>, contents: readonly string[]): Set<string> =>
  new Set(contents.flatMap((content) => [...(ids.get(content) ?? [])]));

/** A content that sits with another call than the one whose id it had. */
export interface Move {
  readonly content: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** Why that is wrong: the call of its own id is there, or the other call has a result under its own id. */
  readonly wrong: 'own call' | 'exact id' | undefined;
}

/**
 * Contents of results that have moved to another call. Calls are told apart by their contents, because their ids may
 * have been rewritten; one without contents is known by its id, where that has stayed.
 */
export function movesBetween(before: unknown, after: unknown): Move[] {
  const [old, made] = [readAll(before), readAll(after)];
  const [callIds, resultIds] = [idsByContent(old, 'call'), idsByContent(old, 'result')];
  const [called, answered] = [countIds(old, 'call'), countIds(old, 'result')];
  const calls = new Map<string, Seen>();
  // A result may stand before its call, where a provider looks for it anywhere.
  for (const each of made.toReversed()) if (each.kind === 'call') calls.set(each.id, each);
  const moves: Move[] = [];
  for (const each of made) {
    if (each.kind === 'call') calls.set(each.id, each);
    const asked = calls.get(each.id);
    if (each.kind === 'call' || asked === undefined || each.id === '') continue;
    const known = gather(callIds, asked.contents);
    const to = known.size > 0 || !called.has(asked.id) ? known : new Set([asked.id]);
    for (const content of each.contents) {
      const from = resultIds.get(content);
      if (from === undefined || to.size === 0 || [...from].some((id) => to.has(id))) continue;
      // A result may have been written down twice, under a lost id the second time.
      const own = [...from].every((id) => called.has(id));
      // Of several calls under one id, some may have no result.
      const exact = [...to].some((id) => (answered.get(id) ?? 0) >= Math.max(1, called.get(id) ?? 0));
      const wrong = own ? 'own call' : exact ? 'exact id' : undefined;
      moves.push({ content, from: [...from], to: [...to], wrong });
    }
  }
  return moves;
}
