export { type Fault, type FaultKind } from './fault.ts';
export { openSession, type Wanted } from './open-session.ts';
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
export { sessions, type SessionsOptions } from './sessions.ts';
export { type System } from './system.ts';
