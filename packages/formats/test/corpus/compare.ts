import { isDeepStrictEqual } from 'node:util';

import { isObject, listAt, textAt } from '../../src/json.ts';
import type { Active } from '../../src/session.ts';
import { DIFFERENCES, EXCEPTIONS, type List } from './differences.ts';

export type Case = {
  readonly tool: string;
  readonly name: string;
  readonly active: Active;
  readonly body: unknown;
};

export type Compared = {
  /** The first message that differs without a reason; undefined when the request is what was read. */
  readonly difference?: string;
  /** The known differences that were met. */
  readonly reasons: readonly string[];
  readonly isException: boolean;
};

const FIELDS = ['messages', 'input', 'contents'] as const;

/** Compares what was read from a session with the request that its tool then made of it. */
export function compare({ tool, name, active, body }: Case): Compared {
  const exception = EXCEPTIONS[`${tool}/${name}`];
  if (exception !== undefined) return { reasons: [`${tool}: ${exception}`], isException: true };
  const field = FIELDS.find((key) => isObject(body) && Array.isArray(body[key]));
  if (!isObject(body) || field === undefined) return { difference: 'no list', reasons: [], isException: false };
  const reasons: string[] = [];
  let theirs = withoutSystem(body[field] as List, active.system);
  let ours: List = active.messages;
  for (const { reason, in: where, without } of DIFFERENCES[tool] ?? []) {
    const before = where === 'request' ? theirs : ours;
    const after = without(before);
    if (isDeepStrictEqual(after, before)) continue;
    reasons.push(`${tool}: ${reason}`);
    if (where === 'request') theirs = after;
    else ours = after;
  }
  theirs = withoutPrompt(theirs);
  const at = [...Array(Math.max(ours.length, theirs.length)).keys()].find(
    (index) => !isDeepStrictEqual(plain(ours[index]), plain(theirs[index])),
  );
  if (at === undefined) return { reasons, isException: false };
  const show = (list: List): string => JSON.stringify(list[at])?.slice(0, 300) ?? 'nothing';
  return { difference: `message ${at}: read ${show(ours)}, sent ${show(theirs)}`, reasons, isException: false };
}

/** The folder in which sessions were made has another name in the requests: it was replaced there, for privacy. */
const [MADE_IN, SHOWN_AS] = ['var/tmp/rc/', 'home/alice/'];

/** What JSON keeps of a value: keys without a value go. */
const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value).replaceAll(MADE_IN, SHOWN_AS));

/** A system prompt that stands among the messages; where the tool stores it, it has to be that one. */
function withoutSystem(list: List, system: string | undefined): List {
  const [first] = list;
  const role = textAt(first, 'role');
  if (!isObject(first) || (role !== 'system' && role !== 'developer')) return list;
  const { content } = first;
  const text =
    typeof content === 'string'
      ? content
      : listAt(first, 'content')
          .map((part) => textAt(part, 'text'))
          .join('');
  return text !== '' && (system ?? text) === text ? list.slice(1) : list;
}

/** The prompt that the session was resumed with is no part of the session; other things may stand before it. */
function withoutPrompt(list: List): List {
  const last = list.at(-1);
  if (!isObject(last) || last['role'] !== 'user') return list;
  const key = Array.isArray(last['parts']) ? 'parts' : 'content';
  const blocks = listAt(last, key);
  const prompt = blocks.findLastIndex((block) => textAt(block, 'text') !== undefined);
  const left = blocks.slice(0, Math.max(0, prompt));
  return [...list.slice(0, -1), ...(left.length === 0 ? [] : [{ ...last, [key]: left }])];
}
