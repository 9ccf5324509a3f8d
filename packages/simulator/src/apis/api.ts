import type { IncomingMessage } from 'node:http';

import type { JsonObject, Refusal, Said } from '../judges/docket.ts';
import type { Frames } from './frames.ts';
import type { Rendering } from './rendering.ts';

/** The APIs that are simulated; each is judged by the judge of the same name. */
export type ApiName = 'anthropic-messages' | 'openai-chat' | 'openai-responses' | 'gemini';

/** What a provider says when it has troubles of its own. */
export type Trouble = 'rate-limit' | 'server-error' | 'overloaded' | 'overflow';

/** The words and shapes of one provider's errors. */
export interface Errors {
  envelope(said: Said, requestId: string, retryAfterSeconds?: number): object;
  notFound(method: string, path: string): Said;
  notAllowed(method: string, path: string): Said;
  /** Called with the key that was sent, where one was sent at all. */
  noAccess(key: string | undefined): Said;
  tooLarge(limitBytes: number): Said;
  notJson(body: string): Said;
  /** For JSON that is nested too deep to be read. */
  tooDeep(): Said;
  trouble(trouble: Trouble, model: string): Said;
  failure(text: string, status: number): Said;
}

/** One API: who may call it, what it needs beside a valid history, and how it writes a reply. */
export interface Api {
  readonly name: ApiName;
  readonly errors: Errors;
  readonly limitBytes: number;
  readonly requestIdHeader: string;
  key(request: IncomingMessage, query: string): string | undefined;
  /** What is refused before the history is looked at. */
  preliminary(received: Received): Refusal | undefined;
  /** The body with everything the model sees; only where a server remembers more than it was sent does it differ. */
  context?(body: JsonObject): JsonObject;
  json(rendering: Rendering): object;
  stream(rendering: Rendering): Frames;
}

/** A request whose body is JSON. */
export interface Received {
  readonly request: IncomingMessage;
  readonly route: Route;
  readonly body: JsonObject;
  readonly bytes: number;
}

/** Where a request was sent. */
export interface Route {
  readonly api: Api;
  readonly path: string;
  readonly query: string;
  /** `answer` gives a reply, `count` only a number of tokens; the others are refused. */
  readonly purpose: 'answer' | 'count' | 'unknown';
  /** The model that the path names. */
  readonly model?: string | undefined;
  /** How the path asks for a stream; elsewhere the body does. */
  readonly streams?: 'sse' | 'array' | 'no' | undefined;
}

/** The value of a bearer token, as most clients send their key. */
export function bearer(request: IncomingMessage): string | undefined {
  const value = request.headers.authorization;
  return value !== undefined && /^bearer /i.test(value) ? value.slice(7).trim() : undefined;
}
