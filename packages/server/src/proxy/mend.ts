import { isForeign, type KnownRequest, type RequestBody } from '@rethread/adapters/request';
import {
  check,
  repair,
  type Dialect,
  type Finding,
  type Repair,
  type RepairOptions,
  type Report,
} from '@rethread/core';

import type { Mode } from './options.ts';
import { type RefusalMemory, listIn } from './refusal-memory.ts';
import { keepsSystem } from './system-text.ts';

/** What was made of a request, and the body to send. */
export type Judgement = {
  readonly request: KnownRequest;
  readonly upstream: string;
  readonly dialect: Dialect;
  readonly model: string | undefined;
  readonly verdict: Report['verdict'];
  readonly findings: readonly Finding[];
  /** The repairs that are in the body. */
  readonly repairs: readonly Repair[];
  readonly body: RequestBody;
};

export type Bench = {
  readonly mode: Mode;
  readonly policy: RepairOptions['policy'];
  readonly memory: RefusalMemory;
};

/** A conversation that is refused again after its refusal was answered is answered again, but not for ever. */
const mostRefusals = 4;

/** Judges a request, and repairs it if it is sure to be refused; undefined if it is none of a known API. */
export function judge(request: KnownRequest, upstream: string, bench: Bench): Judgement | undefined {
  const { body, target } = request;
  const { policy, mode } = bench;
  if (mode === 'observe') return observe(request, upstream);
  const choices: RepairOptions = policy === undefined ? {} : { policy };
  const { output, report } = repair(body, target, choices);
  if (report.dialect === undefined) return undefined;
  const judgement = { ...known(request, upstream, report), repairs: [], body };
  const isSure = report.findings.some(({ severity }) => severity === 'rejected');
  const mended = isSure && isUsable(judgement, output, report);
  return heedMemory(mended ? { ...judgement, repairs: report.repairs, body: output } : judgement, bench);
}

function observe(request: KnownRequest, upstream: string): Judgement | undefined {
  const report = check(request.body, request.target);
  if (report.dialect === undefined) return undefined;
  return { ...known(request, upstream, report), repairs: [], body: request.body };
}

function known(request: KnownRequest, upstream: string, report: Report): Omit<Judgement, 'repairs' | 'body'> {
  const { target, body } = request;
  const named = (typeof target === 'string' ? undefined : target.model) ?? body['model'];
  const model = typeof named === 'string' ? named : undefined;
  const { verdict, findings } = report;
  return { request, upstream, dialect: report.dialect as Dialect, model, verdict, findings };
}

/** Repairs a request by its refusal; undefined if that changes nothing. */
export function heed(judgement: Judgement, refusal: string, { policy }: Bench): Judgement | undefined {
  const choices = { refusal, ...(policy !== undefined && { policy }) };
  const { output, report } = repair(judgement.body, judgement.request.target, choices);
  if (!isUsable(judgement, output, report)) return undefined;
  return { ...judgement, body: output, repairs: [...judgement.repairs, ...report.repairs] };
}

/** How many messages of a list the newest repairs concern: a history that begins with these needs the same repairs. */
export function reachOf(before: Judgement, after: Judgement): number {
  const places = after.repairs.slice(before.repairs.length).map(({ at }) => at.message);
  const last = Math.max(-1, ...places);
  return last === -1 ? (listIn(before.body)?.length ?? 0) : last + 1;
}

/** The same history is repaired in the same way in every request, or the provider could not find it in its cache. */
function heedMemory(judgement: Judgement, bench: Bench): Judgement {
  let current = judgement;
  for (let count = 0; count < mostRefusals; count += 1) {
    const refusal = bench.memory.refusalOf(current);
    const next = refusal === undefined ? undefined : heed(current, refusal, bench);
    if (next === undefined) break;
    current = next;
  }
  return current;
}

/** A repair that loses turns is not made in the path: its user would not notice. */
function isUsable({ request, dialect, body }: Judgement, output: RequestBody, { verdict }: Report): boolean {
  if (output === body || verdict === 'salvaged' || verdict === 'emptied') return false;
  return keepsSystem(body, output) && !isForeign(request, dialect);
}
