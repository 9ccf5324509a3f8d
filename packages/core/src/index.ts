export { createChecker, type Checker } from './checker.ts';
export { detectDialect } from './codecs/detect.ts';
export type { Dialect } from './codecs/dialects.ts';
export { convert, type Converted, type ConvertOptions } from './convert.ts';
export { explain, rules, type RuleDoc } from './explain.ts';
export { decode, project } from './history.ts';
export type {
  Action,
  At,
  Finding,
  Loss,
  Preserved,
  Refusal,
  Repair,
  RepairOptions,
  Report,
  Severity,
  Verdict,
} from './model/finding.ts';
export type {
  CallPart,
  MediaPart,
  Message,
  OpaquePart,
  Outcome,
  Part,
  ReasoningPart,
  ResultPart,
  Role,
  TextPart,
} from './model/part.ts';
export type { ConversionLoss, LossKind } from './model/crossing.ts';
export type { History } from './model/history.ts';
export type { Policy } from './model/policy.ts';
export type { Profile } from './model/profile.ts';
export type { SessionRecord } from './model/record.ts';
export type { Example } from './model/rule.ts';
export { RESULT_TEXTS, type Evidence, type EvidenceKind } from './model/synthetic.ts';
export { prepare, type Prepared } from './prepare.ts';

export { check, repair, type Repaired } from './repair.ts';
export { encode, verify, type Sendable, type Verified } from './sendable.ts';
export type { TargetInput } from './target.ts';
