import { explain, type Finding } from '@rethread/core';
import { judgeSession, type Active, type Judgement, type SessionFinding, type ToolSession } from '@rethread/formats';

/** Findings of the judge that are about the request, and come from no rule. */
const OF_WEIGHT: ReadonlySet<string> = new Set(['giant-message', 'window-nearly-full']);

/** Judges a session as the command does: `modified` is when its file was written to last. */
export const judge = async (session: ToolSession, modified: number): Promise<Judgement> =>
  judgeSession(session, { now: Date.now(), modified });

/** What is wrong with the next request; what is wrong with the files is among the faults. */
export const aboutRequest = ({ findings }: Pick<Judgement, 'findings'>): SessionFinding[] =>
  findings.filter(({ rule }) => OF_WEIGHT.has(rule) || explain(rule) !== undefined);

/** Whether a provider refuses the next request for it, although the tool mends what it knows of. */
export const isRefused = ({ rule, severity }: Pick<Finding, 'rule' | 'severity'>, copes: Active['copes']): boolean =>
  severity === 'rejected' && !copes.includes(rule);
