export { createChecker, type Checker } from './checker.ts';
export { detectDialect } from './dialects/detect.ts';
export { DIALECTS, type Dialect } from './model/dialect.ts';
export { compact, undo, type Compacted, type CompactOptions, type CompactReport } from './compact.ts';
export type { Checkpoint, Rung } from './compaction/checkpoint.ts';
export type { Breaker, StepReport } from './compaction/compact-list.ts';
export type { Keep, Pin } from './compaction/choose-cut.ts';
export type { Gone } from './compaction/step.ts';
export { SummaryError, type SummaryFault } from './compaction/summary-check.ts';
export type { SourceRange, SummaryMessage } from './compaction/summary-message.ts';
export type { SummaryModel, SummaryPrompt } from './compaction/staged-summary.ts';
export { convert, type Converted, type ConvertOptions } from './convert.ts';
export { explain, rules, type RuleDoc } from './explain.ts';
export { filterCompacted } from './filter.ts';
export { decode, project, projectAsRecorded, projectWithSources, toWire } from './history.ts';
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
  Origin,
  Outcome,
  Part,
  ReasoningPart,
  ResultPart,
  Role,
  TextPart,
} from './model/part.ts';
export type { ConversionLoss, LossKind } from './model/loss.ts';
export type { History } from './model/history.ts';
export type { Policy } from './model/policy.ts';
export type { Profile } from './model/profile.ts';
export type { SessionRecord } from './model/record.ts';
export type { Example } from './model/rule.ts';
export { prefixDigest, type PrefixDigests } from './model/prefix-digest.ts';
export { RESULT_TEXTS, type Evidence, type EvidenceKind } from './model/synthetic.ts';
export { prepare, type Prepared } from './prepare.ts';
export { pruneOldToolOutputs, type PrunedHistory, type PruneOptions } from './prune.ts';

export type { Projection } from './project.ts';
export { check, repair, type Repaired } from './repair.ts';
export { encode, verify, type Sendable, type Verified } from './sendable.ts';
export {
  before,
  cuts,
  fromTurn,
  lastTurns,
  page,
  splitHead,
  turns,
  type Page,
  type Turn,
  type TurnKind,
  type Which,
} from './slices.ts';
export { shouldCompact, type ShouldCompactOptions, type Trigger } from './should-compact.ts';
export {
  generateSummary,
  isSummaryMessage,
  readSummaryMessage,
  writeSummaryMessage,
  type GenerateSummaryOptions,
} from './summaries.ts';
export type { TargetInput } from './target.ts';
export { calibrate, estimateTokens, type TokenCounter, type Usage } from './tokens.ts';
