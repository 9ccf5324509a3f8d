import type { IncomingMessage } from 'node:http';

import { anthropic } from './anthropic.ts';
import type { Api, Route } from './api.ts';
import { gemini } from './gemini.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import type { StoredResponses } from './stored-responses.ts';

const GEMINI_PATH = /^\/v1(?:beta|alpha)?\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

/** Finds the API a request is meant for; one server speaks them all. */
export class Routes {
  readonly #responses: Api;

  constructor(stored: StoredResponses) {
    this.#responses = openaiResponses(stored);
  }

  find(request: IncomingMessage): Route {
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const query = mark < 0 ? '' : url.slice(mark + 1);
    if (path === '/v1/messages') return { api: anthropic, path, query, purpose: 'answer' };
    if (path === '/v1/chat/completions') return { api: openaiChat, path, query, purpose: 'answer' };
    if (path === '/v1/responses') return { api: this.#responses, path, query, purpose: 'answer' };
    if (path === '/v1/messages/count_tokens') return { api: anthropic, path, query, purpose: 'count' };
    const found = GEMINI_PATH.exec(path);
    if (found !== null) return geminiRoute(found, path, query);
    return { api: this.#guess(request, path), path, query, purpose: 'unknown' };
  }

  /** Whose words a wrong path is answered in: the path itself, or else the headers, tell. */
  #guess(request: IncomingMessage, path: string): Api {
    const { headers } = request;
    if (headers['anthropic-version'] !== undefined) return anthropic;
    if (path.startsWith('/v1beta') || /\/models\/[^/]+:/.test(path) || headers['x-goog-api-key'] !== undefined)
      return gemini;
    if (path.startsWith('/v1/messages') || headers['x-api-key'] !== undefined) return anthropic;
    return path.startsWith('/v1/responses') ? this.#responses : openaiChat;
  }
}

function geminiRoute(found: RegExpExecArray, path: string, query: string): Route {
  const streaming = found[2] === 'streamGenerateContent';
  const sse = new URLSearchParams(query).get('alt') === 'sse';
  return {
    api: gemini,
    path,
    query,
    purpose: 'answer',
    model: decoded(found[1] ?? ''),
    streams: streaming ? (sse ? 'sse' : 'array') : 'no',
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
