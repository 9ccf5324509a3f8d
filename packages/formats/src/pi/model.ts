import type { Dialect } from '@rethread/core';

import { textAt } from '../json.ts';
import type { AgentMessage } from './entries.ts';

/** The model of the next request, as far as the session tells. */
export type Model = { readonly api?: string; readonly provider?: string; readonly id?: string };

/** The dialects of the APIs that pi speaks. */
const DIALECTS: Readonly<Record<string, Dialect>> = {
  'anthropic-messages': 'anthropic-messages',
  'openai-completions': 'openai-chat',
  'openai-responses': 'openai-responses',
  'openai-codex-responses': 'openai-responses',
  'azure-openai-responses': 'openai-responses',
  'google-generative-ai': 'gemini',
  'google-gemini-cli': 'gemini',
  'google-vertex': 'gemini',
};

/** A session without an answer does not tell the API; its prompts are the same in all of them. */
export const dialectOf = ({ api }: Model): Dialect =>
  (api !== undefined && Object.hasOwn(DIALECTS, api) ? DIALECTS[api] : undefined) ?? 'anthropic-messages';

/** Whether an answer came from the model that it is sent to: seals are valid there only. */
export const isOwn = (message: AgentMessage, { api, provider, id }: Model): boolean =>
  textAt(message, 'api') === api && textAt(message, 'provider') === provider && textAt(message, 'model') === id;
