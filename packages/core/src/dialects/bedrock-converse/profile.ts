import { ANY_ID, NINE_ID, PLAIN_ID } from '../../model/call-id.ts';
import { type ModelRow, type Profile, profileOfModel } from '../../model/profile.ts';
import { profile as claudeProfile } from '../anthropic-messages/profile.ts';

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

const STRICT: Profile = { ...claudeProfile(undefined), ...SERVICE };

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
const FAMILIES: readonly ModelRow[] = [
  [/(^|\.)amazon\.nova|^nova-/i, { ...PLAIN, resultsAlone: false, resultsFirst: false }],
  [/(^|\.)qwen/i, { ...PLAIN, firstUser: false }],
  [/(^|\.)writer\.|palmyra/i, { ...PLAIN, resultStatus: false }],
  [/(^|\.)moonshot|kimi/i, { ...PLAIN, idPattern: ANY_ID, idMax: Number.POSITIVE_INFINITY }],
  // Ids of any kind are on record for this one; its siblings are read strictly.
  [/pixtral/i, PLAIN],
  [/(^|\.)mistral\./i, { ...PLAIN, idPattern: NINE_ID, idMax: 9 }],
  [/(^|\.)(meta\.|deepseek|openai\.|nvidia\.|zai\.|cohere\.|ai21\.|minimax\.|google\.|amazon\.titan)/i, PLAIN],
];

export function profile(model: string | undefined): Profile {
  if (model === undefined) return STRICT;
  if (/claude/i.test(model)) {
    return { ...claudeProfile(model), ...SERVICE, resultsAlone: false, blankText: true };
  }
  return profileOfModel(STRICT, FAMILIES, model);
}
