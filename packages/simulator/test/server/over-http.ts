import { expect } from 'vitest';

import type { ApiName } from '../../src/index.ts';
import type { JudgedDialect } from '../../src/judges/judge.ts';
import { READ_TOOL, SEARCH_TOOL, type RefusalFixture } from '../fixtures/fixture.ts';

type Json = Readonly<Record<string, unknown>>;

/** A fixture of a dialect that has an API of its own. */
export type Served = RefusalFixture<JudgedDialect> & { readonly dialect: ApiName };

const SERVED: ReadonlySet<JudgedDialect> = new Set<ApiName>([
  'anthropic-messages',
  'openai-chat',
  'openai-responses',
  'gemini',
]);

export const isServed = (fixture: RefusalFixture<JudgedDialect>): fixture is Served => SERVED.has(fixture.dialect);

/** A model whose name says nothing, which is what a fixture without one means. */
const NAMELESS = 'simulated-model';
/** A model that goes on with an answer that was begun. */
const PREFILLED = 'claude-sonnet-4-5';
const TOOLS = [READ_TOOL, SEARCH_TOOL, { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }];

/** An answer without content, or one that the provider has paused: it stands at the end of a request as it is. */
function isUnfinished({ role, content }: Json): boolean {
  if (role !== 'assistant' || !Array.isArray(content)) return false;
  return content.length === 0 || (content.at(-1) as Json).type === 'server_tool_use';
}

/** A history as a request: what ends in a whole answer is followed by what the user says next. */
function asked(api: ApiName, list: readonly unknown[]): Json {
  const last = (list.at(-1) ?? {}) as Json;
  switch (api) {
    case 'anthropic-messages': {
      const uses = JSON.stringify(list).includes('tool_');
      const open = isUnfinished(last);
      const next = last.role === 'assistant' && !open ? [{ role: 'user', content: 'Go on.' }] : [];
      return { messages: [...list, ...next], ...(uses && { tools: TOOLS }), ...(open && { model: PREFILLED }) };
    }
    case 'openai-chat':
      return { messages: list };
    case 'openai-responses':
      return { input: list };
    case 'gemini':
      return { contents: last.role === 'model' ? [...list, { role: 'user', parts: [{ text: 'Go on.' }] }] : list };
  }
}

/** A fixture as a whole request: a bare list gets a body around it, and a body what it needs to be sent. */
export function requestOf({ dialect, model, told }: Served, input: unknown): { body: Json; path?: string } {
  const given = Array.isArray(input) ? asked(dialect, input) : (input as Json);
  if (dialect === 'gemini') {
    const name = (model ?? NAMELESS).replace(/^models\//, '');
    return { body: given, path: `/v1beta/models/${name}:generateContent` };
  }
  if (told?.whole === true) return { body: given };
  const named = { model: model ?? NAMELESS, ...given };
  return { body: dialect === 'anthropic-messages' ? { max_tokens: 100, ...named } : named };
}

/** The whole body of a refusal in the shape of its API. */
export function envelopeOf(api: ApiName, text: unknown, envelope: RefusalFixture['envelope'] = {}): Json {
  const { status = 400, type, code, param } = envelope;
  if (api === 'anthropic-messages') {
    const kind = type ?? 'invalid_request_error';
    return { type: 'error', error: { type: kind, message: text }, request_id: expect.stringMatching(/^req_/) };
  }
  if (api === 'gemini') return { error: { code: status, message: text, status: type ?? 'INVALID_ARGUMENT' } };
  const given = (value: string | null | undefined): unknown =>
    value === undefined ? expect.toSatisfy((each) => each === null || typeof each === 'string') : value;
  const error = { message: text, type: type ?? 'invalid_request_error', param: given(param), code: given(code) };
  return { error };
}
