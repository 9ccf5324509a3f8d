import type { CompactOptions, Dialect, RepairOptions } from '../../src/index.ts';

/** What a caller of `repair` can choose, one thing at a time and a few together. */
export const CHOICES: readonly RepairOptions[] = [
  {},
  { policy: 'discard' },
  { policy: 'discard', next: 'user' },
  { policy: { partialBatch: 'remove-open' } },
  { policy: { partialBatch: 'remove-batch', duplicateResult: 'keep-first' } },
  { policy: { openCall: 'remove', orphanResult: 'remove' } },
  { policy: { retryPrompt: 'prune', unreadable: 'skip' } },
  { policy: { consecutiveRequests: 'keep-last', trailingRequest: 'drop' } },
  { open: 'leave' },
  { open: 'leave', next: 'user' },
  { next: 'user' },
  { maxPasses: 0 },
  { maxPasses: 1 },
  { prefixDigests: { 0: '', 1: 'not the digest of anything' } },
];

/** Models whose contracts differ from the strict reading or from one another. */
export const MODELS: Readonly<Partial<Record<Dialect, readonly string[]>>> = {
  'anthropic-messages': ['claude-3-5-haiku-latest', 'claude-sonnet-4-5-20250929', 'claude-opus-4-8'],
  'openai-chat': ['gpt-4.1-mini', 'gpt-5.6', 'o3', 'deepseek-reasoner', 'mistral-7b-instruct-v0.1'],
  'openai-responses': ['gpt-5.6', 'openai/gpt-oss-20b', 'somebody-1'],
  gemini: ['models/gemini-2.0-flash', 'gemini-3-pro-image-preview', 'gemini-3-flash-preview'],
  'bedrock-converse': ['us.amazon.nova-pro-v1:0', 'anthropic.claude-opus-5-5-v1:0'],
  'mistral-chat': ['mistral-small-2603'],
  'pydantic-ai': ['gpt-5', 'claude-sonnet-4-5'],
  'ai-sdk-model': ['openai/gpt-5', 'anthropic/claude-sonnet-4.5'],
  'ai-sdk-ui': ['openai/gpt-5', 'google/gemini-3-flash'],
  langchain: ['gpt-5', 'claude-sonnet-4-5'],
  'openai-agents': ['gpt-5.6', 'somebody-1'],
};

/** Answers of providers that are read wherever a history has no finding whose answer could be given instead. */
export const REFUSALS: readonly string[] = [
  'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.',
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
  'messages.3.content.0: Invalid `signature` in `thinking` block',
  'messages.0.content.0.foo: Extra inputs are not permitted',
  'No tool output found for function call call_1.',
  'something that no provider has ever said',
];

const AT = '2026-11-16T00:00:00Z';

/** How short a history is to become, as a share of what it weighs, and by which steps. */
export const COMPACTIONS: readonly (Omit<CompactOptions, 'budgetTokens'> & { readonly share: number })[] = [
  { share: 0.5, at: AT },
  { share: 0.1, at: AT },
  { share: 0.3, at: AT, keep: { minTurns: 2 } },
  { share: 0.3, at: AT, keep: { minMessages: 4 }, pins: [1] },
  { share: 0.6, at: AT, ladder: ['clamp', 'repeated-reads', 'prune'] },
  { share: 0.4, at: AT, prune: { protectTurns: 1, protectTokens: 20, minFreedTokens: 10 } },
  { share: 0.2, at: AT, ladder: ['rule-summary'] },
  { share: 0.2, at: AT, model: () => Promise.resolve('## Goal\n- go on\n## Work done\n- all of it') },
  { share: 0.2, at: AT, model: () => Promise.reject(new Error('connection closed')) },
];
