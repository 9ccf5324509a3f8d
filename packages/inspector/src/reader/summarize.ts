import { openSession, type SessionFinding, type SessionRef } from '@rethread/formats';

import type { RuleCount, Summary } from '../api.ts';
import { optional } from './value.ts';
import { aboutRequest, judge } from './verdict.ts';

/** Reads a session once, and says what the list shows of it. */
export async function summarize(ref: SessionRef & { readonly key: string }): Promise<Summary> {
  const session = await openSession({ path: ref.path, id: ref.id });
  const judged = await judge(session, ref.modified);
  const { verdict, survival, turns, messages, tokens, model, dialect } = judged;
  const byRule = Map.groupBy(aboutRequest(judged), ({ rule }) => rule);
  const countOf = ([rule, findings]: readonly [string, readonly SessionFinding[]]): RuleCount => ({
    rule,
    count: findings.length,
    isRefused: findings.some((finding) => finding.verdict === 'refused'),
  });
  return {
    key: ref.key,
    verdict: session.tool === undefined ? 'unreadable' : verdict,
    ...optional('survival', survival.total === 0 ? undefined : survival.share),
    turns,
    messages,
    tokens,
    ...optional('model', model),
    dialect,
    rules: Array.from(byRule, countOf),
    faults: session.faults.length,
  };
}
