import { project, toWire, type Dialect, type SessionRecord } from '@rethread/core';

/** Whether repair was turned off by hand. */
export function isRepairOff(env: Readonly<Record<string, string | undefined>>): boolean {
  return env['DISABLE_MESSAGE_SANITIZATION'] === 'true';
}

/**
 * The messages of a log as they are, sendable or not: the objects that were recorded, and the results as recorded. Only
 * what was recorded in another dialect is converted.
 */
export function originalMessages(records: readonly SessionRecord[], dialect: Dialect): readonly unknown[] {
  const history = project(records, dialect);
  return history === undefined ? [] : toWire(history);
}
