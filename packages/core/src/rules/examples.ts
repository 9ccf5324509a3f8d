// Written by `npm run pages`: one row for each file of examples in this folder.
import type { Example } from '../model/rule.ts';
import { examples as approvalWithoutRequest } from './approval-without-request.examples.ts';
import { examples as blankText } from './blank-text.examples.ts';
import { examples as callAnsweredByAnother } from './call-answered-by-another.examples.ts';
import { examples as callIdMalformed } from './call-id-malformed.examples.ts';
import { examples as callInputMalformed } from './call-input-malformed.examples.ts';
import { examples as callNameMalformed } from './call-name-malformed.examples.ts';
import { examples as callOutOfTurn } from './call-out-of-turn.examples.ts';
import { examples as callTypeMissing } from './call-type-missing.examples.ts';
import { examples as callUnlisted } from './call-unlisted.examples.ts';
import { examples as callUnsigned } from './call-unsigned.examples.ts';
import { examples as callWithoutResult } from './call-without-result.examples.ts';
import { examples as callsEmpty } from './calls-empty.examples.ts';
import { examples as consecutiveRequests } from './consecutive-requests.examples.ts';
import { examples as contentAfterCall } from './content-after-call.examples.ts';
import { examples as contentHollow } from './content-hollow.examples.ts';
import { examples as contentNotText } from './content-not-text.examples.ts';
import { examples as contentUnreadable } from './content-unreadable.examples.ts';
import { examples as dataTwice } from './data-twice.examples.ts';
import { examples as dialectUnknown } from './dialect-unknown.examples.ts';
import { examples as duplicateCallId } from './duplicate-call-id.examples.ts';
import { examples as duplicateResult } from './duplicate-result.examples.ts';
import { examples as emptyMessage } from './empty-message.examples.ts';
import { examples as emptyResponse } from './empty-response.examples.ts';
import { examples as endsWithAssistant } from './ends-with-assistant.examples.ts';
import { examples as endsWithSystem } from './ends-with-system.examples.ts';
import { examples as extraKey } from './extra-key.examples.ts';
import { examples as fieldUnserialisable } from './field-unserialisable.examples.ts';
import { examples as firstMessageCalls } from './first-message-calls.examples.ts';
import { examples as firstMessageNotUser } from './first-message-not-user.examples.ts';
import { examples as instructionMalformed } from './instruction-malformed.examples.ts';
import { examples as itemIdAgain } from './item-id-again.examples.ts';
import { examples as itemIdMalformed } from './item-id-malformed.examples.ts';
import { examples as itemIncomplete } from './item-incomplete.examples.ts';
import { examples as itemLost } from './item-lost.examples.ts';
import { examples as lateResult } from './late-result.examples.ts';
import { examples as loneSurrogate } from './lone-surrogate.examples.ts';
import { examples as messageUnreadable } from './message-unreadable.examples.ts';
import { examples as noMessages } from './no-messages.examples.ts';
import { examples as nullContent } from './null-content.examples.ts';
import { examples as outputMalformed } from './output-malformed.examples.ts';
import { examples as outputPreliminary } from './output-preliminary.examples.ts';
import { examples as partInWrongRole } from './part-in-wrong-role.examples.ts';
import { examples as partMistagged } from './part-mistagged.examples.ts';
import { examples as partRefused } from './part-refused.examples.ts';
import { examples as partUnreadable } from './part-unreadable.examples.ts';
import { examples as prefixNotLast } from './prefix-not-last.examples.ts';
import { examples as promptTooLong } from './prompt-too-long.examples.ts';
import { examples as reasoningAfterEdit } from './reasoning-after-edit.examples.ts';
import { examples as reasoningFieldMissing } from './reasoning-field-missing.examples.ts';
import { examples as reasoningFieldRefused } from './reasoning-field-refused.examples.ts';
import { examples as reasoningLast } from './reasoning-last.examples.ts';
import { examples as reasoningMalformed } from './reasoning-malformed.examples.ts';
import { examples as reasoningMissing } from './reasoning-missing.examples.ts';
import { examples as reasoningNotFirst } from './reasoning-not-first.examples.ts';
import { examples as reasoningUnfollowed } from './reasoning-unfollowed.examples.ts';
import { examples as reasoningUnsigned } from './reasoning-unsigned.examples.ts';
import { examples as requestTooLarge } from './request-too-large.examples.ts';
import { examples as resultBeforeCall } from './result-before-call.examples.ts';
import { examples as resultContentRefused } from './result-content-refused.examples.ts';
import { examples as resultDisplaced } from './result-displaced.examples.ts';
import { examples as resultMisnamed } from './result-misnamed.examples.ts';
import { examples as resultNameMalformed } from './result-name-malformed.examples.ts';
import { examples as resultNameMissing } from './result-name-missing.examples.ts';
import { examples as resultNotObject } from './result-not-object.examples.ts';
import { examples as resultOutputMalformed } from './result-output-malformed.examples.ts';
import { examples as resultStatusRefused } from './result-status-refused.examples.ts';
import { examples as resultWithoutCall } from './result-without-call.examples.ts';
import { examples as resultsMixed } from './results-mixed.examples.ts';
import { examples as retryWithoutReturn } from './retry-without-return.examples.ts';
import { examples as roleForeign } from './role-foreign.examples.ts';
import { examples as sameRoleRun } from './same-role-run.examples.ts';
import { examples as serverCallIdMalformed } from './server-call-id-malformed.examples.ts';
import { examples as serverCallWithoutResult } from './server-call-without-result.examples.ts';
import { examples as serverResultWithoutCall } from './server-result-without-call.examples.ts';
import { examples as serverToolUndeclared } from './server-tool-undeclared.examples.ts';
import { examples as signatureCorrupted } from './signature-corrupted.examples.ts';
import { examples as systemAfterAnswer } from './system-after-answer.examples.ts';
import { examples as systemEmpty } from './system-empty.examples.ts';
import { examples as systemFirst } from './system-first.examples.ts';
import { examples as systemInConversation } from './system-in-conversation.examples.ts';
import { examples as systemMisplaced } from './system-misplaced.examples.ts';
import { examples as systemNotAlone } from './system-not-alone.examples.ts';
import { examples as systemRoleRefused } from './system-role-refused.examples.ts';
import { examples as tooManyCacheMarkers } from './too-many-cache-markers.examples.ts';
import { examples as tooManyImages } from './too-many-images.examples.ts';
import { examples as tooManyMessages } from './too-many-messages.examples.ts';
import { examples as tooManyTools } from './too-many-tools.examples.ts';
import { examples as toolReferenceUndeclared } from './tool-reference-undeclared.examples.ts';
import { examples as toolsUndeclared } from './tools-undeclared.examples.ts';
import { examples as toolsUnsupported } from './tools-unsupported.examples.ts';
import { examples as toolsetNameMissing } from './toolset-name-missing.examples.ts';
import { examples as trailingRequest } from './trailing-request.examples.ts';
import { examples as trailingWhitespace } from './trailing-whitespace.examples.ts';
import { examples as triggerNotLast } from './trigger-not-last.examples.ts';
import { examples as userAfterTool } from './user-after-tool.examples.ts';
import { examples as valueUnserialisable } from './value-unserialisable.examples.ts';

