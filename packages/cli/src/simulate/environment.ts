import type { Simulator } from '@rethread/simulator';

/** What one client reads from its environment to talk to the simulator. */
export interface ClientSettings {
  readonly client: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Any key opens the simulator unless one was demanded; that one is the user's own and is not repeated. */
const anyKey = 'any-key';

/** The environment variables to set, client by client. */
export function clientSettings({ baseUrls }: Pick<Simulator, 'baseUrls'>, needsKey: boolean): ClientSettings[] {
  const key = (name: string): Readonly<Record<string, string>> => (needsKey ? {} : { [name]: anyKey });
  const { anthropic, openai, gemini } = baseUrls;
  return [
    { client: 'Anthropic SDK', variables: { ANTHROPIC_BASE_URL: anthropic, ...key('ANTHROPIC_API_KEY') } },
    { client: 'OpenAI SDK, @ai-sdk/openai', variables: { OPENAI_BASE_URL: openai, ...key('OPENAI_API_KEY') } },
    { client: 'Google Gen AI SDK', variables: { GOOGLE_GEMINI_BASE_URL: gemini, ...key('GEMINI_API_KEY') } },
    // This client reads the variable of the first, but wants the version of the API in it.
    {
      client: 'or @ai-sdk/anthropic',
      variables: { ANTHROPIC_BASE_URL: `${anthropic}/v1`, ...key('ANTHROPIC_API_KEY') },
    },
  ];
}
