import { type Draft, type Fields, addTurns, freshId, freshText, startDraft } from './draft.ts';
import type { Random } from './random.ts';

const models: readonly (string | undefined)[] = [
  undefined,
  undefined,
  'claude-sonnet-4-5-20250929',
  'claude-opus-4-8',
  'claude-3-7-sonnet-latest',
  'claude-3-5-haiku-latest',
  'claude-fable-5-1',
  'us.anthropic.claude-opus-4-8-v1:0',
];

export const text = (draft: Draft, word = 'text'): Fields => ({ type: 'text', text: freshText(draft, word) });

export const call = (draft: Draft, id: string = freshId(draft, 'toolu_')): Fields => ({
  type: 'tool_use',
  id,
  name: 'read_file',
  input: { path: freshText(draft, 'path') },
});

export const thinking = (draft: Draft): Fields => ({
  type: 'thinking',
  thinking: freshText(draft, 'thought'),
  signature: freshId(draft, 'sig'),
});

export const image = (): Fields => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'aGk=' },
});

const opaque = (draft: Draft): Fields => ({ type: 'future_part', payload: { value: freshText(draft, 'future') } });

export function serverPair(draft: Draft): Fields[] {
  const id = freshId(draft, 'srvtoolu_');
  return [
    { type: 'server_tool_use', id, name: 'web_search', input: { query: freshText(draft, 'query') } },
    {
      type: 'web_search_tool_result',
      tool_use_id: id,
      content: [{ type: 'web_search_result', url: 'https://example.org', title: 'page', encrypted_content: 'ZW5j' }],
    },
  ];
}

export function result(draft: Draft, id: unknown, random: Random): Fields {
  const part: Fields = { type: 'tool_result', tool_use_id: id };
  const shape = random.below(7);
  if (shape === 0) return part;
  if (shape === 1) part['content'] = '';
  else if (shape === 2) part['content'] = [text(draft, 'output'), image()];
  else if (shape === 3) part['content'] = [text(draft, 'output')];
  else part['content'] = freshText(draft, 'output');
  if (shape === 4) part['is_error'] = true;
  if (shape === 5) part['is_error'] = false;
  return part;
}

/** A user's own words, in each of the shapes the API takes them. */
export function userMessage(draft: Draft, random: Random): Fields {
  const shape = random.below(8);
  if (shape < 4) return { role: 'user', content: freshText(draft, 'question') };
  const content = [text(draft, 'question')];
  if (shape === 5) content.push(image());
  if (shape === 6) content.push({ type: 'document', source: { type: 'text', data: 'paper' }, title: 'paper' });
  if (shape === 7) content.unshift(opaque(draft));
  return { role: 'user', content };
}

interface Habits {
  readonly thinks: boolean;
  readonly searches: boolean;
}

function openingParts(draft: Draft, random: Random, habits: Habits): Fields[] {
  const content: Fields[] = [];
  if (habits.thinks) content.push(thinking(draft));
  if (habits.thinks && random.chance(6)) content.push({ type: 'redacted_thinking', data: freshId(draft, 'data') });
  if (random.chance(2)) content.push(text(draft, 'answer'));
  if (habits.searches && random.chance(3)) content.push(...serverPair(draft));
  if (random.chance(10)) content.push(opaque(draft));
  return content;
}

/** One step: a batch of calls and the user turn that answers all of it. */
function pushStep(draft: Draft, random: Random, habits: Habits): void {
  const calls = Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, () => call(draft));
  const opening = openingParts(draft, random, habits);
  if (opening.length > 0 && opening.at(-1)?.['type'] === 'text' && random.chance(8)) {
    draft.messages.push({ role: 'assistant', content: opening }, { role: 'assistant', content: calls });
  } else draft.messages.push({ role: 'assistant', content: [...opening, ...calls] });
  const results = calls.map((part) => result(draft, part['id'], random));
  if (random.chance(4)) results.reverse();
  if (results.length > 1 && random.chance(8)) draft.messages.push({ role: 'user', content: results.splice(0, 1) });
  if (random.chance(6)) results.push(text(draft, 'aside'));
  draft.messages.push({ role: 'user', content: results });
}

function closingMessage(draft: Draft, random: Random, habits: Habits): Fields {
  const content = [...openingParts(draft, random, habits), text(draft, 'answer')];
  return content.length === 1 && random.chance(2)
    ? { role: 'assistant', content: freshText(draft, 'answer') }
    : { role: 'assistant', content };
}

function wrap(draft: Draft, random: Random, habits: Habits): void {
  const tools: Fields[] = [{ name: 'read_file', description: 'reads', input_schema: { type: 'object' } }];
  if (habits.searches) tools.push({ type: 'web_search_20250305', name: 'web_search' });
  draft.body = { max_tokens: 64, tools };
  if (draft.model !== undefined) draft.body['model'] = draft.model;
  if (habits.thinks) draft.body['thinking'] = { type: 'enabled', budget_tokens: 32 };
  if (random.chance(2)) draft.body['system'] = freshText(draft, 'system');
}

/** A healthy history under the strict reading of the contract, as a list or as a whole request. */
export function draftAnthropic(random: Random): Draft {
  const draft = startDraft('anthropic-messages', random.pick(models));
  const habits = { thinks: random.chance(4), searches: random.chance(4) };
  const asRequest = random.chance(2);
  const step = (): void => pushStep(draft, random, habits);
  addTurns(draft, random, { user: userMessage, step, answer: () => closingMessage(draft, random, habits), asRequest });
  if (asRequest) wrap(draft, random, habits);
  return draft;
}
