import type { Sample } from '../files/sample.ts';
import { objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';
import { isBareHead, isDocument, isRollout, readRecord, roleInTurns, textOf } from './records.ts';

export function detect({ head, tail, document }: Sample): boolean {
  const [first] = head;
  if (first !== undefined && isBareHead(first)) return true;
  if ([...head, ...tail].some((value) => isRollout(value) || textAt(value, 'record_type') === 'state')) return true;
  return isDocument(document());
}

export function heads({ path, head, tail, document }: Sample): Head[] {
  const whole = document();
  if (isDocument(whole)) {
    const session = objectAt(whole, 'session');
    return [{ id: textAt(session, 'id') ?? path, ...optional('cwd', textAt(session, 'cwd')) }];
  }
  const records = [...head, ...tail].map(readRecord);
  const meta = records.find(({ type }) => type === 'session_meta')?.payload;
  const title = nameIn(records.map(({ payload }) => payload)) ?? firstPrompt(records);
  const cwd = records.map(({ payload }) => textAt(payload, 'cwd')).findLast((each) => each !== undefined);
  const isSubagent = textAt(meta, 'parent_thread_id') === undefined ? {} : { isSubagent: true };
  const about = { ...optional('cwd', cwd), ...optional('title', title), ...parentOf(meta) };
  return [{ id: textAt(meta, 'id') ?? path, ...about, ...isSubagent }];
}

/** The thread that a subagent belongs to, or that a fork was made of. */
export const parentOf = (meta: JsonObject | undefined): { readonly parent?: string } =>
  optional('parent', textAt(meta, 'parent_thread_id') ?? textAt(meta, 'forked_from_id'));

/** The newest name that was given to the thread. */
const nameIn = (payloads: readonly JsonObject[]): string | undefined =>
  payloads.flatMap((payload) => threadName(payload) ?? []).at(-1);

export const threadName = (payload: JsonObject): string | undefined =>
  textAt(payload, 'type') === 'thread_name_updated' ? textAt(payload, 'thread_name') : undefined;

const firstPrompt = (
  records: readonly { readonly type: string; readonly payload: JsonObject }[],
): string | undefined => {
  const found = records.find(({ type, payload }) => type === 'response_item' && isPrompt(payload));
  return found === undefined ? undefined : promptTitle(found.payload);
};

export const isPrompt = (item: JsonObject): boolean => textAt(item, 'role') === 'user' && roleInTurns(item) === 'turn';

export const promptTitle = (item: JsonObject): string | undefined => titleFrom(textOf(item));
