import type { RepairOptions, Report } from '@rethread/core';

/** What every adapter lets its user choose. */
export type Choices = Pick<RepairOptions, 'policy' | 'evidence'> & {
  /** Called whenever something was found; a history in which nothing is wrong is not reported. */
  readonly onReport?: (report: Report) => void;
};

/** The part of the choices that the engine takes. */
export function repairOptions({ policy, evidence }: Omit<Choices, 'onReport'>): RepairOptions {
  return { ...(policy !== undefined && { policy }), ...(evidence !== undefined && { evidence }) };
}

/** Whether a report says anything: a clean one may still hold findings that cost nothing but waste. */
export function isNews(report: Report): boolean {
  return report.verdict !== 'clean';
}
