import { type Draft, type Fields, addTurns, freshId, freshText, startDraft } from './draft.ts';
import type { Random } from './random.ts';

const timestamp = '2026-01-01T00:00:00Z';

export const call = (draft: Draft, random: Random, id: string = freshId(draft, 'pyd_')): Fields => ({
  part_kind: 'tool-call',
  tool_name: 'read_file',
  args: random.pick<unknown>([{ path: freshText(draft, 'path') }, JSON.stringify({ path: draft.count }), null]),
  tool_call_id: id,
});

export const result = (draft: Draft, id: unknown, random: Random): Fields => ({
  part_kind: 'tool-return',
  tool_name: 'read_file',
  content: random.pick<unknown>([freshText(draft, 'output'), { rows: [draft.count] }, '']),
  tool_call_id: id,
  timestamp,
});

export const retry = (draft: Draft, id: unknown): Fields => ({
  part_kind: 'retry-prompt',
  content: freshText(draft, 'try again'),
  tool_name: 'read_file',
  tool_call_id: id,
  timestamp,
});

export const prompt = (draft: Draft, random: Random): Fields => ({
  part_kind: 'user-prompt',
  content: random.chance(5)
    ? [freshText(draft, 'question'), { kind: 'image-url', url: 'https://example.org/a.png' }]
    : freshText(draft, 'question'),
  timestamp,
});

export const say = (draft: Draft): Fields => ({ part_kind: 'text', content: freshText(draft, 'answer') });

export const request = (parts: unknown[]): Fields => ({ kind: 'request', parts });
export const response = (parts: unknown[]): Fields => ({ kind: 'response', parts });

/** A call the provider itself ran, with its return: both in one response. */
export function builtinPair(draft: Draft): Fields[] {
  const id = freshId(draft, 'srv_');
  return [
    {
      part_kind: 'builtin-tool-call',
      tool_name: 'web_search',
      args: { query: 'x' },
      tool_call_id: id,
      provider_name: 'p',
    },
    { part_kind: 'builtin-tool-return', tool_name: 'web_search', content: freshText(draft, 'found'), tool_call_id: id },
  ];
}

function openingParts(draft: Draft, random: Random): Fields[] {
  const parts: Fields[] = [];
  if (random.chance(4)) parts.push({ part_kind: 'thinking', content: freshText(draft, 'thought'), signature: 'sig' });
  if (random.chance(2)) parts.push(say(draft));
  if (random.chance(6)) parts.push(...builtinPair(draft));
  if (random.chance(10)) parts.push({ part_kind: 'future-part', payload: freshText(draft, 'future') });
  return parts;
}

function answering(random: Random, parts: Fields[]): Fields {
  const message = response(parts);
  if (random.chance(2)) Object.assign(message, { model_name: 'm', timestamp, usage: { input_tokens: 1 } });
  return message;
}

function pushStep(draft: Draft, random: Random): void {
  const calls = Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, () => call(draft, random));
  const results = calls.map((asked) =>
    random.chance(8) ? retry(draft, asked['tool_call_id']) : result(draft, asked['tool_call_id'], random),
  );
  if (random.chance(4)) results.reverse();
  if (random.chance(6)) results.push(prompt(draft, random));
  draft.messages.push(answering(random, [...openingParts(draft, random), ...calls]), request(results));
}

function userMessage(draft: Draft, random: Random): Fields {
  const parts = [prompt(draft, random)];
  if (draft.messages.length === 0 && random.chance(2))
    parts.unshift({ part_kind: 'system-prompt', content: freshText(draft, 'rules'), timestamp });
  const message = request(parts);
  if (random.chance(3)) Object.assign(message, { instructions: 'be kind', run_id: freshId(draft, 'run_') });
  return message;
}

/** A healthy history, as a list or as one that is about to be sent. */
export function draftPydantic(random: Random): Draft {
  const draft = startDraft('pydantic-ai');
  if (random.chance(2)) draft.purpose = random.pick(['history', 'request']);
  const asRequest = draft.purpose === 'request';
  addTurns(draft, random, {
    user: userMessage,
    step: pushStep,
    answer: () => answering(random, [...openingParts(draft, random), say(draft)]),
    asRequest,
  });
  return draft;
}
