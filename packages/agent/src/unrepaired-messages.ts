import { project, toWire, type Dialect, type SessionRecord } from '@rethread/core';

/** Whether repair was turned off by the user. */
export function isRepairOff(env: Readonly<Record<string, string | undefined>>): boolean {
  return env['DISABLE_MESSAGE_SANITIZATION'] === 'true';
}

/**
 * The messages of a log unrepaired: the recorded objects and results. Only records of another dialect are converted.
 */
export function originalMessages(records: readonly SessionRecord[], dialect: Dialect): readonly unknown[] {
  const history = project(records, dialect);
  return history === undefined ? [] : toWire(history);
}
