import { ANY_ID, PLAIN_ID } from '../../model/call-id.ts';
import type { Profile } from '../../model/profile.ts';
import type { Contract } from '../../model/rule.ts';
import { approvalWithoutRequest } from '../../rules/approval-without-request.ts';
import { blankText } from '../../rules/blank-text.ts';
import { callIdMalformed } from '../../rules/call-id-malformed.ts';
import { callInputMalformed } from '../../rules/call-input-malformed.ts';
import { callNameMalformed } from '../../rules/call-name-malformed.ts';
import { callWithoutResult } from '../../rules/call-without-result.ts';
import { contentUnreadable } from '../../rules/content-unreadable.ts';
import { duplicateCallId } from '../../rules/duplicate-call-id.ts';
import { duplicateResult } from '../../rules/duplicate-result.ts';
import { emptyMessage } from '../../rules/empty-message.ts';
import { endsWithAssistant } from '../../rules/ends-with-assistant.ts';
import { extraKey } from '../../rules/extra-key.ts';
import { lateResult } from '../../rules/late-result.ts';
import { loneSurrogate } from '../../rules/lone-surrogate.ts';
import { messageUnreadable } from '../../rules/message-unreadable.ts';
import { noMessages } from '../../rules/no-messages.ts';
import { partInWrongRole } from '../../rules/part-in-wrong-role.ts';
import { partRefused } from '../../rules/part-refused.ts';
import { partUnreadable } from '../../rules/part-unreadable.ts';
import { reasoningLast } from '../../rules/reasoning-last.ts';
import { resultDisplaced } from '../../rules/result-displaced.ts';
import { resultMisnamed } from '../../rules/result-misnamed.ts';
import { resultNameMissing } from '../../rules/result-name-missing.ts';
import { resultOutputMalformed } from '../../rules/result-output-malformed.ts';
import { resultWithoutCall } from '../../rules/result-without-call.ts';
import { roleForeign } from '../../rules/role-foreign.ts';
import { serverCallWithoutResult } from '../../rules/server-call-without-result.ts';
import { serverResultWithoutCall } from '../../rules/server-result-without-call.ts';
import { systemFirst } from '../../rules/system-first.ts';
import { systemInConversation } from '../../rules/system-in-conversation.ts';
import { trailingRequest } from '../../rules/trailing-request.ts';
import { valueUnserialisable } from '../../rules/value-unserialisable.ts';

/**
 * What the AI SDK enforces on model messages, and what the providers behind it enforce that it hands on as it is. The
 * order is the order in which rules may change a history.
 */
export const aiSdkModel: Contract = {
  dialect: 'ai-sdk-model',
  rules: [
    valueUnserialisable,
    messageUnreadable,
    roleForeign,
    contentUnreadable,
    partUnreadable,
    partInWrongRole,
    loneSurrogate,
    extraKey,
    emptyMessage,
    blankText,
    partRefused,
    callIdMalformed,
    callNameMalformed,
    callInputMalformed,
    resultNameMissing,
    resultOutputMalformed,
    duplicateCallId,
    lateResult,
    duplicateResult,
    resultMisnamed,
    resultWithoutCall,
    resultDisplaced,
    callWithoutResult,
    approvalWithoutRequest,
    serverResultWithoutCall,
    serverCallWithoutResult,
    reasoningLast,
    systemFirst,
    systemInConversation,
    trailingRequest,
    endsWithAssistant,
    noMessages,
  ],
  profile,
};

const STRICT: Profile = {
  step: 'message',
  carrier: 'tool',
  resultsFirst: false,
  callsLast: false,
  serverPairs: 'exchange',
  firstUser: false,
  alternation: false,
  prefill: 'refused',
  pausedTurn: true,
  systemLater: false,
  systemRole: true,
  nullContent: false,
  reasoningFirst: false,
  reasoningBound: false,
  toolsDeclared: false,
  unknownKeys: 'carry',
  idPattern: PLAIN_ID,
  idMax: 40,
  maxImages: Number.POSITIVE_INFINITY,
  maxCacheMarkers: Number.POSITIVE_INFINITY,
  maxMessages: Number.POSITIVE_INFINITY,
  maxTools: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
  windowTokens: Number.POSITIVE_INFINITY,
};

/** The SDK hands ids, blank texts and a last answer on as they are, so these depend on the model behind it. */
const MODELS: readonly (readonly [name: RegExp, profile: Profile])[] = [
  [/(^|[^a-z0-9])(gpt-|chatgpt|o\d)/i, { ...STRICT, idPattern: ANY_ID, blankText: true, prefill: 'allowed' }],
  [/claude/i, { ...STRICT, idMax: Number.POSITIVE_INFINITY }],
];

function profile(model: string | undefined): Profile {
  if (model === undefined) return STRICT;
  return MODELS.find(([name]) => name.test(model))?.[1] ?? STRICT;
}
