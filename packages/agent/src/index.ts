export { createAgent, type Agent } from './agent.ts';
export { AgentError, type AgentErrorCode } from './agent-error.ts';
export { realClock, type Clock } from './clock.ts';
export { statsOf, type Stats, type ToolStats } from './analytics.ts';
export type { Compaction, CompactionOptions, CompactionView, ShortenOptions } from './compaction.ts';
export { DeadlineError, DEADLINES, type Deadlines } from './deadlines.ts';
export { delegate, type DelegateOptions } from './delegation.ts';
export type { Choice, Decide, Unsettled, UnsettledCall } from './effects.ts';
export type { AgentEvent, Ask, Piece, StopKind } from './events.ts';
export type { Logger, LogLine } from './logger.ts';
export {
  ModelError,
  type CallOptions,
  type ModelErrorDetails,
  type ModelErrorKind,
  type ModelEvent,
  type ModelPort,
  type ModelRequest,
  type PortTarget,
  type Stop,
  type ToolDeclaration,
  type Usage,
} from './model-port.ts';
export type { RecoveredState, RecoverOptions } from './recover.ts';
export type { RetryLimits } from './retry.ts';
export type { Run, RunOptions } from './run.ts';
export type { AgentOptions } from './settings.ts';
export type { Schema } from './schema.ts';
export { NEXT, type State } from './states.ts';
export { tool, type CallContext, type Effect, type Tool, type Tools } from './tool.ts';
export { noTracing, type Span, type Tracing } from './tracing.ts';
export type { Input, RunResult } from './turn.ts';
export { scripted, type ScriptedOptions, type ScriptedPort, type ScriptedReply } from './ports/scripted.ts';
export { SCRIPTED_DIALECTS } from './ports/scripted-wire.ts';
