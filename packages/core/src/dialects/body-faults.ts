import type { Fault } from '../model/codec.ts';
import { inspect, newTally } from '../model/value.ts';

/** The fields around the list that cannot be sent: the whole body is one JSON text. */
export function bodyFaults(body: Readonly<Record<string, unknown>>, listKey: string): Fault[] {
  const faults: Fault[] = [];
  for (const key of Object.keys(body)) {
    if (key !== listKey && isUnsendable(body[key])) faults.push({ fact: 'field-unserialisable', detail: key });
  }
  return faults;
}

function isUnsendable(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  const tally = newTally();
  inspect(value, tally);
  return tally.lone || (tally.broken && !isWritable(value));
}

/** A function has no JSON either, but is left out in silence: clients hold some beside what they send. */
function isWritable(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
