import { type Draft, type Fields, addTurns, freshId, freshText, startDraft } from './draft.ts';
import type { Random } from './random.ts';

const models: readonly string[] = ['gpt-4.1-mini', 'gpt-4o', 'gpt-5.6', 'o3'];

export const call = (draft: Draft, id: string = freshId(draft, 'call_')): Fields => ({
  id,
  type: 'function',
  function: { name: 'read_file', arguments: JSON.stringify({ path: freshText(draft, 'path') }) },
});

const customCall = (draft: Draft): Fields => ({
  id: freshId(draft, 'call_'),
  type: 'custom',
  custom: { name: 'shell', input: freshText(draft, 'ls') },
});

export const result = (draft: Draft, id: unknown, random: Random): Fields => ({
  role: 'tool',
  tool_call_id: id,
  content: random.pick<() => unknown>([
    () => freshText(draft, 'output'),
    () => freshText(draft, 'output'),
    () => '',
    () => [{ type: 'text', text: freshText(draft, 'output') }],
  ])(),
});

/** A user's own words, in each of the shapes the API takes them. */
export function userMessage(draft: Draft, random: Random): Fields {
  const said = { type: 'text', text: freshText(draft, 'question') };
  const shape = random.below(7);
  if (shape === 0) return { role: 'user', content: [said] };
  if (shape === 1) return { role: 'user', content: [said, { type: 'image_url', image_url: { url: 'data:,' } }] };
  if (shape === 2)
    return { role: 'user', content: [{ type: 'future_part', payload: freshText(draft, 'future') }, said] };
  if (shape === 3) return { role: 'user', content: freshText(draft, 'question'), name: 'ann', weight: 1 };
  return { role: 'user', content: freshText(draft, 'question') };
}

function answer(draft: Draft, random: Random): Fields {
  const shape = random.below(6);
  if (shape === 0) return { role: 'assistant', content: [{ type: 'text', text: freshText(draft, 'answer') }] };
  if (shape === 1) return { role: 'assistant', content: null, refusal: freshText(draft, 'no') };
  if (shape === 2)
    return { role: 'assistant', content: freshText(draft, 'answer'), reasoning_content: freshText(draft, 'why') };
  return { role: 'assistant', content: freshText(draft, 'answer') };
}

function pushStep(draft: Draft, random: Random): void {
  const calls = Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, () =>
    random.chance(10) ? customCall(draft) : call(draft),
  );
  const message: Fields = { role: 'assistant', tool_calls: calls };
  if (random.chance(3)) message['content'] = freshText(draft, 'let me look');
  else if (random.chance(2)) message['content'] = null;
  const results = calls.map((asked) => result(draft, asked['id'], random));
  if (random.chance(4)) results.reverse();
  draft.messages.push(message, ...results);
}

/** A healthy history for every model, as a list or as a whole request. */
export function draftChat(random: Random): Draft {
  const draft = startDraft('openai-chat');
  if (random.chance(2)) draft.model = random.pick(models);
  const asRequest = random.chance(2);
  if (random.chance(2))
    draft.messages.push({ role: random.pick(['system', 'developer']), content: freshText(draft, 'rules') });
  addTurns(draft, random, { user: userMessage, step: pushStep, answer, asRequest, mayEndAnswered: true });
  if (!asRequest) return draft;
  const tools = [{ type: 'function', function: { name: 'read_file', parameters: {} } }];
  draft.body = { model: draft.model ?? 'gpt-4.1', tools, temperature: 0 };
  return draft;
}
