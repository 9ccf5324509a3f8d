import type { Sample } from '../files/sample.ts';
import { objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Head } from '../session.ts';
import { isKnownType, isStreamed, messageOf, titleOf } from './records.ts';

/** Other tools borrow the chain of `uuid` and `parentUuid`, and keep messages of another API in it. */
const isForeign = (record: JsonObject): boolean =>
  Array.isArray(objectAt(record, 'message')?.['parts']) || Object.hasOwn(record, 'payload');

function isOurs(record: JsonObject): boolean {
  const type = textAt(record, 'type');
  if (type === undefined) return false;
  if (type === 'summary') return Object.hasOwn(record, 'leafUuid');
  if (type === 'file-history-snapshot') return Object.hasOwn(record, 'messageId');
  if (isStreamed(record)) return true;
  const isChained = textAt(record, 'uuid') !== undefined && Object.hasOwn(record, 'parentUuid');
  return isChained || (isKnownType(type) && textAt(record, 'sessionId') !== undefined);
}

export function detect({ head, tail }: Sample): boolean {
  const records = [...head, ...tail];
  return records.some(isOurs) && !records.some(isForeign);
}

export function heads({ path, head, tail }: Sample): Head[] {
  const records = [...head, ...tail];
  const latest = (key: string): string | undefined =>
    records.map((record) => textAt(record, key)).findLast((value) => value !== undefined);
  const messages = records.filter((record) => messageOf(record) !== undefined);
  const isSubagent = messages.length > 0 && messages.every((record) => record['isSidechain'] === true);
  const agent = isSubagent ? latest('agentId') : undefined;
  const session = latest('sessionId') ?? latest('session_id') ?? path;
  const title = latest('customTitle') ?? latest('aiTitle') ?? records.map(titleOf).find((each) => each !== undefined);
  return [
    {
      id: agent ?? session,
      ...optional('title', title),
      ...optional('cwd', latest('cwd')),
      ...(agent === undefined ? {} : { parent: session, isSubagent: true }),
    },
  ];
}
