import { turns, type Finding } from '@rethread/core';
import { openSession, type SessionRef } from '@rethread/formats';

import type { RuleCount, Summary } from '../api.ts';
import { optional } from './value.ts';
import { isRefused, judge } from './verdict.ts';

/** Reads a session once, and says what the list shows of it. */
export async function summarize(ref: SessionRef & { readonly key: string }): Promise<Summary> {
  const session = await openSession({ path: ref.path, id: ref.id });
  const active = await session.active();
  const { faults } = session;
  const { verdict, report, survival, tokens } = judge({ active, faults, modified: ref.modified });
  const byRule = Map.groupBy(report.findings, ({ rule }) => rule);
  const countOf = ([rule, findings]: readonly [string, readonly Finding[]]): RuleCount => ({
    rule,
    count: findings.length,
    isRefused: findings.some((finding) => isRefused(finding, active)),
  });
  return {
    key: ref.key,
    verdict: session.tool === undefined ? 'unreadable' : verdict,
    ...optional('survival', survival),
    turns: turns(active.messages, active.dialect).length,
    messages: active.messages.length,
    tokens,
    ...optional('model', active.model),
    dialect: active.dialect,
    rules: Array.from(byRule, countOf),
    faults: faults.length,
  };
}
