import { type ClaudeProfile, claudeProfile } from './model-profile.ts';

/** What differs between the families of models behind Converse. */
export interface BedrockProfile {
  readonly firstMustBeUser: boolean;
  /** Results may share their message with other content. */
  readonly mixes: boolean;
  /** A text of white space alone passes; an empty one never does. */
  readonly takesBlank: boolean;
  readonly takesStatus: boolean;
  readonly id: RegExp;
  /** The rules of Claude that hold behind Converse; undefined for families that have none on record. */
  readonly claude: ClaudeProfile | undefined;
}

const SERVICE_ID = /^[a-zA-Z0-9_-]{1,64}$/;
const PLAIN: BedrockProfile = {
  firstMustBeUser: true,
  mixes: false,
  takesBlank: false,
  takesStatus: true,
  id: SERVICE_ID,
  claude: undefined,
};
const FAMILIES: readonly (readonly [RegExp, Partial<BedrockProfile>])[] = [
  [/(^|\.)amazon\.nova|^nova-/, { mixes: true }],
  [/(^|\.)qwen/, { firstMustBeUser: false }],
  [/(^|\.)writer\.|palmyra/, { takesStatus: false }],
  [/(^|\.)moonshot|kimi/, { id: /./s }],
  // Pixtral took ids of its own making on record, so the nine characters are asked of its siblings alone.
  [/pixtral/, {}],
  [/(^|\.)mistral\./, { id: /^[a-zA-Z0-9]{9}$/ }],
  [/(^|\.)(meta\.|deepseek|openai\.|nvidia\.|zai\.|cohere\.|ai21\.|minimax\.|google\.|amazon\.titan)/, {}],
];

/** The profile of a model by its name; one that is not known is read as strictly as any. */
export function bedrockProfile(model: string | undefined, strict: boolean): BedrockProfile {
  const name = model?.toLowerCase();
  if (name?.includes('claude') === true) {
    const claude = claudeProfile(name, strict);
    return { ...PLAIN, firstMustBeUser: claude.firstMustBeUser, mixes: true, takesBlank: true, claude };
  }
  const family = name === undefined ? undefined : FAMILIES.find(([pattern]) => pattern.test(name));
  if (family !== undefined) return { ...PLAIN, ...family[1] };
  return { ...PLAIN, mixes: !strict, firstMustBeUser: strict, claude: claudeProfile(undefined, strict) };
}
