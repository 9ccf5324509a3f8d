import type { Dialect } from '../model/dialect.ts';
import type { Rule } from '../model/rule.ts';
import { approvalWithoutRequest } from './approval-without-request.ts';
import { blankText } from './blank-text.ts';
import { callAnsweredByAnother } from './call-answered-by-another.ts';
import { callIdMalformed } from './call-id-malformed.ts';
import { callInputMalformed } from './call-input-malformed.ts';
import { callNameMalformed } from './call-name-malformed.ts';
import { callOutOfTurn } from './call-out-of-turn.ts';
import { callTypeMissing } from './call-type-missing.ts';
import { callUnlisted } from './call-unlisted.ts';
import { callUnsigned } from './call-unsigned.ts';
import { callWithoutResult } from './call-without-result.ts';
import { callsEmpty } from './calls-empty.ts';
import { consecutiveRequests } from './consecutive-requests.ts';
import { contentAfterCall } from './content-after-call.ts';
import { contentHollow } from './content-hollow.ts';
import { contentNotText } from './content-not-text.ts';
import { contentUnreadable } from './content-unreadable.ts';
import { dataTwice } from './data-twice.ts';
import { duplicateCallId } from './duplicate-call-id.ts';
import { duplicateResult } from './duplicate-result.ts';
import { emptyMessage } from './empty-message.ts';
import { emptyResponse } from './empty-response.ts';
import { endsWithAssistant } from './ends-with-assistant.ts';
import { endsWithSystem } from './ends-with-system.ts';
import { extraKey } from './extra-key.ts';
import { fieldUnserialisable } from './field-unserialisable.ts';
import { firstMessageCalls } from './first-message-calls.ts';
import { firstMessageNotUser } from './first-message-not-user.ts';
import { instructionMalformed } from './instruction-malformed.ts';
import { itemIdAgain } from './item-id-again.ts';
import { itemIdMalformed } from './item-id-malformed.ts';
import { itemIncomplete } from './item-incomplete.ts';
import { itemLost } from './item-lost.ts';
import { lateResult } from './late-result.ts';
import { loneSurrogate } from './lone-surrogate.ts';
import { messageUnreadable } from './message-unreadable.ts';
import { noMessages } from './no-messages.ts';
import { nullContent } from './null-content.ts';
import { outputMalformed } from './output-malformed.ts';
import { outputPreliminary } from './output-preliminary.ts';
import { partInWrongRole } from './part-in-wrong-role.ts';
import { partMistagged } from './part-mistagged.ts';
import { partRefused } from './part-refused.ts';
import { partUnreadable } from './part-unreadable.ts';
import { prefixNotLast } from './prefix-not-last.ts';
import { promptTooLong } from './prompt-too-long.ts';
import { reasoningAfterEdit } from './reasoning-after-edit.ts';
import { reasoningFieldMissing } from './reasoning-field-missing.ts';
import { reasoningFieldRefused } from './reasoning-field-refused.ts';
import { reasoningLast } from './reasoning-last.ts';
import { reasoningMalformed } from './reasoning-malformed.ts';
import { reasoningMissing } from './reasoning-missing.ts';
import { reasoningNotFirst } from './reasoning-not-first.ts';
import { reasoningUnfollowed } from './reasoning-unfollowed.ts';
import { reasoningUnsigned } from './reasoning-unsigned.ts';
import { requestTooLarge } from './request-too-large.ts';
import { resultBeforeCall } from './result-before-call.ts';
import { resultContentRefused } from './result-content-refused.ts';
import { resultDisplaced } from './result-displaced.ts';
import { resultMisnamed } from './result-misnamed.ts';
import { resultNameMalformed } from './result-name-malformed.ts';
import { resultNameMissing } from './result-name-missing.ts';
import { resultNotObject } from './result-not-object.ts';
import { resultOutputMalformed } from './result-output-malformed.ts';
import { resultStatusRefused } from './result-status-refused.ts';
import { resultWithoutCall } from './result-without-call.ts';
import { resultsMixed } from './results-mixed.ts';
import { retryWithoutReturn } from './retry-without-return.ts';
import { roleForeign } from './role-foreign.ts';
import { sameRoleRun } from './same-role-run.ts';
import { serverCallIdMalformed } from './server-call-id-malformed.ts';
import { serverCallWithoutResult } from './server-call-without-result.ts';
import { serverResultWithoutCall } from './server-result-without-call.ts';
import { serverToolUndeclared } from './server-tool-undeclared.ts';
import { signatureCorrupted } from './signature-corrupted.ts';
import { systemAfterAnswer } from './system-after-answer.ts';
import { systemEmpty } from './system-empty.ts';
import { systemFirst } from './system-first.ts';
import { systemInConversation } from './system-in-conversation.ts';
import { systemMisplaced } from './system-misplaced.ts';
import { systemNotAlone } from './system-not-alone.ts';
import { systemRoleRefused } from './system-role-refused.ts';
import { tooManyCacheMarkers } from './too-many-cache-markers.ts';
import { tooManyImages } from './too-many-images.ts';
import { tooManyMessages } from './too-many-messages.ts';
import { tooManyTools } from './too-many-tools.ts';
import { toolReferenceUndeclared } from './tool-reference-undeclared.ts';
import { toolsUndeclared } from './tools-undeclared.ts';
import { toolsUnsupported } from './tools-unsupported.ts';
import { toolsetNameMissing } from './toolset-name-missing.ts';
import { trailingRequest } from './trailing-request.ts';
import { trailingWhitespace } from './trailing-whitespace.ts';
import { triggerNotLast } from './trigger-not-last.ts';
import { userAfterTool } from './user-after-tool.ts';
import { valueUnserialisable } from './value-unserialisable.ts';

