import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { FIXTURE_FILES, type Home } from './home.ts';

/** What readers go by: with another value here, a record is none any more. */
const STRUCTURE = new Set(
  `type role uuid parentUuid parentId timestamp kind version lastUpdated startTime call_id tool_use_id toolCallId
  leafUuid subtype status session_id sessionId`.split(/\s+/),
);

type Value = unknown;

/** The same value with a payload for every text that readers do not go by, and for a key of every plain object. */
function poisoned(value: Value, payload: string, key = ''): Value {
  if (typeof value === 'string') return poisonedText(value, payload, key);
  if (Array.isArray(value)) return value.map((each: Value) => poisoned(each, payload, key));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, held]) => [name, poisoned(held, payload, name)] as const);
  const isInput = key === 'input' || key === 'arguments' || key === 'args';
  return Object.fromEntries(isInput ? [...entries, [payload, payload]] : entries);
}

function poisonedText(text: string, payload: string, key: string): string {
  if (key === 'arguments') return JSON.stringify({ [payload]: payload });
  return STRUCTURE.has(key) ? text : payload;
}

/** The structure too, one key at a time: whatever becomes of such a record, it is shown as text. */
function broken(value: Record<string, Value>, payload: string): Record<string, Value>[] {
  return Object.keys(value)
    .filter((key) => typeof value[key] === 'string')
    .map((key) => ({ ...value, [key]: payload }));
}

/** Writes a session of every format for every payload, which stands in every field of it. */
export function addHostileSessions({ folder }: Home, payloads: readonly string[]): void {
  for (const [place, fixture] of FIXTURE_FILES) {
    const records = readFileSync(fixture, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, Value>);
    const [head, ...rest] = records;
    const all = payloads.flatMap((payload) => {
      const said = rest.map((record) => poisoned(record, payload) as Record<string, Value>);
      return [...said, ...said.flatMap((record) => broken(record, payload)).slice(0, 6)];
    });
    const first = payloads[0] ?? '';
    const path = join(folder, place);
    mkdirSync(dirname(path), { recursive: true });
    const text = [{ ...(poisoned(head, first) as object), id: head?.['id'] }, ...all]
      .map((record) => JSON.stringify(record))
      .join('\n');
    writeFileSync(path, `${text}\n`);
  }
}
