import { describe, test } from 'vitest';

import { conformance } from '../src/conformance/index.ts';
import type { Driver, Stored } from '../src/driver.ts';
import { openMemory } from '../src/drivers/memory.ts';

/** Clears the returned bytes at the next read, as a driver may that reuses its buffer. */
async function* wiped(source: AsyncIterable<readonly Stored[]>): AsyncGenerator<readonly Stored[]> {
  for await (const some of source) {
    const given = some.map(({ seq, bytes }) => ({ seq, bytes: Uint8Array.from(bytes) }));
    yield given;
    for (const { bytes } of given) bytes.fill(0);
  }
}

const wiping = (driver: Driver): Driver => {
  const [read, follow] = [driver.read.bind(driver), driver.follow.bind(driver)];
  return Object.assign(driver, {
    read: (session, range) => wiped(read(session, range)),
    follow: (session, options) => wiped(follow(session, options)),
  } satisfies Partial<Driver>);
};

describe('a driver whose bytes are valid only until the next read', () => {
  conformance({ test, open: async (place, options) => wiping(await openMemory(`memory:${place}`, options)) });
});
