import type { Dialect } from '../../src/index.ts';

const PLAIN = { role: 'user', content: 'next question' };

/** What the user says next, in every dialect. */
const NEXT: Readonly<Record<Dialect, object>> = {
  'anthropic-messages': PLAIN,
  'openai-chat': PLAIN,
  'openai-responses': PLAIN,
  'mistral-chat': PLAIN,
  'ai-sdk-model': PLAIN,
  'openai-agents': PLAIN,
  gemini: { role: 'user', parts: [{ text: 'next question' }] },
  'bedrock-converse': { role: 'user', content: [{ text: 'next question' }] },
  'pydantic-ai': { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'next question' }] },
  'ai-sdk-ui': { id: 'next', role: 'user', parts: [{ type: 'text', text: 'next question' }] },
  langchain: { type: 'human', content: 'next question' },
};

const LISTS = ['messages', 'contents', 'input'] as const;

/** The same history with what the user says next. */
export function withNext(output: unknown, dialect: Dialect): unknown {
  if (Array.isArray(output)) return [...(output as unknown[]), NEXT[dialect]];
  const body = Object(output) as Record<string, unknown>;
  // Two dialects take a bare text for a list of one message.
  if ((dialect === 'openai-responses' || dialect === 'openai-agents') && typeof body['input'] === 'string') {
    const said = body['input'] === '' ? [] : [{ role: 'user', content: body['input'] }];
    return { ...body, input: [...said, NEXT[dialect]] };
  }
  // One takes a bare message for that.
  const lone = dialect === 'gemini' && !Array.isArray(body['contents']) ? body['contents'] : undefined;
  if (typeof lone === 'object' && lone !== null) return { ...body, contents: [lone, NEXT[dialect]] };
  const key = LISTS.find((each) => Array.isArray(body[each]));
  return key === undefined ? output : { ...body, [key]: [...(body[key] as unknown[]), NEXT[dialect]] };
}
