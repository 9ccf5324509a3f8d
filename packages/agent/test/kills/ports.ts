import type { ModelPort } from '@rethread/agent';

/** The simulator's address for each kind of client. */
export type BaseUrls = { readonly anthropic: string; readonly openai: string };

const KEY = 'sk-simulated-key-0002';

/** The ports on the official clients by name, loaded on demand. */
export const PORTS: Readonly<Record<string, (urls: BaseUrls) => Promise<ModelPort>>> = {
  anthropic: async (urls) => {
    const { anthropic } = await import('@rethread/agent/anthropic');
    const params = { thinking: { type: 'adaptive' } } as const;
    return anthropic({ model: 'claude-fable-5-1', apiKey: KEY, baseURL: urls.anthropic, params });
  },
  openaiChat: async (urls) => {
    const { openaiChat } = await import('@rethread/agent/openai');
    return openaiChat({ model: 'gpt-4.1', apiKey: KEY, baseURL: urls.openai });
  },
  openaiResponses: async (urls) => {
    const { openaiResponses } = await import('@rethread/agent/openai');
    const params = { reasoning: { effort: 'low', summary: 'auto' } } as const;
    return openaiResponses({ model: 'gpt-5', apiKey: KEY, baseURL: urls.openai, params });
  },
  aiSdk: async (urls) => {
    const [{ aiSdk }, { createAnthropic }] = await Promise.all([
      import('@rethread/agent/ai-sdk'),
      import('@ai-sdk/anthropic'),
    ]);
    const modelId = 'claude-sonnet-4-5';
    const baseURL = `${urls.anthropic}/v1`;
    return aiSdk({ modelId, model: (fetch) => createAnthropic({ apiKey: KEY, baseURL, fetch })(modelId) });
  },
};
