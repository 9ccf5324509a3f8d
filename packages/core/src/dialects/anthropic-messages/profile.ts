import { PLAIN_ID } from '../../model/call-id.ts';
import { type Profile, UNRESTRICTED } from '../../model/profile.ts';
import { parseClaudeModel } from './claude-model.ts';

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
