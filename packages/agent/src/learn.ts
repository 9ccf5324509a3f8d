import { isDeepStrictEqual } from 'node:util';

import { encode, prepare, project, toWire, type SessionRecord } from '@rethread/core';

import { noteRecord } from './log-records.ts';
import type { ModelError } from './model-port.ts';
import { repairOptions } from './request.ts';
import type { RunScope } from './run-scope.ts';

/** Words that a history was refused with, and how they are kept in mind where it is not as they were said. */
export type Refused = { readonly text: string; readonly as?: string };

const MOST_LESSONS = 16;

/** What is kept in mind of refusals, each once. */
export function lessonsOf(refused: readonly Refused[]): readonly string[] {
  return [...new Set(refused.map((each) => each.as ?? each.text))].slice(-MOST_LESSONS);
}

/** Keeps in mind what was refused, for the next attempt and for every later run. */
export async function learn(run: RunScope, { body, message }: ModelError, isSecond: boolean): Promise<void> {
  const text = body ?? message;
  const records = await run.log.settled();
  const meanings = isSecond ? [withoutPlaces(text)] : [asCounted(run, records, text), text, withoutPlaces(text)];
  const as = meanings.find((each) => helps(run, records, each)) ?? text;
  const { dialect } = run.settings.port.target;
  run.lessons.refusals = lessonsOf([...run.lessons.refusals.map((each) => ({ text: each })), { text: as }]);
  await run.log.append(noteRecord({ about: 'refusal', text, ...(as === text ? {} : { as }), dialect }));
}

/** Whether anything else is sent with it in mind. */
function helps(run: RunScope, records: readonly SessionRecord[], words: string): boolean {
  const { lessons, sent, settings } = run;
  const target = { ...settings.port.target, purpose: 'request' } as const;
  const refusals = [...lessons.refusals, words];
  const { sendable } = prepare(records, target, repairOptions({ ...lessons, refusals }));
  return sendable !== undefined && !isDeepStrictEqual(encode(sendable), sent);
}

const PLACE = /\b(messages?|input|contents)(\.\[?|\[)(\d+)(\]?)/;

/** A provider counts the messages that it got; repairs may have put others before them, or taken some away. */
function asCounted(run: RunScope, records: readonly SessionRecord[], text: string): string {
  const place = PLACE.exec(text)?.[3];
  const history = project(records, run.settings.port.target.dialect);
  if (place === undefined || history === undefined) return text;
  // Messages that were not touched are the same objects.
  const index = toWire(history).indexOf(run.sent[Number(place)]);
  return index === -1 ? text : text.replace(PLACE, `$1$2${index}$4`);
}

/** Clients join messages or put some before them, so that a place may mean nothing here: then all places are meant. */
function withoutPlaces(text: string): string {
  return text.replace(new RegExp(PLACE, 'g'), '$1');
}
