import { dialectFault, shown } from './dialect-name.ts';
import { isObject, type Keys, type NewRecord } from './record.ts';
import { checkpointFault } from './checkpoint-form.ts';
import { StoreError } from './store-error.ts';

function messageFault({ dialect, wire }: Keys): string | undefined {
  const fault = dialectFault(dialect);
  if (fault !== undefined || isObject(wire)) return fault;
  return `data.wire must be the message, an object in its dialect; it is ${shown(wire)}`;
}

/** Why the data of a record cannot be part of a history. Other kinds may hold anything. */
const faults: ReadonlyMap<string, (data: Keys) => string | undefined> = new Map([
  ['message', messageFault],
  ['checkpoint', checkpointFault],
]);

/** The value that will be stored if the data has a `toJSON` method. */
function asStored(data: unknown): unknown {
  if (!isObject(data) || typeof data['toJSON'] !== 'function') return data;
  return JSON.parse(JSON.stringify(data));
}

/** Why a record cannot be part of a history although it is of a kind that is. Undefined for a sound record. */
export function faultOf({ kind, data }: NewRecord): string | undefined {
  const find = faults.get(kind);
  if (find === undefined) return undefined;
  const stored = asStored(data);
  return isObject(stored) ? find(stored) : `data must be an object; it is ${shown(stored)}`;
}

/** Refuses a message or checkpoint that cannot be part of a history. */
export function checkForm(record: NewRecord): void {
  let fault: string | undefined;
  try {
    fault = faultOf(record);
  } catch (cause) {
    throw new StoreError('unstorable', 'record not stored: reading it throws an error', { cause });
  }
  if (fault !== undefined) throw new StoreError('unstorable', `${record.kind} not stored: ${fault}`);
}
