import { detectDialect, type Dialect, type TargetInput } from '@rethread/core';

type Body = Readonly<Record<string, unknown>>;

/** What an address and a body say about where a request goes. */
type Address = { readonly host: string; readonly body: Body; readonly model: string | undefined };

type Route = readonly [path: RegExp, target: (address: Address) => TargetInput | undefined];

const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:]*)[^/?#]*)?([^?#]*)/i;

/** Paths end in these, whatever a gateway or a cloud puts before them; the first group is the model. */
const ROUTES: readonly Route[] = [
  [/\/messages(?:\/count_tokens)?$/, () => 'anthropic-messages'],
  [/\/models\/([^/:]+):(?:streamRawPredict|rawPredict)$/, hostedClaude],
  [/\/model\/([^/]+)\/invoke(?:-with-response-stream)?$/, hostedClaude],
  [/\/model\/([^/]+)\/converse(?:-stream)?$/, ({ model }) => named('bedrock-converse', model)],
  [/\/(?:models|tunedModels)\/([^/:]+):(?:generateContent|streamGenerateContent|countTokens)$/, geminiTarget],
  [/\/responses(?:\/compact|\/input_tokens)?$/, () => 'openai-responses'],
  [/\/agents\/completions$/, () => 'mistral-chat'],
  [/\/chat\/completions$/, chatTarget],
];

/** Who serves a chat API with rules of its own, as core knows them before the name of a model. */
const CHAT_HOSTS: readonly (readonly [host: RegExp, prefix: string])[] = [
  [/(?:^|\.)groq\.com$/i, 'groq/'],
  [/(?:^|\.)openrouter\.ai$/i, 'openrouter/'],
];

/** Tells from the body what a request to this address is; undefined for an address of no known API. */
export type Reader = (body: Body) => TargetInput | undefined;

/** What reads the bodies that go to an address: its dialect, and its model where the address names it. */
export function readerFor(url: string): Reader | undefined {
  const [, host = '', path = ''] = ADDRESS.exec(url) ?? [];
  for (const [pattern, target] of ROUTES) {
    const found = pattern.exec(path);
    if (found === null) continue;
    const model = found[1] === undefined ? undefined : decoded(found[1]);
    return (body) => target({ host, body, model });
  }
  return undefined;
}

function named(dialect: Dialect, model: string | undefined): TargetInput {
  return model === undefined ? dialect : { dialect, model };
}

/** Clouds serve many models under one path; only the bodies for Claude name the version of its API. */
function hostedClaude({ body, model }: Address): TargetInput | undefined {
  return typeof body['anthropic_version'] === 'string' ? named('anthropic-messages', model) : undefined;
}

function geminiTarget({ model }: Address): TargetInput {
  return named('gemini', model);
}

function chatTarget({ host, body }: Address): TargetInput {
  if (/(?:^|\.)mistral\.ai$/i.test(host) || detectDialect(body) === 'mistral-chat') return 'mistral-chat';
  const prefix = CHAT_HOSTS.find(([pattern]) => pattern.test(host))?.[1];
  const { model } = body;
  return prefix === undefined || typeof model !== 'string' ? 'openai-chat' : named('openai-chat', prefix + model);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
