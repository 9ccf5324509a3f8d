export { type Fault, type FaultKind } from './fault.ts';
export { dangerOf, type Danger } from './judge/dangers.ts';
export {
  judgeSession,
  RUNNING_MS,
  SESSION_VERDICTS,
  type JudgeOptions,
  type Judgement,
  type PlannedRepair,
  type SessionFinding,
  type SessionVerdict,
} from './judge/judge-session.ts';
export { type Survival } from './judge/survival.ts';
export { openSession, type OpenOptions, type Wanted } from './open-session.ts';
export { type LinePlace, type Place, type RowPlace, type ValuePlace } from './place.ts';
export {
  type Absent,
  type AbsentReason,
  type Active,
  type Entry,
  type Head,
  type Reading,
  type Related,
  type RuleId,
  type SessionRef,
  type ToolSession,
} from './session.ts';
export { sessions, type HeadCache, type SessionsOptions } from './sessions.ts';
export { type System } from './system.ts';
