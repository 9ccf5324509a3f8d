export { filterCompacted } from '../filter.ts';
export { pruneOldToolOutputs, type PrunedHistory, type PruneOptions } from '../prune.ts';
export { splitHead } from '../slices.ts';
export { shouldCompact } from '../should-compact.ts';
export { generateSummary, isSummaryMessage } from '../summaries.ts';
export {
  dropTrailingRequest,
  MAX_CLEANUP_ITERATIONS,
  runCleanupLoop,
  type CleanupOptions,
  type CleanupResult,
} from './cleanup-loop.ts';
export {
  findDanglingToolCallIds,
  removeDanglingToolCalls,
  type ToolCallArgs,
  type WithoutDangling,
} from './dangling.ts';
export { removeConsecutiveRequests, removeEmptyResponses, type Step } from './cleanup-steps.ts';
export type { CleanupLogger } from './logger.ts';
export {
  findIncompleteToolCalls,
  removeIncompleteToolCalls,
  removeOrphanedToolResults,
  sanitizeRecoveredMessages,
  type IncompleteCalls,
} from './recover.ts';
export { prepareHistory, type PrepareOptions } from './prepare-history.ts';
export { sanitizeHistoryForResume, stripSystemPromptParts } from './resume-copy.ts';
export { validateMessageStructure } from './validate.ts';
