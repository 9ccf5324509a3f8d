import type { Dialect } from '../../src/index.ts';
import { isFields, listOf, type Fields } from './draft.ts';

/** The list of messages inside a history or a whole request. */
export function messagesIn(input: unknown): readonly unknown[] {
  if (Array.isArray(input)) return input;
  return isFields(input) && Array.isArray(input['messages']) ? input['messages'] : [];
}

export interface ReadResult {
  readonly id: unknown;
  /** The result as JSON text, so that any content can be searched. */
  readonly text: string;
  /** Every string in it. */
  readonly texts: readonly string[];
}

const resultOf = (id: unknown, content: unknown): ReadResult => ({
  id,
  text: typeof content === 'string' ? content : (JSON.stringify(content) ?? ''),
  texts: [...stringsIn(content)],
});

const resultKinds: ReadonlySet<unknown> = new Set(['tool_result', 'tool-return', 'retry-prompt']);

function resultsIn(dialect: Dialect, message: Fields): ReadResult[] {
  if (dialect === 'openai-chat') {
    return message['role'] === 'tool' ? [resultOf(message['tool_call_id'], message['content'])] : [];
  }
  const [listKey, typeKey, idKey] =
    dialect === 'pydantic-ai' ? ['parts', 'part_kind', 'tool_call_id'] : ['content', 'type', 'tool_use_id'];
  return listOf(message, listKey)
    .filter(isFields)
    .filter(
      (part) =>
        resultKinds.has(part[typeKey]) && (part[typeKey] !== 'retry-prompt' || typeof part['tool_name'] === 'string'),
    )
    .map((part) => resultOf(part[idKey], part['content']));
}

/** Every result of a call in a well-formed history. */
export const readResults = (dialect: Dialect, input: unknown): ReadResult[] =>
  messagesIn(input)
    .filter(isFields)
    .flatMap((message) => resultsIn(dialect, message));

/** All strings in a value, keys left out. */
export function stringsIn(value: unknown, into: Set<string> = new Set()): Set<string> {
  if (typeof value === 'string') into.add(value);
  else if (Array.isArray(value)) for (const child of value) stringsIn(child, into);
  else if (isFields(value)) for (const key of Object.keys(value)) stringsIn(value[key], into);
  return into;
}

/** Freezes a value all the way down, so that any write to it throws. */
export function deepFreeze<T>(value: T): T {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    open.push(...Object.values(next));
  }
  return value;
}

/** A writable deep copy of generated data, faster than structuredClone; own keys named __proto__ stay own keys. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isFields(value)) return value;
  const copy: Fields = {};
  for (const key of Object.keys(value)) {
    if (key === '__proto__') Object.defineProperty(copy, key, { value: copyOf(value[key]), enumerable: true });
    else copy[key] = copyOf(value[key]);
  }
  return copy;
}
