import { ANY_ID, NINE_ID } from '../../model/call-id.ts';
import type { Profile } from '../../model/profile.ts';
import type { Contract } from '../../model/rule.ts';
import { callIdMalformed } from '../../rules/call-id-malformed.ts';
import { callInputMalformed } from '../../rules/call-input-malformed.ts';
import { callNameMalformed } from '../../rules/call-name-malformed.ts';
import { callWithoutResult } from '../../rules/call-without-result.ts';
import { callsEmpty } from '../../rules/calls-empty.ts';
import { contentUnreadable } from '../../rules/content-unreadable.ts';
import { duplicateCallId } from '../../rules/duplicate-call-id.ts';
import { duplicateResult } from '../../rules/duplicate-result.ts';
import { emptyMessage } from '../../rules/empty-message.ts';
import { endsWithAssistant } from '../../rules/ends-with-assistant.ts';
import { endsWithSystem } from '../../rules/ends-with-system.ts';
import { fieldUnserialisable } from '../../rules/field-unserialisable.ts';
import { firstMessageCalls } from '../../rules/first-message-calls.ts';
import { lateResult } from '../../rules/late-result.ts';
import { loneSurrogate } from '../../rules/lone-surrogate.ts';
import { messageUnreadable } from '../../rules/message-unreadable.ts';
import { noMessages } from '../../rules/no-messages.ts';
import { nullContent } from '../../rules/null-content.ts';
import { partRefused } from '../../rules/part-refused.ts';
import { partUnreadable } from '../../rules/part-unreadable.ts';
import { prefixNotLast } from '../../rules/prefix-not-last.ts';
import { resultDisplaced } from '../../rules/result-displaced.ts';
import { resultMisnamed } from '../../rules/result-misnamed.ts';
import { resultNameMalformed } from '../../rules/result-name-malformed.ts';
import { resultWithoutCall } from '../../rules/result-without-call.ts';
import { roleForeign } from '../../rules/role-foreign.ts';
import { systemAfterAnswer } from '../../rules/system-after-answer.ts';
import { trailingRequest } from '../../rules/trailing-request.ts';
import { userAfterTool } from '../../rules/user-after-tool.ts';
import { valueUnserialisable } from '../../rules/value-unserialisable.ts';

/** What the Mistral chat API enforces. The order is the order in which rules may change a history. */
export const mistralChat: Contract = {
  dialect: 'mistral-chat',
  rules: [
    // Everything must be readable before anything else can be judged.
    valueUnserialisable,
    messageUnreadable,
    roleForeign,
    contentUnreadable,
    partUnreadable,
    // One message at a time. What stands in the place of calls is content, so it comes before content is judged.
    loneSurrogate,
    callsEmpty,
    emptyMessage,
    nullContent,
    partRefused,
    callIdMalformed,
    callNameMalformed,
    callInputMalformed,
    resultNameMalformed,
    // Ids are made distinct before results are matched to them; a late result is recognised before it counts as a copy.
    duplicateCallId,
    lateResult,
    duplicateResult,
    resultMisnamed,
    resultWithoutCall,
    resultDisplaced,
    callWithoutResult,
    // Who may speak after whom is known only when it is known which messages stay.
    systemAfterAnswer,
    userAfterTool,
    firstMessageCalls,
    trailingRequest,
    endsWithAssistant,
    endsWithSystem,
    prefixNotLast,
    noMessages,
    fieldUnserialisable,
  ],
  profile,
};

const STRICT: Profile = {
  step: 'message',
  carrier: 'tool',
  resultsFirst: false,
  callsLast: true,
  firstUser: false,
  alternation: false,
  prefill: 'marked',
  pausedTurn: false,
  systemLater: true,
  systemRole: true,
  nullContent: false,
  reasoningFirst: false,
  reasoningBound: false,
  reasoningParts: false,
  userAfterTool: false,
  systemEnd: false,
  toolsDeclared: false,
  unknownKeys: 'carry',
  idPattern: NINE_ID,
  idMax: 9,
  maxImages: Number.POSITIVE_INFINITY,
  maxCacheMarkers: Number.POSITIVE_INFINITY,
  maxMessages: Number.POSITIVE_INFINITY,
  maxTools: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
  windowTokens: Number.POSITIVE_INFINITY,
};

/** Reasoning is given back to the models that reason. */
const REASONING: Profile = { ...STRICT, reasoningParts: true };

/** From this generation on any id is taken, a user may speak after a tool, and the system may speak last. */
const RELAXED_SINCE = 2603;
const RELAXED: Profile = {
  ...REASONING,
  userAfterTool: true,
  systemEnd: true,
  idPattern: ANY_ID,
  idMax: Number.POSITIVE_INFINITY,
};

function profile(model: string | undefined): Profile {
  const stamp = /-(\d{4})$/.exec(model ?? '');
  if (stamp !== null && Number(stamp[1]) >= RELAXED_SINCE) return RELAXED;
  return /(^|\/)magistral/i.test(model ?? '') ? REASONING : STRICT;
}
