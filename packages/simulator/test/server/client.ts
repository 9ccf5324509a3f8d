import type { ApiName, Simulator } from '../../src/index.ts';

type Json = Record<string, unknown>;

/** An event as it stood on the wire. */
export interface Event {
  readonly name: string | undefined;
  readonly data: string;
}

const PATHS: Readonly<Record<ApiName, string>> = {
  'anthropic-messages': '/v1/messages',
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  gemini: '/v1beta/models/gemini-2.5-pro:generateContent',
};

export const APIS = Object.keys(PATHS) as ApiName[];

/** Headers that let a request in, as the clients of each API send them. */
export const OPEN: Readonly<Record<ApiName, Readonly<Record<string, string>>>> = {
  'anthropic-messages': { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' },
  'openai-chat': { authorization: 'Bearer key' },
  'openai-responses': { authorization: 'Bearer key' },
  gemini: { 'x-goog-api-key': 'key' },
};

/** These headers over the usual ones; an empty one is not sent. */
export function headersFor(api: ApiName, changed: Readonly<Record<string, string>> = {}): Headers {
  const headers = new Headers({ 'content-type': 'application/json', ...OPEN[api], ...changed });
  for (const [name, value] of Object.entries(changed)) if (value === '') headers.delete(name);
  return headers;
}

/** The least request each API accepts: one user message. */
export function least(api: ApiName, words = 'hi'): Json {
  switch (api) {
    case 'anthropic-messages':
      return { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [{ role: 'user', content: words }] };
    case 'openai-chat':
      return { model: 'gpt-4.1', messages: [{ role: 'user', content: words }] };
    case 'openai-responses':
      return { model: 'gpt-5', input: [{ role: 'user', content: words }] };
    case 'gemini':
      return { contents: [{ role: 'user', parts: [{ text: words }] }] };
  }
}

export interface Post {
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: Json | string;
  readonly stream?: boolean;
}

export function post(
  simulator: Simulator,
  api: ApiName,
  { path, headers, body, stream }: Post = {},
): Promise<Response> {
  const sent = body ?? least(api);
  const gemini = api === 'gemini';
  const streamed = gemini ? PATHS.gemini.replace('generate', 'streamGenerate').concat('?alt=sse') : PATHS[api];
  return fetch(simulator.url + (path ?? (stream === true ? streamed : PATHS[api])), {
    method: 'POST',
    headers: headersFor(api, headers),
    body: typeof sent === 'string' ? sent : JSON.stringify(stream === true && !gemini ? { ...sent, stream } : sent),
  });
}

export async function postJson(simulator: Simulator, api: ApiName, post_: Post = {}): Promise<Json> {
  return (await (await post(simulator, api, post_)).json()) as Json;
}

/** The events of a body that came to its end. */
export function eventsOf(text: string): Event[] {
  return text
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => {
      const name = /^event: (.*)$/m.exec(frame)?.[1];
      return { name, data: /^data: (.*)$/m.exec(frame)?.[1] ?? '' };
    });
}

export async function postEvents(simulator: Simulator, api: ApiName, post_: Post = {}): Promise<Event[]> {
  return eventsOf(await (await post(simulator, api, { ...post_, stream: true })).text());
}

export interface Heard {
  readonly bytes: Buffer;
  readonly ended: 'whole' | 'broken';
}

/** What arrives of a body, and whether the connection broke before its end. */
export async function hear(response: Response): Promise<Heard> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk as Uint8Array);
    return { bytes: Buffer.concat(chunks), ended: 'whole' };
  } catch {
    return { bytes: Buffer.concat(chunks), ended: 'broken' };
  }
}
