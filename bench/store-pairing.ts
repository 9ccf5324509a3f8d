import type { Driver, Range } from '../packages/store/src/driver.ts';

export type Message = { data?: { role?: string; content?: unknown } } | null;

/** What the pairing of a stretch of messages leaves for whoever knows the stretch before it. */
export type Unpaired = { readonly calls: ReadonlySet<string>; readonly results: ReadonlySet<string> };

/** The pairing of calls and results, kept as small as it can be. */
export function createPairing(): Unpaired & { see: (record: Message) => void } {
  let calls = new Set<string>();
  const results = new Set<string>();
  /**
   * A set that is added to and deleted from for long leaves a chain of tables, each of which keeps the next one alive
   * once the first is old: memory that no reading takes. So a set that is empty again is replaced.
   */
  const settle = (call: string): boolean => {
    const known = calls.delete(call);
    if (known && calls.size === 0) calls = new Set();
    return known;
  };
  return {
    get calls() {
      return calls;
    },
    results,
    see: (record) => {
      const content = record?.data?.content;
      if (!Array.isArray(content)) return;
      for (const part of content as { type: string; id?: string; tool_use_id?: string }[]) {
        if (part.type === 'tool_use') calls.add(part.id ?? '');
        else if (part.type === 'tool_result' && !settle(part.tool_use_id ?? '')) {
          results.add(part.tool_use_id ?? '');
        }
      }
    },
  };
}

/** The file driver gives out buffers already; wrapping each in another would be measured as reading. */
const textOf = (bytes: Uint8Array): string =>
  (bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)).toString();

export type Stretch = { readonly session: string; readonly range?: Range };

export async function readStretch(
  driver: Driver,
  { session, range = {} }: Stretch,
  visit: (record: Message) => void,
): Promise<number> {
  let count = 0;
  for await (const records of driver.read(session, range)) {
    for (const { bytes } of records) {
      visit(JSON.parse(textOf(bytes)) as Message);
      count += 1;
    }
  }
  return count;
}
