import { ANY_ID } from '../../model/call-id.ts';
import type { Profile } from '../../model/profile.ts';
import type { Contract } from '../../model/rule.ts';
import { callIdMalformed } from '../../rules/call-id-malformed.ts';
import { callNameMalformed } from '../../rules/call-name-malformed.ts';
import { callWithoutResult } from '../../rules/call-without-result.ts';
import { consecutiveRequests } from '../../rules/consecutive-requests.ts';
import { contentUnreadable } from '../../rules/content-unreadable.ts';
import { duplicateCallId } from '../../rules/duplicate-call-id.ts';
import { duplicateResult } from '../../rules/duplicate-result.ts';
import { emptyResponse } from '../../rules/empty-response.ts';
import { endsWithAssistant } from '../../rules/ends-with-assistant.ts';
import { lateResult } from '../../rules/late-result.ts';
import { loneSurrogate } from '../../rules/lone-surrogate.ts';
import { messageUnreadable } from '../../rules/message-unreadable.ts';
import { noMessages } from '../../rules/no-messages.ts';
import { partInWrongRole } from '../../rules/part-in-wrong-role.ts';
import { partUnreadable } from '../../rules/part-unreadable.ts';
import { resultDisplaced } from '../../rules/result-displaced.ts';
import { resultMisnamed } from '../../rules/result-misnamed.ts';
import { resultNameMissing } from '../../rules/result-name-missing.ts';
import { resultWithoutCall } from '../../rules/result-without-call.ts';
import { retryWithoutReturn } from '../../rules/retry-without-return.ts';
import { roleForeign } from '../../rules/role-foreign.ts';
import { serverCallWithoutResult } from '../../rules/server-call-without-result.ts';
import { serverResultWithoutCall } from '../../rules/server-result-without-call.ts';
import { trailingRequest } from '../../rules/trailing-request.ts';
import { valueUnserialisable } from '../../rules/value-unserialisable.ts';

/** What pydantic-ai enforces on a message history. The order is the order in which rules may change a history. */
export const pydanticAi: Contract = {
  dialect: 'pydantic-ai',
  rules: [
    valueUnserialisable,
    messageUnreadable,
    roleForeign,
    contentUnreadable,
    partUnreadable,
    partInWrongRole,
    loneSurrogate,
    emptyResponse,
    callIdMalformed,
    callNameMalformed,
    resultNameMissing,
    duplicateCallId,
    // A retry prompt that has to go must not count as the first of two results.
    retryWithoutReturn,
    lateResult,
    duplicateResult,
    resultMisnamed,
    resultWithoutCall,
    resultDisplaced,
    callWithoutResult,
    serverResultWithoutCall,
    serverCallWithoutResult,
    consecutiveRequests,
    trailingRequest,
    endsWithAssistant,
    noMessages,
  ],
  profile: () => PROFILE,
};

/** The framework sits between the history and every model, so nothing here depends on the model. */
const PROFILE: Profile = {
  step: 'turn',
  carrier: 'user',
  resultsFirst: false,
  callsLast: false,
  serverPairs: 'message',
  firstUser: false,
  alternation: false,
  prefill: 'refused',
  pausedTurn: false,
  systemLater: true,
  systemRole: true,
  nullContent: true,
  reasoningFirst: false,
  reasoningBound: false,
  toolsDeclared: false,
  unknownKeys: 'carry',
  idPattern: ANY_ID,
  idMax: Number.POSITIVE_INFINITY,
  maxImages: Number.POSITIVE_INFINITY,
  maxCacheMarkers: Number.POSITIVE_INFINITY,
  maxMessages: Number.POSITIVE_INFINITY,
  maxTools: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
  windowTokens: Number.POSITIVE_INFINITY,
};