/**
 * Every rule, in the order in which rules may change a history. A rule holds in the dialects that its `evidence`
 * names, so that this list serves all of them.
 */
export const ORDER: readonly Rule[] = [
  // Everything must be readable before anything else can be judged.
  valueUnserialisable,
  messageUnreadable,
  roleForeign,
  contentUnreadable,
  partUnreadable,
  dataTwice,
  partInWrongRole,
  partMistagged,
  // One message at a time. What stands in the place of calls is content: `calls-empty` precedes the rules on content.
  loneSurrogate,
  extraKey,
  reasoningFieldMissing,
  reasoningFieldRefused,
  callsEmpty,
  emptyResponse,
  systemEmpty,
  emptyMessage,
  blankText,
  reasoningUnsigned,
  nullContent,
  itemIdMalformed,
  systemRoleRefused,
  partRefused,
  itemIncomplete,
  itemLost,
  contentNotText,
  itemIdAgain,
  toolsUnsupported,
  reasoningMalformed,
  callIdMalformed,
  callTypeMissing,
  callNameMalformed,
  callInputMalformed,
  resultContentRefused,
  toolsetNameMissing,
  serverCallIdMalformed,
  serverToolUndeclared,
  resultStatusRefused,
  toolReferenceUndeclared,
  callUnlisted,
  resultNameMissing,
  resultNameMalformed,
  contentHollow,
  resultNotObject,
  resultOutputMalformed,
  signatureCorrupted,
  outputMalformed,
  // Ids are made distinct before results are matched to them.
  duplicateCallId,
  contentAfterCall,
  // A retry prompt that has to go must not count as the first of two results.
  retryWithoutReturn,
  // A late result is recognised before it counts as a copy.
  lateResult,
  outputPreliminary,
  duplicateResult,
  resultMisnamed,
  resultWithoutCall,
  resultDisplaced,
  resultBeforeCall,
  callWithoutResult,
  // Who speaks after whom is known only when it is known which messages stay.
  systemAfterAnswer,
  approvalWithoutRequest,
  serverResultWithoutCall,
  serverCallWithoutResult,
  // Only after removals is it known what begins and ends a message.
  reasoningNotFirst,
  reasoningLast,
  systemFirst,
  userAfterTool,
  systemNotAlone,
  systemInConversation,
  systemMisplaced,
  firstMessageNotUser,
  sameRoleRun,
  // Neighbours are joined first: what is divided here must not meet again.
  resultsMixed,
  firstMessageCalls,
  // Which turn is the current one is known only when every message has its place.
  callOutOfTurn,
  callUnsigned,
  callAnsweredByAnother,
  consecutiveRequests,
  reasoningUnfollowed,
  triggerNotLast,
  trailingRequest,
  trailingWhitespace,
  endsWithAssistant,
  endsWithSystem,
  prefixNotLast,
  noMessages,
  // The request around the list.
  fieldUnserialisable,
  toolsUndeclared,
  reasoningMissing,
  reasoningAfterEdit,
  tooManyCacheMarkers,
  tooManyImages,
  tooManyMessages,
  requestTooLarge,
  instructionMalformed,
  tooManyTools,
  promptTooLong,
];

/** In two dialects one rule stands directly before another one, for the reason that its row gives. */
const EXCEPTIONS: { readonly [D in Dialect]?: readonly [moved: Rule, before: Rule] } = {
  // Keys that the API does not know may hold the half characters.
  gemini: [extraKey, loneSurrogate],
  // A step that is removed as a whole can leave words of the system without text.
  'ai-sdk-ui': [systemEmpty, systemFirst],
};

/** The rules of a dialect, in order. */
export function rulesIn(dialect: Dialect): readonly Rule[] {
  const rules = ORDER.filter((rule) => Object.hasOwn(rule.evidence, dialect));
  const exception = EXCEPTIONS[dialect];
  if (exception === undefined) return rules;
  const [moved, before] = exception;
  const others = rules.filter((rule) => rule !== moved);
  return others.toSpliced(others.indexOf(before), 0, moved);
}
