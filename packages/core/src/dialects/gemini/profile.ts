import { ANY_ID } from '../../model/call-id.ts';
import type { Profile } from '../../model/profile.ts';
import type { Contract } from '../../model/rule.ts';
import { callInputMalformed } from '../../rules/call-input-malformed.ts';
import { callNameMalformed } from '../../rules/call-name-malformed.ts';
import { callOutOfTurn } from '../../rules/call-out-of-turn.ts';
import { callUnsigned } from '../../rules/call-unsigned.ts';
import { callWithoutResult } from '../../rules/call-without-result.ts';
import { contentUnreadable } from '../../rules/content-unreadable.ts';
import { dataTwice } from '../../rules/data-twice.ts';
import { duplicateResult } from '../../rules/duplicate-result.ts';
import { emptyMessage } from '../../rules/empty-message.ts';
import { endsWithAssistant } from '../../rules/ends-with-assistant.ts';
import { extraKey } from '../../rules/extra-key.ts';
import { fieldUnserialisable } from '../../rules/field-unserialisable.ts';
import { instructionMalformed } from '../../rules/instruction-malformed.ts';
import { lateResult } from '../../rules/late-result.ts';
import { loneSurrogate } from '../../rules/lone-surrogate.ts';
import { messageUnreadable } from '../../rules/message-unreadable.ts';
import { noMessages } from '../../rules/no-messages.ts';
import { partInWrongRole } from '../../rules/part-in-wrong-role.ts';
import { partUnreadable } from '../../rules/part-unreadable.ts';
import { resultDisplaced } from '../../rules/result-displaced.ts';
import { resultMisnamed } from '../../rules/result-misnamed.ts';
import { resultNameMissing } from '../../rules/result-name-missing.ts';
import { resultNotObject } from '../../rules/result-not-object.ts';
import { resultWithoutCall } from '../../rules/result-without-call.ts';
import { roleForeign } from '../../rules/role-foreign.ts';
import { signatureCorrupted } from '../../rules/signature-corrupted.ts';
import { systemEmpty } from '../../rules/system-empty.ts';
import { systemFirst } from '../../rules/system-first.ts';
import { systemInConversation } from '../../rules/system-in-conversation.ts';
import { trailingRequest } from '../../rules/trailing-request.ts';
import { valueUnserialisable } from '../../rules/value-unserialisable.ts';

/** What the Gemini API enforces. The order is the order in which rules may change a history. */
export const gemini: Contract = {
  dialect: 'gemini',
  rules: [
    // Everything must be readable before anything else can be judged.
    valueUnserialisable,
    messageUnreadable,
    roleForeign,
    contentUnreadable,
    partUnreadable,
    dataTwice,
    partInWrongRole,
    extraKey,
    // One message at a time.
    loneSurrogate,
    systemEmpty,
    emptyMessage,
    callNameMalformed,
    callInputMalformed,
    resultNameMissing,
    resultNotObject,
    signatureCorrupted,
    // A late result is recognised before it counts as a copy.
    lateResult,
    duplicateResult,
    resultMisnamed,
    resultWithoutCall,
    resultDisplaced,
    callWithoutResult,
    // Which turn is the current one is known only when every message has its place.
    systemFirst,
    systemInConversation,
    callOutOfTurn,
    callUnsigned,
    trailingRequest,
    endsWithAssistant,
    noMessages,
    fieldUnserialisable,
    instructionMalformed,
  ],
  profile,
};

const STRICT: Profile = {
  step: 'turn',
  carrier: 'user',
  resultsFirst: false,
  callsLast: false,
  countedResults: true,
  sharedIds: true,
  resultIds: true,
  callSeals: true,
  firstUser: false,
  alternation: false,
  prefill: 'refused',
  pausedTurn: false,
  systemLater: false,
  systemRole: true,
  nullContent: false,
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

/** Where a model differs from the strict reading; the first row that fits its name counts. */
const MODELS: readonly (readonly [name: RegExp, profile: Profile])[] = [
  // Signatures and ids came with Gemini 3. A name without a number may mean any model.
  [/(^|[^a-z0-9])gemini-[12](?!\d)/i, { ...STRICT, resultIds: false, callSeals: false }],
  [/(^|[^a-z0-9])gemini-3-pro-image/i, { ...STRICT, callSeals: false }],
];

function profile(model: string | undefined): Profile {
  if (model === undefined) return STRICT;
  return MODELS.find(([name]) => name.test(model))?.[1] ?? STRICT;
}
