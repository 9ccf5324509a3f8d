import { isHealthy } from '../engine/report.ts';
import { check } from '../repair.ts';

/**
 * Whether a history can be sent as it is, and if not, what is wrong with which message.
 *
 * @example
 * const { valid, errors } = validateMessageStructure(history);
 */
export function validateMessageStructure(messages: readonly unknown[]): { valid: boolean; errors: string[] } {
  const { findings } = check(messages);
  const errors = findings
    .filter((finding) => !isHealthy([finding]))
    .map(({ at, explain }) => (at.message < 0 ? explain : `Message ${String(at.message)}: ${explain}`));
  return { valid: errors.length === 0, errors };
}
