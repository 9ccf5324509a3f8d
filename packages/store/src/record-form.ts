import { DIALECTS } from '@rethread/core';

import type { NewRecord } from './record.ts';
import { StoreError } from './store-error.ts';

type Keys = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Keys =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const dialects: ReadonlySet<unknown> = new Set(DIALECTS);
const valid = `valid dialects: ${DIALECTS.map((name) => JSON.stringify(name)).join(', ')}`;

/** What is there instead, without its content. */
function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** Why no history could be read from a record; undefined where one can, or where none is to be read. */
function faultOf({ kind, data }: NewRecord): string | undefined {
  return kind === 'message' ? messageFault(asStored(data)) : undefined;
}

function messageFault(data: unknown): string | undefined {
  if (!isObject(data)) return `data must be an object with a dialect and a wire; it is ${shown(data)}`;
  const { dialect, wire } = data;
  if (typeof dialect !== 'string') return `data.dialect is ${shown(dialect)}; ${valid}`;
  if (!dialects.has(dialect)) return `unknown dialect ${JSON.stringify(dialect.slice(0, 100))}; ${valid}`;
  if (!isObject(wire)) return `data.wire must be the message, an object in its dialect; it is ${shown(wire)}`;
  return undefined;
}

/** What JSON makes of a value that says so itself. */
function asStored(data: unknown): unknown {
  if (!isObject(data) || typeof data['toJSON'] !== 'function') return data;
  return JSON.parse(JSON.stringify(data));
}

/** Refuses a message that no history could be read from. Records of other kinds may hold anything. */
export function checkForm(record: NewRecord): void {
  let fault: string | undefined;
  try {
    fault = faultOf(record);
  } catch (cause) {
    throw new StoreError('unstorable', 'record not stored: it throws when it is looked at', { cause });
  }
  if (fault !== undefined) throw new StoreError('unstorable', `message not stored: ${fault}`);
}
