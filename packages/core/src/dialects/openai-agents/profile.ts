import { ANY_ID } from '../../model/call-id.ts';
import type { Profile } from '../../model/profile.ts';
import type { Contract } from '../../model/rule.ts';
import { callAnsweredByAnother } from '../../rules/call-answered-by-another.ts';
import { callIdMalformed } from '../../rules/call-id-malformed.ts';
import { callInputMalformed } from '../../rules/call-input-malformed.ts';
import { callNameMalformed } from '../../rules/call-name-malformed.ts';
import { callWithoutResult } from '../../rules/call-without-result.ts';
import { contentUnreadable } from '../../rules/content-unreadable.ts';
import { duplicateCallId } from '../../rules/duplicate-call-id.ts';
import { duplicateResult } from '../../rules/duplicate-result.ts';
import { emptyMessage } from '../../rules/empty-message.ts';
import { extraKey } from '../../rules/extra-key.ts';
import { itemIdAgain } from '../../rules/item-id-again.ts';
import { itemIdMalformed } from '../../rules/item-id-malformed.ts';
import { itemIncomplete } from '../../rules/item-incomplete.ts';
import { lateResult } from '../../rules/late-result.ts';
import { loneSurrogate } from '../../rules/lone-surrogate.ts';
import { messageUnreadable } from '../../rules/message-unreadable.ts';
import { noMessages } from '../../rules/no-messages.ts';
import { outputMalformed } from '../../rules/output-malformed.ts';
import { partMistagged } from '../../rules/part-mistagged.ts';
import { partUnreadable } from '../../rules/part-unreadable.ts';
import { reasoningUnfollowed } from '../../rules/reasoning-unfollowed.ts';
import { resultBeforeCall } from '../../rules/result-before-call.ts';
import { resultMisnamed } from '../../rules/result-misnamed.ts';
import { resultWithoutCall } from '../../rules/result-without-call.ts';
import { roleForeign } from '../../rules/role-foreign.ts';
import { trailingRequest } from '../../rules/trailing-request.ts';
import { valueUnserialisable } from '../../rules/value-unserialisable.ts';

/**
 * What the OpenAI Agents SDK can convert, and what the Responses API behind it enforces on that. The order is the order
 * in which rules may change a history.
 */
export const openaiAgents: Contract = {
  dialect: 'openai-agents',
  rules: [
    valueUnserialisable,
    messageUnreadable,
    roleForeign,
    contentUnreadable,
    partUnreadable,
    partMistagged,
    loneSurrogate,
    extraKey,
    emptyMessage,
    itemIdMalformed,
    itemIncomplete,
    itemIdAgain,
    callIdMalformed,
    callNameMalformed,
    callInputMalformed,
    outputMalformed,
    duplicateCallId,
    lateResult,
    duplicateResult,
    resultMisnamed,
    resultWithoutCall,
    resultBeforeCall,
    callWithoutResult,
    callAnsweredByAnother,
    reasoningUnfollowed,
    trailingRequest,
    noMessages,
  ],
  profile: () => STRICT,
};

/** The API is the same for all of its models. */
const STRICT: Profile = {
  step: 'turn',
  pairs: 'anywhere',
  carrier: 'tool',
  resultsFirst: false,
  callsLast: false,
  firstUser: false,
  alternation: false,
  prefill: 'allowed',
  pausedTurn: false,
  systemLater: true,
  systemRole: true,
  nullContent: false,
  reasoningFirst: false,
  reasoningBound: false,
  toolsDeclared: false,
  unknownKeys: 'carry',
  idPattern: ANY_ID,
  idMax: 64,
  maxImages: Number.POSITIVE_INFINITY,
  maxCacheMarkers: Number.POSITIVE_INFINITY,
  maxMessages: Number.POSITIVE_INFINITY,
  maxTools: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
  windowTokens: Number.POSITIVE_INFINITY,
};