/** The examples of each rule, by its id. */
export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  'approval-without-request': approvalWithoutRequest,
  'blank-text': blankText,
  'call-answered-by-another': callAnsweredByAnother,
  'call-id-malformed': callIdMalformed,
  'call-input-malformed': callInputMalformed,
  'call-name-malformed': callNameMalformed,
  'call-out-of-turn': callOutOfTurn,
  'call-type-missing': callTypeMissing,
  'call-unlisted': callUnlisted,
  'call-unsigned': callUnsigned,
  'call-without-result': callWithoutResult,
  'calls-empty': callsEmpty,
  'consecutive-requests': consecutiveRequests,
  'content-after-call': contentAfterCall,
  'content-hollow': contentHollow,
  'content-not-text': contentNotText,
  'content-unreadable': contentUnreadable,
  'data-twice': dataTwice,
  'dialect-unknown': dialectUnknown,
  'duplicate-call-id': duplicateCallId,
  'duplicate-result': duplicateResult,
  'empty-message': emptyMessage,
  'empty-response': emptyResponse,
  'ends-with-assistant': endsWithAssistant,
  'ends-with-system': endsWithSystem,
  'extra-key': extraKey,
  'field-unserialisable': fieldUnserialisable,
  'first-message-calls': firstMessageCalls,
  'first-message-not-user': firstMessageNotUser,
  'instruction-malformed': instructionMalformed,
  'item-id-again': itemIdAgain,
  'item-id-malformed': itemIdMalformed,
  'item-incomplete': itemIncomplete,
  'item-lost': itemLost,
  'late-result': lateResult,
  'lone-surrogate': loneSurrogate,
  'message-unreadable': messageUnreadable,
  'no-messages': noMessages,
  'null-content': nullContent,
  'output-malformed': outputMalformed,
  'output-preliminary': outputPreliminary,
  'part-in-wrong-role': partInWrongRole,
  'part-mistagged': partMistagged,
  'part-refused': partRefused,
  'part-unreadable': partUnreadable,
  'prefix-not-last': prefixNotLast,
  'prompt-too-long': promptTooLong,
  'reasoning-after-edit': reasoningAfterEdit,
  'reasoning-field-missing': reasoningFieldMissing,
  'reasoning-field-refused': reasoningFieldRefused,
  'reasoning-last': reasoningLast,
  'reasoning-malformed': reasoningMalformed,
  'reasoning-missing': reasoningMissing,
  'reasoning-not-first': reasoningNotFirst,
  'reasoning-unfollowed': reasoningUnfollowed,
  'reasoning-unsigned': reasoningUnsigned,
  'request-too-large': requestTooLarge,
  'result-before-call': resultBeforeCall,
  'result-content-refused': resultContentRefused,
  'result-displaced': resultDisplaced,
  'result-misnamed': resultMisnamed,
  'result-name-malformed': resultNameMalformed,
  'result-name-missing': resultNameMissing,
  'result-not-object': resultNotObject,
  'result-output-malformed': resultOutputMalformed,
  'result-status-refused': resultStatusRefused,
  'result-without-call': resultWithoutCall,
  'results-mixed': resultsMixed,
  'retry-without-return': retryWithoutReturn,
  'role-foreign': roleForeign,
  'same-role-run': sameRoleRun,
  'server-call-id-malformed': serverCallIdMalformed,
  'server-call-without-result': serverCallWithoutResult,
  'server-result-without-call': serverResultWithoutCall,
  'server-tool-undeclared': serverToolUndeclared,
  'signature-corrupted': signatureCorrupted,
  'system-after-answer': systemAfterAnswer,
  'system-empty': systemEmpty,
  'system-first': systemFirst,
  'system-in-conversation': systemInConversation,
  'system-misplaced': systemMisplaced,
  'system-not-alone': systemNotAlone,
  'system-role-refused': systemRoleRefused,
  'too-many-cache-markers': tooManyCacheMarkers,
  'too-many-images': tooManyImages,
  'too-many-messages': tooManyMessages,
  'too-many-tools': tooManyTools,
  'tool-reference-undeclared': toolReferenceUndeclared,
  'tools-undeclared': toolsUndeclared,
  'tools-unsupported': toolsUnsupported,
  'toolset-name-missing': toolsetNameMissing,
  'trailing-request': trailingRequest,
  'trailing-whitespace': trailingWhitespace,
  'trigger-not-last': triggerNotLast,
  'user-after-tool': userAfterTool,
  'value-unserialisable': valueUnserialisable,
};
