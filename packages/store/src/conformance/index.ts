import { bytes } from './bytes.ts';
import { ending } from './ending.ts';
import { leases } from './leases.ts';
import { messages } from './messages.ts';
import { reading } from './reading.ts';
import { resuming } from './resuming.ts';
import { sessions } from './sessions.ts';
import { type Harness, declare } from './world.ts';
import { writing } from './writing.ts';

export type { Harness } from './world.ts';

/** Declares every test that a driver must pass, in the test framework of the harness. */
export function conformance(harness: Harness): void {
  for (const claims of [writing, leases, reading, bytes, messages, sessions, ending, resuming])
    declare(harness, claims);
}
