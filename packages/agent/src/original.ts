import { project, toWire, type SessionRecord } from '@rethread/core';

/** Whether repair was turned off by hand. */
export function isRepairOff(env: Readonly<Record<string, string | undefined>>): boolean {
  return env['DISABLE_MESSAGE_SANITIZATION'] === 'true';
}

/** The messages of a log as they are, sendable or not: the objects that were recorded, and the results as recorded. */
export function originalMessages(records: readonly SessionRecord[]): readonly unknown[] {
  const history = project(records);
  return history === undefined ? [] : toWire(history);
}
