import { ANY_ID, PLAIN_ID } from '../../model/call-id.ts';
import type { Profile } from '../../model/profile.ts';
import type { Contract } from '../../model/rule.ts';
import { blankText } from '../../rules/blank-text.ts';
import { callIdMalformed } from '../../rules/call-id-malformed.ts';
import { callInputMalformed } from '../../rules/call-input-malformed.ts';
import { callNameMalformed } from '../../rules/call-name-malformed.ts';
import { callWithoutResult } from '../../rules/call-without-result.ts';
import { contentUnreadable } from '../../rules/content-unreadable.ts';
import { duplicateCallId } from '../../rules/duplicate-call-id.ts';
import { emptyMessage } from '../../rules/empty-message.ts';
import { endsWithAssistant } from '../../rules/ends-with-assistant.ts';
import { loneSurrogate } from '../../rules/lone-surrogate.ts';
import { messageUnreadable } from '../../rules/message-unreadable.ts';
import { noMessages } from '../../rules/no-messages.ts';
import { outputPreliminary } from '../../rules/output-preliminary.ts';
import { partUnreadable } from '../../rules/part-unreadable.ts';
import { reasoningLast } from '../../rules/reasoning-last.ts';
import { roleForeign } from '../../rules/role-foreign.ts';
import { serverCallWithoutResult } from '../../rules/server-call-without-result.ts';
import { systemEmpty } from '../../rules/system-empty.ts';
import { systemFirst } from '../../rules/system-first.ts';
import { systemInConversation } from '../../rules/system-in-conversation.ts';
import { trailingRequest } from '../../rules/trailing-request.ts';
import { valueUnserialisable } from '../../rules/value-unserialisable.ts';

/**
 * What the AI SDK, and the providers behind it, make of messages of the user interface on their way to a model. The
 * order is the order in which rules may change a history.
 */
export const aiSdkUi: Contract = {
  dialect: 'ai-sdk-ui',
  rules: [
    valueUnserialisable,
    messageUnreadable,
    roleForeign,
    contentUnreadable,
    partUnreadable,
    loneSurrogate,
    emptyMessage,
    blankText,
    callIdMalformed,
    callNameMalformed,
    callInputMalformed,
    duplicateCallId,
    outputPreliminary,
    callWithoutResult,
    serverCallWithoutResult,
    reasoningLast,
    systemEmpty,
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
  carrier: 'call',
  // Nothing that the user says leaves a call waiting.
  resultsFirst: true,
  callsLast: false,
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
