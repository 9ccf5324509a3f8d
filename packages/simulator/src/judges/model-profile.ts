/** What differs between Claude models; every flag is strict for a name we do not know. */
export interface ClaudeProfile {
  readonly firstMustBeUser: boolean;
  readonly prefill: boolean;
  readonly midSystem: boolean;
  readonly thinkingFirst: boolean;
  readonly maxImages: number;
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
  midSystem: false,
  thinkingFirst: true,
  maxImages: 100,
};
const STRICT_CHAT: ChatProfile = { systemRole: true, nullContent: false, noToolsWhileReasoning: false };

const MID_SYSTEM_FAMILIES: ReadonlySet<string> = new Set(['opus', 'fable', 'mythos']);
const KEPT = 256;

const claudeProfiles = new Map<string, ClaudeProfile>();
const chatProfiles = new Map<string, ChatProfile>();

export function claudeProfile(model: string | undefined): ClaudeProfile {
  return model === undefined ? STRICT_CLAUDE : remembered(claudeProfiles, model, readClaude);
}

export function chatProfile(model: string | undefined): ChatProfile {
  return model === undefined ? STRICT_CHAT : remembered(chatProfiles, model, readChat);
}

function remembered<P>(known: Map<string, P>, model: string, read: (model: string) => P): P {
  let profile = known.get(model);
  if (profile === undefined) {
    if (known.size >= KEPT) known.clear();
    profile = read(model);
    known.set(model, profile);
  }
  return profile;
}

function readClaude(model: string): ClaudeProfile {
  const { family, version } = claudeVersion(model);
  if (version === undefined) return STRICT_CLAUDE;
  const current = version >= 406;
  return {
    firstMustBeUser: version < 400,
    prefill: !current,
    midSystem: MID_SYSTEM_FAMILIES.has(family) && (version === 408 || (version >= 500 && version < 600)),
    thinkingFirst: version === 307,
    maxImages: current ? 600 : 100,
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

function readChat(model: string): ChatProfile {
  const name = model.toLowerCase().slice(model.lastIndexOf('/') + 1);
  const gpt = /^gpt-(\d{1,2})(?:\.(\d{1,2}))?(?![\da-z])/.exec(name);
  const version = gpt === null ? 0 : Number(gpt[1]) * 100 + Number(gpt[2] ?? 0);
  return {
    systemRole: !(name.startsWith('o1-mini') || name.startsWith('o1-preview')),
    nullContent: version >= 506,
    noToolsWhileReasoning: version >= 504,
  };
}
