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
import { fieldUnserialisable } from '../../rules/field-unserialisable.ts';
import { itemIdAgain } from '../../rules/item-id-again.ts';
import { itemIdMalformed } from '../../rules/item-id-malformed.ts';
import { itemIncomplete } from '../../rules/item-incomplete.ts';
import { itemLost } from '../../rules/item-lost.ts';
import { lateResult } from '../../rules/late-result.ts';
import { loneSurrogate } from '../../rules/lone-surrogate.ts';
import { messageUnreadable } from '../../rules/message-unreadable.ts';
import { noMessages } from '../../rules/no-messages.ts';
import { outputMalformed } from '../../rules/output-malformed.ts';
import { partMistagged } from '../../rules/part-mistagged.ts';
import { partUnreadable } from '../../rules/part-unreadable.ts';
import { reasoningMalformed } from '../../rules/reasoning-malformed.ts';
import { reasoningUnfollowed } from '../../rules/reasoning-unfollowed.ts';
import { resultBeforeCall } from '../../rules/result-before-call.ts';
import { resultMisnamed } from '../../rules/result-misnamed.ts';
import { resultWithoutCall } from '../../rules/result-without-call.ts';
import { roleForeign } from '../../rules/role-foreign.ts';
import { trailingRequest } from '../../rules/trailing-request.ts';
import { triggerNotLast } from '../../rules/trigger-not-last.ts';
import { valueUnserialisable } from '../../rules/value-unserialisable.ts';

/** What the OpenAI Responses API enforces. The order is the order in which rules may change a history. */
export const openaiResponses: Contract = {
  dialect: 'openai-responses',
  rules: [
    // Everything must be readable before anything else can be judged.
    valueUnserialisable,
    messageUnreadable,
    roleForeign,
    contentUnreadable,
    partUnreadable,
    partMistagged,
    // One entry at a time.
    loneSurrogate,
    extraKey,
    emptyMessage,
    itemIdMalformed,
    itemIncomplete,
    itemLost,
    itemIdAgain,
    reasoningMalformed,
    callIdMalformed,
    callNameMalformed,
    callInputMalformed,
    outputMalformed,
    // Ids are made distinct before results are matched to them; a late result is recognised before it counts as a copy.
    duplicateCallId,
    lateResult,
    duplicateResult,
    resultMisnamed,
    resultWithoutCall,
    resultBeforeCall,
    callWithoutResult,
    callAnsweredByAnother,
    // Only after removals is it known what follows what.
    reasoningUnfollowed,
    triggerNotLast,
    trailingRequest,
    noMessages,
    fieldUnserialisable,
  ],
  profile,
};

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

/** Where a model differs from the strict reading; the first row that fits its name counts. */
const MODELS: readonly (readonly [name: RegExp, profile: Profile])[] = [
  // Open models give their reasoning as text and take it back so.
  [/(^|[^a-z0-9])gpt-oss/i, { ...STRICT, reasoningText: true }],
  // The vendor's own models take outputs that name no call; hosts of other models refuse them.
  [/(^|[^a-z0-9])(gpt-|o\d|chatgpt|codex|computer-use)/i, { ...STRICT, namelessResults: true }],
];

function profile(model: string | undefined): Profile {
  if (model === undefined) return STRICT;
  return MODELS.find(([name]) => name.test(model))?.[1] ?? STRICT;
}
