import type { Finding, Preserved, Repair, Report, Verdict } from '../model/finding.ts';

const NEXT: Readonly<Record<Exclude<Verdict, 'clean'>, string>> = {
  broken: 'Repair the history before it is sent; a provider would refuse or misread it as it is.',
  waiting: 'Calls are still open: answer them, or repair again with open: "close", before anything is sent.',
  repaired: 'Send the output in place of the input; every change is listed in the repairs.',
  salvaged: 'Send the output and repeat the last instruction: turns at the end had to be left out.',
  emptied: 'Start again from the quoted text: the history could not be sent in any other form.',
};

/** True when a provider takes the history as it is. */
export function isHealthy(findings: readonly Finding[]): boolean {
  return findings.every((finding) => finding.severity === 'wasteful');
}

export type ReportParts = {
  readonly verdict: Verdict;
  readonly dialect?: string | undefined;
  readonly findings: readonly Finding[];
  readonly repairs: readonly Repair[];
  readonly passes: number;
  readonly characters: number;
  readonly lost: number;
};

/** Puts a report together, with one sentence on how to go on. */
export function makeReport(parts: ReportParts): Report {
  const { verdict, dialect, findings, repairs, passes } = parts;
  const kept = preserved(parts.characters, parts.lost);
  if (dialect === undefined) return { verdict, findings, repairs, passes, preserved: kept, ...nextStep(verdict) };
  if (verdict === 'clean') return { verdict, dialect, findings, repairs, passes, preserved: kept };
  return { verdict, dialect, findings, repairs, passes, preserved: kept, next: NEXT[verdict] };
}

function nextStep(verdict: Verdict): { next?: string } {
  return verdict === 'clean' ? {} : { next: NEXT[verdict] };
}

function preserved(charactersIn: number, lost: number): Preserved {
  const charactersOut = Math.min(charactersIn, Math.max(0, charactersIn - lost));
  return { charactersIn, charactersOut, ratio: charactersIn === 0 ? 1 : charactersOut / charactersIn };
}
