import { ANY_ID } from '../../model/call-id.ts';
import type { Profile } from '../../model/profile.ts';
import type { Contract } from '../../model/rule.ts';
import { chatModels } from './models.ts';
import { callIdMalformed } from '../../rules/call-id-malformed.ts';
import { callInputMalformed } from '../../rules/call-input-malformed.ts';
import { callNameMalformed } from '../../rules/call-name-malformed.ts';
import { callTypeMissing } from '../../rules/call-type-missing.ts';
import { callWithoutResult } from '../../rules/call-without-result.ts';
import { callsEmpty } from '../../rules/calls-empty.ts';
import { contentNotText } from '../../rules/content-not-text.ts';
import { contentUnreadable } from '../../rules/content-unreadable.ts';
import { duplicateCallId } from '../../rules/duplicate-call-id.ts';
import { duplicateResult } from '../../rules/duplicate-result.ts';
import { emptyMessage } from '../../rules/empty-message.ts';
import { endsWithAssistant } from '../../rules/ends-with-assistant.ts';
import { extraKey } from '../../rules/extra-key.ts';
import { fieldUnserialisable } from '../../rules/field-unserialisable.ts';
import { firstMessageNotUser } from '../../rules/first-message-not-user.ts';
import { lateResult } from '../../rules/late-result.ts';
import { loneSurrogate } from '../../rules/lone-surrogate.ts';
import { messageUnreadable } from '../../rules/message-unreadable.ts';
import { noMessages } from '../../rules/no-messages.ts';
import { nullContent } from '../../rules/null-content.ts';
import { partRefused } from '../../rules/part-refused.ts';
import { partUnreadable } from '../../rules/part-unreadable.ts';
import { reasoningFieldMissing } from '../../rules/reasoning-field-missing.ts';
import { reasoningFieldRefused } from '../../rules/reasoning-field-refused.ts';
import { resultDisplaced } from '../../rules/result-displaced.ts';
import { resultMisnamed } from '../../rules/result-misnamed.ts';
import { resultWithoutCall } from '../../rules/result-without-call.ts';
import { roleForeign } from '../../rules/role-foreign.ts';
import { sameRoleRun } from '../../rules/same-role-run.ts';
import { systemInConversation } from '../../rules/system-in-conversation.ts';
import { systemNotAlone } from '../../rules/system-not-alone.ts';
import { systemRoleRefused } from '../../rules/system-role-refused.ts';
import { tooManyTools } from '../../rules/too-many-tools.ts';
import { toolsUnsupported } from '../../rules/tools-unsupported.ts';
import { trailingRequest } from '../../rules/trailing-request.ts';
import { valueUnserialisable } from '../../rules/value-unserialisable.ts';

/** What the OpenAI Chat Completions API enforces. The order is the order in which rules may change a history. */
export const openaiChat: Contract = {
  dialect: 'openai-chat',
  rules: [
    // Everything must be readable before anything else can be judged.
    valueUnserialisable,
    messageUnreadable,
    roleForeign,
    contentUnreadable,
    partUnreadable,
    // One message at a time. What stands in the place of calls is content, so it comes before content is judged.
    loneSurrogate,
    extraKey,
    reasoningFieldMissing,
    reasoningFieldRefused,
    callsEmpty,
    emptyMessage,
    nullContent,
    systemRoleRefused,
    partRefused,
    contentNotText,
    toolsUnsupported,
    callIdMalformed,
    callTypeMissing,
    callNameMalformed,
    callInputMalformed,
    // Ids are made distinct before results are matched to them; a late result is recognised before it counts as a copy.
    duplicateCallId,
    lateResult,
    duplicateResult,
    resultMisnamed,
    resultWithoutCall,
    resultDisplaced,
    callWithoutResult,
    systemNotAlone,
    systemInConversation,
    firstMessageNotUser,
    sameRoleRun,
    trailingRequest,
    endsWithAssistant,
    noMessages,
    fieldUnserialisable,
    tooManyTools,
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
  idMax: 40,
  maxImages: Number.POSITIVE_INFINITY,
  maxCacheMarkers: Number.POSITIVE_INFINITY,
  maxMessages: Number.POSITIVE_INFINITY,
  maxTools: 128,
  maxBytes: Number.POSITIVE_INFINITY,
  windowTokens: Number.POSITIVE_INFINITY,
};

const MODELS = chatModels(STRICT);

function profile(model: string | undefined): Profile {
  if (model === undefined) return STRICT;
  return MODELS.find(([name]) => name.test(model))?.[1] ?? STRICT;
}
