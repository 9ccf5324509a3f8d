import { dialectFault, shown } from './dialect-name.ts';
import { isObject, type Keys, type NewRecord } from './record.ts';
import { checkpointFault } from './stand-in.ts';
import { StoreError } from './store-error.ts';

function messageFault({ dialect, wire }: Keys): string | undefined {
  const fault = dialectFault(dialect);
  if (fault !== undefined || isObject(wire)) return fault;
  return `data.wire must be the message, an object in its dialect; it is ${shown(wire)}`;
}

/** Why no history could be read from the data of a record. Records of other kinds may hold anything. */
const faults: ReadonlyMap<string, (data: Keys) => string | undefined> = new Map([
  ['message', messageFault],
  ['checkpoint', checkpointFault],
]);

/** What JSON makes of a value that says so itself. */
function asStored(data: unknown): unknown {
  if (!isObject(data) || typeof data['toJSON'] !== 'function') return data;
  return JSON.parse(JSON.stringify(data));
}

function faultOf({ kind, data }: NewRecord): string | undefined {
  const find = faults.get(kind);
  if (find === undefined) return undefined;
  const stored = asStored(data);
  const fault = isObject(stored) ? find(stored) : `data must be an object; it is ${shown(stored)}`;
  return fault === undefined ? undefined : `${kind} not stored: ${fault}`;
}

/** Refuses a message or a checkpoint that no history could be read from. */
export function checkForm(record: NewRecord): void {
  let fault: string | undefined;
  try {
    fault = faultOf(record);
  } catch (cause) {
    throw new StoreError('unstorable', 'record not stored: it throws when it is looked at', { cause });
  }
  if (fault !== undefined) throw new StoreError('unstorable', fault);
}
