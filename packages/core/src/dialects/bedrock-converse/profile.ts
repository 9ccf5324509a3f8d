import { ANY_ID, NINE_ID, PLAIN_ID } from '../../model/call-id.ts';
import type { Profile } from '../../model/profile.ts';
import type { Contract } from '../../model/rule.ts';
import { anthropicMessages } from '../anthropic-messages/profile.ts';
import { blankText } from '../../rules/blank-text.ts';
import { callIdMalformed } from '../../rules/call-id-malformed.ts';
import { callInputMalformed } from '../../rules/call-input-malformed.ts';
import { callNameMalformed } from '../../rules/call-name-malformed.ts';
import { callWithoutResult } from '../../rules/call-without-result.ts';
import { contentAfterCall } from '../../rules/content-after-call.ts';
import { contentUnreadable } from '../../rules/content-unreadable.ts';
import { duplicateCallId } from '../../rules/duplicate-call-id.ts';
import { duplicateResult } from '../../rules/duplicate-result.ts';
import { emptyMessage } from '../../rules/empty-message.ts';
import { endsWithAssistant } from '../../rules/ends-with-assistant.ts';
import { fieldUnserialisable } from '../../rules/field-unserialisable.ts';
import { firstMessageNotUser } from '../../rules/first-message-not-user.ts';
import { lateResult } from '../../rules/late-result.ts';
import { loneSurrogate } from '../../rules/lone-surrogate.ts';
import { messageUnreadable } from '../../rules/message-unreadable.ts';
import { noMessages } from '../../rules/no-messages.ts';
import { partInWrongRole } from '../../rules/part-in-wrong-role.ts';
import { partUnreadable } from '../../rules/part-unreadable.ts';
import { reasoningAfterEdit } from '../../rules/reasoning-after-edit.ts';
import { reasoningLast } from '../../rules/reasoning-last.ts';
import { reasoningMissing } from '../../rules/reasoning-missing.ts';
import { reasoningNotFirst } from '../../rules/reasoning-not-first.ts';
import { reasoningUnsigned } from '../../rules/reasoning-unsigned.ts';
import { resultContentRefused } from '../../rules/result-content-refused.ts';
import { resultDisplaced } from '../../rules/result-displaced.ts';
import { resultMisnamed } from '../../rules/result-misnamed.ts';
import { resultStatusRefused } from '../../rules/result-status-refused.ts';
import { resultWithoutCall } from '../../rules/result-without-call.ts';
import { resultsMixed } from '../../rules/results-mixed.ts';
import { roleForeign } from '../../rules/role-foreign.ts';
import { sameRoleRun } from '../../rules/same-role-run.ts';
import { systemEmpty } from '../../rules/system-empty.ts';
import { systemFirst } from '../../rules/system-first.ts';
import { systemInConversation } from '../../rules/system-in-conversation.ts';
import { tooManyCacheMarkers } from '../../rules/too-many-cache-markers.ts';
import { toolsUndeclared } from '../../rules/tools-undeclared.ts';
import { trailingRequest } from '../../rules/trailing-request.ts';
import { trailingWhitespace } from '../../rules/trailing-whitespace.ts';
import { valueUnserialisable } from '../../rules/value-unserialisable.ts';

/** What the Converse API of Amazon Bedrock enforces. The order is the order in which rules may change a history. */
export const bedrockConverse: Contract = {
  dialect: 'bedrock-converse',
  rules: [
    // Everything must be readable before anything else can be judged.
    valueUnserialisable,
    messageUnreadable,
    roleForeign,
    contentUnreadable,
    partUnreadable,
    partInWrongRole,
    // One message at a time.
    loneSurrogate,
    systemEmpty,
    emptyMessage,
    blankText,
    reasoningUnsigned,
    callIdMalformed,
    callNameMalformed,
    callInputMalformed,
    resultContentRefused,
    resultStatusRefused,
    // Ids are made distinct before results are matched to them; a late result is recognised before it counts as a copy.
    duplicateCallId,
    contentAfterCall,
    lateResult,
    duplicateResult,
    resultMisnamed,
    resultWithoutCall,
    resultDisplaced,
    callWithoutResult,
    // Only after removals is it known what ends a message.
    reasoningNotFirst,
    reasoningLast,
    systemFirst,
    systemInConversation,
    firstMessageNotUser,
    sameRoleRun,
    // Neighbours are joined first: what is divided here must not meet again.
    resultsMixed,
    trailingRequest,
    trailingWhitespace,
    endsWithAssistant,
    noMessages,
    fieldUnserialisable,
    toolsUndeclared,
    reasoningMissing,
    reasoningAfterEdit,
    tooManyCacheMarkers,
  ],
  profile,
};

/** What Converse adds to the rules of Claude, and where it has limits of its own. */
const SERVICE = {
  alternation: true,
  resultsAlone: true,
  emptyEnd: 'refused',
  pausedTurn: false,
  systemLater: false,
  unknownKeys: 'carry',
  idPattern: PLAIN_ID,
  idMax: 64,
  maxImages: Number.POSITIVE_INFINITY,
  maxMessages: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
  windowTokens: Number.POSITIVE_INFINITY,
} as const;

const STRICT: Profile = { ...anthropicMessages.profile(undefined), ...SERVICE };

/** A family that has none of the rules of Claude on record. */
const PLAIN: Profile = {
  ...STRICT,
  callsLast: false,
  reasoningFirst: false,
  reasoningSigned: false,
  reasoningBound: false,
  maxCacheMarkers: Number.POSITIVE_INFINITY,
};

/** Where a family differs; the first row that fits the name of a model counts. */
const FAMILIES: readonly (readonly [name: RegExp, profile: Profile])[] = [
  [/(^|\.)amazon\.nova|^nova-/i, { ...PLAIN, resultsAlone: false, resultsFirst: false }],
  [/(^|\.)qwen/i, { ...PLAIN, firstUser: false }],
  [/(^|\.)writer\.|palmyra/i, { ...PLAIN, resultStatus: false }],
  [/(^|\.)moonshot|kimi/i, { ...PLAIN, idPattern: ANY_ID, idMax: Number.POSITIVE_INFINITY }],
  // Ids of any kind are on record for this one; its siblings are read strictly.
  [/pixtral/i, PLAIN],
  [/(^|\.)mistral\./i, { ...PLAIN, idPattern: NINE_ID, idMax: 9 }],
  [/(^|\.)(meta\.|deepseek|openai\.|nvidia\.|zai\.|cohere\.|ai21\.|minimax\.|google\.|amazon\.titan)/i, PLAIN],
];

const profiles = new Map<string, Profile>();

function profile(model: string | undefined): Profile {
  if (model === undefined) return STRICT;
  let known = profiles.get(model);
  if (known === undefined) {
    known = readProfile(model);
    profiles.set(model, known);
  }
  return known;
}

function readProfile(model: string): Profile {
  if (/claude/i.test(model)) {
    return { ...anthropicMessages.profile(model), ...SERVICE, resultsAlone: false, blankText: true };
  }
  return FAMILIES.find(([name]) => name.test(model))?.[1] ?? STRICT;
}
