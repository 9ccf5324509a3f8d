import { ANY_ID, PLAIN_ID } from '../../model/call-id.ts';
import type { Profile } from '../../model/profile.ts';
import type { Contract } from '../../model/rule.ts';
import { blankText } from '../../rules/blank-text.ts';
import { callIdMalformed } from '../../rules/call-id-malformed.ts';
import { callInputMalformed } from '../../rules/call-input-malformed.ts';
import { callNameMalformed } from '../../rules/call-name-malformed.ts';
import { callUnlisted } from '../../rules/call-unlisted.ts';
import { callWithoutResult } from '../../rules/call-without-result.ts';
import { contentHollow } from '../../rules/content-hollow.ts';
import { contentUnreadable } from '../../rules/content-unreadable.ts';
import { duplicateCallId } from '../../rules/duplicate-call-id.ts';
import { duplicateResult } from '../../rules/duplicate-result.ts';
import { emptyMessage } from '../../rules/empty-message.ts';
import { endsWithAssistant } from '../../rules/ends-with-assistant.ts';
import { endsWithSystem } from '../../rules/ends-with-system.ts';
import { lateResult } from '../../rules/late-result.ts';
import { loneSurrogate } from '../../rules/lone-surrogate.ts';
import { messageUnreadable } from '../../rules/message-unreadable.ts';
import { noMessages } from '../../rules/no-messages.ts';
import { partUnreadable } from '../../rules/part-unreadable.ts';
import { reasoningLast } from '../../rules/reasoning-last.ts';
import { resultDisplaced } from '../../rules/result-displaced.ts';
import { resultMisnamed } from '../../rules/result-misnamed.ts';
import { resultWithoutCall } from '../../rules/result-without-call.ts';
import { roleForeign } from '../../rules/role-foreign.ts';
import { systemInConversation } from '../../rules/system-in-conversation.ts';
import { systemNotAlone } from '../../rules/system-not-alone.ts';
import { trailingRequest } from '../../rules/trailing-request.ts';
import { valueUnserialisable } from '../../rules/value-unserialisable.ts';

/**
 * What LangChain enforces on messages, and what the providers behind it enforce that it hands on as it is. The order is
 * the order in which rules may change a history.
 */
export const langchain: Contract = {
  dialect: 'langchain',
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
    callUnlisted,
    contentHollow,
    duplicateCallId,
    lateResult,
    duplicateResult,
    resultMisnamed,
    resultWithoutCall,
    resultDisplaced,
    callWithoutResult,
    reasoningLast,
    systemNotAlone,
    systemInConversation,
    trailingRequest,
    endsWithAssistant,
    endsWithSystem,
    noMessages,
  ],
  profile,
};

const STRICT: Profile = {
  step: 'message',
  carrier: 'tool',
  resultsFirst: false,
  callsLast: false,
  firstUser: false,
  alternation: false,
  prefill: 'refused',
  pausedTurn: false,
  systemLater: false,
  systemRole: true,
  oneSystem: true,
  systemEnd: false,
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

/** Read by a converter that knows the list of calls alone, and takes the system wherever it speaks. */
const LENIENT: Profile = {
  ...STRICT,
  idPattern: ANY_ID,
  blankText: true,
  prefill: 'allowed',
  systemLater: true,
  oneSystem: false,
  systemEnd: true,
};

/** The framework hands ids, blank texts and a last answer on as they are, so these depend on the model behind it. */
const MODELS: readonly (readonly [name: RegExp, profile: Profile])[] = [
  [/(^|[^a-z0-9])(gpt-|chatgpt|o\d)/i, LENIENT],
  [/claude/i, { ...STRICT, idMax: Number.POSITIVE_INFINITY, callsInContent: true }],
];

function profile(model: string | undefined): Profile {
  if (model === undefined) return STRICT;
  return MODELS.find(([name]) => name.test(model))?.[1] ?? STRICT;
}
