import { encode, prepare, type Prepared, type Repair, type RepairOptions } from '@rethread/core';

import { AgentError } from './agent-error.ts';
import { noteRecord } from './log-records.ts';
import { ModelError, type ModelRequest } from './model-port.ts';
import { isRepairOff, originalMessages } from './unrepaired-messages.ts';
import type { RunScope } from './run-scope.ts';
import { textIn } from './standing.ts';
import { declareTools } from './tool.ts';

/** What earlier requests taught about the history of a session. */
export type Lessons = {
  /** The provider's refusal texts, oldest first. */
  refusals: readonly string[];
  /** Whether calls without a result are left out rather than closed. */
  leavesOut: boolean;
  /** Repairs that this run noted. */
  readonly noted: Set<string>;
};

/** The next request: the verified history and everything around it. */
export async function nextRequest(run: RunScope): Promise<ModelRequest> {
  const { system, tools, maxTokens, env } = run.settings;
  const around = { tools: declareTools(tools), ...(maxTokens === undefined ? {} : { maxTokens }) };
  const records = await run.log.settled();
  if (isRepairOff(env)) {
    const messages = originalMessages(records, run.settings.port.target.dialect);
    run.tell({ level: 'warn', event: 'repair-is-off', messages: messages.length });
    await run.log.append(noteRecord({ about: 'unrepaired', messages: messages.length }));
    return { messages, ...(system === undefined ? {} : { system }), ...around };
  }
  const target = { ...run.settings.port.target, purpose: 'request' } as const;
  const options = repairOptions(run.lessons);
  const prepared = prepare(records, target, options);
  if (prepared.sendable === undefined) throw unsendable(prepared);
  await noteRepairs(run, prepared, options);
  const told = systemOf(run, prepared);
  return { messages: encode(prepared.sendable), ...told, ...around };
}

/** Limits that a compaction lifts and a repair does not. */
const LIMITS: ReadonlySet<string> = new Set(['prompt-too-long', 'request-too-large', 'too-many-messages']);

/** A request that is certainly too long is not sent; the loop compacts as after a refusal. */
function unsendable({ report: { findings, next } }: Prepared): Error {
  const limits = findings.filter(({ rule }) => LIMITS.has(rule)).map(({ explain }) => explain);
  if (limits.length > 0) return new ModelError('overflow', limits.join('; '));
  return new AgentError('unsendable', next ?? 'no repair makes this history sendable');
}

export function repairOptions({ refusals, leavesOut }: Pick<Lessons, 'refusals' | 'leavesOut'>): RepairOptions {
  return {
    ...(refusals.length === 0 ? {} : { refusals }),
    // Only calls that somebody chose to leave out are still open here.
    ...(leavesOut ? { policy: { openCall: 'remove', partialBatch: 'remove-open' } } : {}),
  };
}

const keyOf = ({ rule, at, note }: Repair): string => `${rule} ${at.pointer} ${note}`;

/** Each repair is noted once in the log; the store knows earlier notes. */
async function noteRepairs(run: RunScope, { report }: Prepared, options: RepairOptions): Promise<void> {
  const { store, port } = run.settings;
  const fresh = report.repairs.filter((repair) => !run.lessons.noted.has(keyOf(repair)));
  if (fresh.length === 0) return;
  for (const repair of fresh) run.lessons.noted.add(keyOf(repair));
  const target = { ...port.target, purpose: 'request' } as const;
  await run.within(store.recoverSession(run.session, target, options), 'storeMs');
  run.tell({ level: 'info', event: 'history-repaired', verdict: report.verdict, rules: fresh.map(({ rule }) => rule) });
  run.emit({ kind: 'repaired', repairs: fresh });
}

/** System messages move to the system prompt if the list cannot hold them. */
function systemOf(run: RunScope, { lifted = [] }: Prepared): Pick<ModelRequest, 'system'> {
  const { system, port } = run.settings;
  const text = textIn(lifted, port.target.dialect);
  if (text === '') return system === undefined ? {} : { system };
  if (system === undefined) return { system: text };
  if (typeof system === 'string') return { system: `${system}\n\n${text}` };
  if (isTextParts(system)) return { system: [...system, { type: 'text', text }] };
  run.tell({ level: 'warn', event: 'system-left-out', characters: text.length });
  return { system };
}

const isTextParts = (system: unknown): system is readonly object[] =>
  Array.isArray(system) && system.every((part: unknown) => typeof part === 'object' && part !== null && 'text' in part);
