export { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts';
export { type Verdict, type VerdictListener } from './verdict-log.ts';
export { type ApiName } from './apis/api.ts';
export { type ToolSpec } from './apis/reading.ts';
export { type Model, type ModelRequest } from './models/model.ts';
export {
  call,
  reasoning,
  reply,
  text,
  type CallPart,
  type Failure,
  type OpaquePart,
  type ReasoningPart,
  type RefusalPart,
  type Reply,
  type ReplyPart,
  type ReplyUsage,
  type Stop,
  type TextPart,
} from './models/reply.ts';
export { scripted, type Line } from './models/scripted.ts';
export { seeded, type SeededOptions } from './models/seeded.ts';
export {
  FAULT_USAGE,
  FaultSpecError,
  parseFault,
  parseFaults,
  type Fault,
  type FaultRule,
  type When,
} from './faults/fault.ts';
export {
  CHECKS,
  judge,
  type JudgedDialect,
  type JudgeOptions,
  type KeptEntry,
  type Purpose,
  type Refusal,
  type ResponseMemory,
  type SealCheck,
  type Sealed,
  type SealVerdict,
} from './judges/judge.ts';
