/** What differs between Claude models. */
export interface ClaudeProfile {
  readonly firstMustBeUser: boolean;
  readonly prefill: boolean;
  readonly prefillWithTools: boolean;
  readonly midSystem: boolean;
  /** An answer that holds thinking must begin with it. */
  readonly thinkingFirst: boolean;
  /** Thinking is bound to all that stands before it. */
  readonly bindsPrefix: boolean;
  readonly maxImages: number;
  /** Tokens of input that fit. */
  readonly window: number;
}

/** What differs between OpenAI chat models. */
export interface ChatProfile {
  readonly systemRole: boolean;
  readonly nullContent: boolean;
  readonly noToolsWhileReasoning: boolean;
}

const STRICT_CLAUDE: ClaudeProfile = {
  firstMustBeUser: true,
  prefill: false,
  prefillWithTools: false,
  midSystem: false,
  thinkingFirst: true,
  bindsPrefix: true,
  maxImages: 100,
  window: 200_000,
};
const LENIENT_CLAUDE: ClaudeProfile = {
  firstMustBeUser: false,
  prefill: true,
  prefillWithTools: true,
  midSystem: true,
  thinkingFirst: false,
  bindsPrefix: false,
  maxImages: 600,
  window: 1_000_000,
};
// Only two models of 2024 ever refused a system message, so even a strict reading takes one.
const STRICT_CHAT: ChatProfile = { systemRole: true, nullContent: false, noToolsWhileReasoning: true };
const LENIENT_CHAT: ChatProfile = { systemRole: true, nullContent: true, noToolsWhileReasoning: false };

const MID_SYSTEM_FAMILIES: ReadonlySet<string> = new Set(['opus', 'fable', 'mythos']);
const EARLY_BINDING: ReadonlySet<string> = new Set(['fable', 'mythos']);
const KEPT = 256;

const claudeProfiles = new Map<string, ClaudeProfile | null>();
const chatProfiles = new Map<string, ChatProfile | null>();

export function claudeProfile(model: string | undefined, strict: boolean): ClaudeProfile {
  const known = model === undefined ? undefined : remembered(claudeProfiles, model, readClaude);
  return known ?? (strict ? STRICT_CLAUDE : LENIENT_CLAUDE);
}

export function chatProfile(model: string | undefined, strict: boolean): ChatProfile {
  const known = model === undefined ? undefined : remembered(chatProfiles, model, readChat);
  return known ?? (strict ? STRICT_CHAT : LENIENT_CHAT);
}

/** The profile of a name that says which model it is, or null. */
function remembered<P>(known: Map<string, P | null>, model: string, read: (model: string) => P | null): P | null {
  let profile = known.get(model);
  if (profile === undefined) {
    if (known.size >= KEPT) known.clear();
    profile = read(model);
    known.set(model, profile);
  }
  return profile;
}

function readClaude(model: string): ClaudeProfile | null {
  const { family, version } = claudeVersion(model);
  if (version === undefined) return null;
  const current = version >= 406;
  return {
    firstMustBeUser: version < 400,
    prefill: !current,
    prefillWithTools: false,
    midSystem: MID_SYSTEM_FAMILIES.has(family) && (version === 408 || (version >= 500 && version < 600)),
    thinkingFirst: version === 307,
    bindsPrefix: version >= (EARLY_BINDING.has(family) ? 501 : 505),
    maxImages: current ? 600 : 100,
    window: current ? 1_000_000 : 200_000,
  };
}

/** Reads `claude-3-5-haiku-latest` as 305, `claude-sonnet-4-5-20250929` as 405, `…claude-opus-4-8-v1:0` as 408. */
function claudeVersion(model: string): { family: string; version: number | undefined } {
  const start = model.toLowerCase().lastIndexOf('claude');
  if (start < 0) return { family: '', version: undefined };
  let family = '';
  let major: number | undefined;
  let minor: number | undefined;
  for (const word of model
    .toLowerCase()
    .slice(start)
    .split(/[-_.@:/]/)
    .slice(1)) {
    if (/^v?\d{1,2}$/.test(word) && major === undefined) major = Number(word.replace('v', ''));
    else if (/^\d{1,2}$/.test(word) && minor === undefined && major !== undefined) minor = Number(word);
    else if (major !== undefined) minor ??= 0;
    if (family === '' && /^[a-z]{3,}$/.test(word)) family = word;
  }
  // Fable and Mythos began with generation 5, so their bare names are read as that.
  if (major === undefined && (family === 'fable' || family === 'mythos')) major = 5;
  return { family, version: major === undefined ? undefined : major * 100 + (minor ?? 0) };
}

function readChat(model: string): ChatProfile | null {
  const name = model.toLowerCase().slice(model.lastIndexOf('/') + 1);
  if (!/^(?:ft:)?(?:gpt-|chatgpt-|codex-|o\d)/.test(name)) return null;
  const gpt = /^(?:ft:)?gpt-(\d{1,2})(?:\.(\d{1,2}))?(?![\da-z])/.exec(name);
  const version = gpt === null ? 0 : Number(gpt[1]) * 100 + Number(gpt[2] ?? 0);
  return {
    systemRole: !(name.startsWith('o1-mini') || name.startsWith('o1-preview')),
    nullContent: version >= 506,
    noToolsWhileReasoning: version >= 504,
  };
}
