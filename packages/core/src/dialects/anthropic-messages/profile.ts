import { PLAIN_ID } from '../../model/call-id.ts';
import { type Profile, UNRESTRICTED } from '../../model/profile.ts';

const STRICT: Profile = {
  ...UNRESTRICTED,
  step: 'turn',
  carrier: 'user',
  resultsFirst: true,
  callsLast: true,
  firstUser: true,
  prefill: 'refused',
  pausedTurn: true,
  systemLater: false,
  reasoningFirst: true,
  reasoningBound: true,
  toolsDeclared: true,
  unknownKeys: 'strip',
  idPattern: PLAIN_ID,
  maxImages: 100,
  maxCacheMarkers: 4,
  maxMessages: 100_000,
  maxBytes: 32 * 1024 * 1024,
  windowTokens: 1_000_000,
};

export function profile(name: string | undefined): Profile {
  if (name === undefined) return STRICT;
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

/** Family and version read from a model name, such as opus 4.8 from `us.anthropic.claude-opus-4-8-v1:0`. */
export type ClaudeModel = { readonly family: string; readonly version: number };

const NEW_STYLE = /(opus|sonnet|haiku|fable|mythos)-?(\d{1,2})?(?:[-.](\d{1,2}))?(?!\d)/i;
const OLD_STYLE = /claude-(?:v|instant-)?(\d)(?:[-.](\d{1,2}))?(?!\d)/i;

/** Undefined when the name tells nothing. */
export function parseClaudeModel(name: string): ClaudeModel | undefined {
  const old = OLD_STYLE.exec(name);
  const fresh = NEW_STYLE.exec(name);
  const family = fresh?.[1]?.toLowerCase() ?? 'claude';
  if (old !== null) return { family, version: toVersion(old[1], old[2]) };
  if (fresh === null) return undefined;
  if (fresh[2] === undefined) return family === 'fable' || family === 'mythos' ? { family, version: 5 } : undefined;
  return { family, version: toVersion(fresh[2], fresh[3]) };
}

function toVersion(major: string | undefined, minor: string | undefined): number {
  const step = Number(minor ?? 0);
  // The tenth minor version comes after the ninth, though 4.10 would read as a smaller number.
  return Number(major) + (step < 10 ? step / 10 : 0.9 + step / 1000);
}
