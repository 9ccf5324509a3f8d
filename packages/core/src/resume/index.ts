export { MAX_CLEANUP_ITERATIONS, runCleanupLoop, type CleanupOptions, type CleanupResult } from './cleanup-loop.ts';
export { removeConsecutiveRequests } from './consecutive-requests.ts';
export {
  findDanglingToolCallIds,
  removeDanglingToolCalls,
  type ToolCallArgs,
  type WithoutDangling,
} from './dangling.ts';
export { removeEmptyResponses, type Step } from './empty-responses.ts';
export type { CleanupLogger } from './logger.ts';
export {
  findIncompleteToolCalls,
  removeIncompleteToolCalls,
  removeOrphanedToolResults,
  sanitizeRecoveredMessages,
  type IncompleteCalls,
} from './recover.ts';
export { sanitizeHistoryForResume, stripSystemPromptParts } from './resume-copy.ts';
export { dropTrailingRequest } from './trailing-request.ts';
export { validateMessageStructure } from './validate.ts';
