import { isDeepStrictEqual } from 'node:util';

import { encode, prepare, project, toWire, type SessionRecord } from '@rethread/core';

import { noteRecord } from './log-records.ts';
import type { ModelError } from './model-port.ts';
import { repairOptions } from './request.ts';
import type { RunScope } from './run-scope.ts';

/** The provider's refusal texts, and how they are adapted to the present history. */
export type Refused = { readonly text: string; readonly as?: string };

const MOST_LESSONS = 16;

/** The distinct refusals learned so far. */
export function lessonsOf(refused: readonly Refused[]): readonly string[] {
  return [...new Set(refused.map((each) => each.as ?? each.text))].slice(-MOST_LESSONS);
}

/** Learns a refusal for the next attempt and all later runs. */
export async function learn(run: RunScope, { body, message }: ModelError, isSecond: boolean): Promise<void> {
  const text = body ?? message;
  const records = await run.log.settled();
  const meanings = isSecond ? [withoutPlaces(text)] : [asCounted(run, records, text), text, withoutPlaces(text)];
  const as = meanings.find((each) => helps(run, records, each)) ?? text;
  const { dialect } = run.settings.port.target;
  run.lessons.refusals = lessonsOf([...run.lessons.refusals.map((each) => ({ text: each })), { text: as }]);
  await run.log.append(noteRecord({ about: 'refusal', text, ...(as === text ? {} : { as }), dialect }));
}

/** Whether the refusal changes the next request. */
function helps(run: RunScope, records: readonly SessionRecord[], words: string): boolean {
  const { lessons, sent, settings } = run;
  const target = { ...settings.port.target, purpose: 'request' } as const;
  const refusals = [...lessons.refusals, words];
  const { sendable } = prepare(records, target, repairOptions({ ...lessons, refusals }));
  return sendable !== undefined && !isDeepStrictEqual(encode(sendable), sent);
}

const PLACE = /\b(messages?|input|contents)(\.\[?|\[)(\d+)(\]?)/;

/** The provider's index refers to its own list; repairs may have added or removed messages. */
function asCounted(run: RunScope, records: readonly SessionRecord[], text: string): string {
  const place = PLACE.exec(text)?.[3];
  const history = project(records, run.settings.port.target.dialect);
  if (place === undefined || history === undefined) return text;
  // Untouched messages are the same objects.
  const index = toWire(history).indexOf(run.sent[Number(place)]);
  return index === -1 ? text : text.replace(PLACE, `$1$2${index}$4`);
}

/** Clients join or prepend messages, so a foreign index may be wrong. Then all positions count. */
function withoutPlaces(text: string): string {
  return text.replace(new RegExp(PLACE, 'g'), '$1');
}
