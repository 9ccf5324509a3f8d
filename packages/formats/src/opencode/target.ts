import type { Dialect } from '@rethread/core';

/** The dialects of the APIs whose seals parts have, and of the providers that are known by name. */
const DIALECTS: Readonly<Record<string, Dialect>> = {
  anthropic: 'anthropic-messages',
  openai: 'openai-responses',
  azure: 'openai-responses',
  copilot: 'openai-responses',
  google: 'gemini',
  vertex: 'gemini',
};

export const dialectOf = (api: string | undefined): Dialect =>
  (api !== undefined && Object.hasOwn(DIALECTS, api) ? DIALECTS[api] : undefined) ?? 'openai-chat';
