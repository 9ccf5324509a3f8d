import { PLAIN_ID } from '../../model/call-id.ts';
import type { Profile } from '../../model/profile.ts';
import type { Contract } from '../../model/rule.ts';
import { parseClaudeModel } from './claude-model.ts';
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
import { extraKey } from '../../rules/extra-key.ts';
import { fieldUnserialisable } from '../../rules/field-unserialisable.ts';
import { firstMessageNotUser } from '../../rules/first-message-not-user.ts';
import { lateResult } from '../../rules/late-result.ts';
import { loneSurrogate } from '../../rules/lone-surrogate.ts';
import { messageUnreadable } from '../../rules/message-unreadable.ts';
import { noMessages } from '../../rules/no-messages.ts';
import { partInWrongRole } from '../../rules/part-in-wrong-role.ts';
import { partUnreadable } from '../../rules/part-unreadable.ts';
import { promptTooLong } from '../../rules/prompt-too-long.ts';
import { reasoningAfterEdit } from '../../rules/reasoning-after-edit.ts';
import { reasoningLast } from '../../rules/reasoning-last.ts';
import { reasoningMissing } from '../../rules/reasoning-missing.ts';
import { reasoningNotFirst } from '../../rules/reasoning-not-first.ts';
import { reasoningUnsigned } from '../../rules/reasoning-unsigned.ts';
import { requestTooLarge } from '../../rules/request-too-large.ts';
import { resultContentRefused } from '../../rules/result-content-refused.ts';
import { resultDisplaced } from '../../rules/result-displaced.ts';
import { resultMisnamed } from '../../rules/result-misnamed.ts';
import { resultWithoutCall } from '../../rules/result-without-call.ts';
import { roleForeign } from '../../rules/role-foreign.ts';
import { sameRoleRun } from '../../rules/same-role-run.ts';
import { serverCallIdMalformed } from '../../rules/server-call-id-malformed.ts';
import { serverCallWithoutResult } from '../../rules/server-call-without-result.ts';
import { serverResultWithoutCall } from '../../rules/server-result-without-call.ts';
import { serverToolUndeclared } from '../../rules/server-tool-undeclared.ts';
import { systemEmpty } from '../../rules/system-empty.ts';
import { systemFirst } from '../../rules/system-first.ts';
import { systemInConversation } from '../../rules/system-in-conversation.ts';
import { systemMisplaced } from '../../rules/system-misplaced.ts';
import { tooManyCacheMarkers } from '../../rules/too-many-cache-markers.ts';
import { tooManyImages } from '../../rules/too-many-images.ts';
import { tooManyMessages } from '../../rules/too-many-messages.ts';
import { toolReferenceUndeclared } from '../../rules/tool-reference-undeclared.ts';
import { toolsetNameMissing } from '../../rules/toolset-name-missing.ts';
import { toolsUndeclared } from '../../rules/tools-undeclared.ts';
import { trailingRequest } from '../../rules/trailing-request.ts';
import { trailingWhitespace } from '../../rules/trailing-whitespace.ts';
import { valueUnserialisable } from '../../rules/value-unserialisable.ts';

/** What the Anthropic Messages API enforces. The order is the order in which rules may change a history. */
export const anthropicMessages: Contract = {
  dialect: 'anthropic-messages',
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
    extraKey,
    systemEmpty,
    emptyMessage,
    blankText,
    reasoningUnsigned,
    callIdMalformed,
    callNameMalformed,
    callInputMalformed,
    resultContentRefused,
    toolsetNameMissing,
    serverCallIdMalformed,
    serverToolUndeclared,
    toolReferenceUndeclared,
    // Ids are made distinct before results are matched to them; a late result is recognised before it counts as a copy.
    duplicateCallId,
    contentAfterCall,
    lateResult,
    duplicateResult,
    resultMisnamed,
    resultWithoutCall,
    resultDisplaced,
    callWithoutResult,
    serverResultWithoutCall,
    serverCallWithoutResult,
    // Only after removals is it known what ends a message.
    reasoningNotFirst,
    reasoningLast,
    systemFirst,
    systemInConversation,
    systemMisplaced,
    firstMessageNotUser,
    sameRoleRun,
    trailingRequest,
    trailingWhitespace,
    endsWithAssistant,
    noMessages,
    fieldUnserialisable,
    toolsUndeclared,
    reasoningMissing,
    reasoningAfterEdit,
    tooManyCacheMarkers,
    tooManyImages,
    tooManyMessages,
    requestTooLarge,
    promptTooLong,
  ],
  profile,
};

const STRICT: Profile = {
  step: 'turn',
  carrier: 'user',
  resultsFirst: true,
  callsLast: true,
  firstUser: true,
  alternation: false,
  prefill: 'refused',
  pausedTurn: true,
  systemLater: false,
  systemRole: true,
  nullContent: false,
  reasoningFirst: true,
  reasoningBound: true,
  toolsDeclared: true,
  unknownKeys: 'strip',
  idPattern: PLAIN_ID,
  idMax: Number.POSITIVE_INFINITY,
  maxImages: 100,
  maxCacheMarkers: 4,
  maxMessages: 100_000,
  maxTools: Number.POSITIVE_INFINITY,
  maxBytes: 32 * 1024 * 1024,
  windowTokens: 1_000_000,
};

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

function readProfile(name: string): Profile {
  const model = parseClaudeModel(name);
  if (model === undefined) return STRICT;
  const { family, version } = model;
  const signsPrefix = family === 'fable' || family === 'mythos' ? version >= 5.1 : version >= 5.5;
  return {
    ...STRICT,
    firstUser: version < 4,
    prefill: version >= 4.6 ? 'refused' : 'plain-only',
    systemLater: version >= 4.8 && (family === 'opus' || family === 'fable' || family === 'mythos'),
    reasoningFirst: version === 3.7,
    reasoningBound: signsPrefix,
    maxImages: version >= 4.6 ? 600 : 100,
    windowTokens: version >= 4.6 ? 1_000_000 : 200_000,
  };
}
