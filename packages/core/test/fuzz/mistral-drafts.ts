import { type Draft, type Fields, freshText, startDraft } from './draft.ts';
import type { Random } from './random.ts';

const models: readonly (string | undefined)[] = [
  undefined,
  undefined,
  'mistral-medium-latest',
  'magistral-medium-latest',
  'mistral-small-2603',
  'ministral-8b-2410',
];

const thinks = (draft: Draft): boolean => /magistral|2603/.test(draft.model ?? '');
const isRelaxed = (draft: Draft): boolean => draft.model?.endsWith('2603') === true;

/** Nine letters and digits. */
export const freshNine = (draft: Draft): string => `c${(draft.count += 1)}`.padEnd(9, 'Z');

export const call = (draft: Draft, id: string = freshNine(draft)): Fields => ({
  id,
  type: 'function',
  function: { name: 'read_file', arguments: JSON.stringify({ path: freshText(draft, 'path') }) },
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
  ...(random.chance(4) ? { name: 'read_file' } : {}),
});

/** A user's own words, in each of the shapes the API takes them. */
export function userMessage(draft: Draft, random: Random): Fields {
  const said = { type: 'text', text: freshText(draft, 'question') };
  const shape = random.below(7);
  if (shape === 0) return { role: 'user', content: [said] };
  if (shape === 1) return { role: 'user', content: [said, { type: 'image_url', image_url: 'data:,' }] };
  if (shape === 2)
    return { role: 'user', content: [{ type: 'document_url', document_url: 'https://example.org' }, said] };
  if (shape === 3)
    return { role: 'user', content: [{ type: 'future_chunk', payload: freshText(draft, 'future') }, said] };
  return { role: 'user', content: freshText(draft, 'question') };
}

export const thought = (draft: Draft): Fields => ({
  type: 'thinking',
  thinking: [{ type: 'text', text: freshText(draft, 'thought') }],
});

function answer(draft: Draft, random: Random): Fields {
  const text = freshText(draft, 'answer');
  if (thinks(draft) && random.chance(2))
    return { role: 'assistant', content: [thought(draft), { type: 'text', text }] };
  return random.chance(3)
    ? { role: 'assistant', content: [{ type: 'text', text }], prefix: false }
    : { role: 'assistant', content: text, ...(random.chance(4) ? { tool_calls: [] } : {}) };
}

function pushStep(draft: Draft, random: Random): void {
  const calls = Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, () => call(draft));
  const content = random.pick<unknown>(['', null, [], freshText(draft, 'let me look')]);
  draft.messages.push({ role: 'assistant', content, tool_calls: calls, prefix: false });
  const results = calls.map((asked) => result(draft, asked['id'], random));
  if (random.chance(4)) results.reverse();
  draft.messages.push(...results);
}

/** A healthy history for its model, as a list or as a whole request. */
export function draftMistral(random: Random): Draft {
  const draft = startDraft('mistral-chat', random.pick(models));
  const asRequest = random.chance(2);
  if (random.chance(2)) draft.messages.push({ role: 'system', content: freshText(draft, 'rules') });
  const turns = random.between(asRequest ? 1 : 0, 4);
  for (let turn = 0; turn < turns; turn += 1) {
    draft.messages.push(userMessage(draft, random));
    if (random.chance(8))
      draft.messages.push({ role: 'system', content: freshText(draft, 'note') }, userMessage(draft, random));
    const steps = random.pick([0, 0, 1, 1, 2]);
    for (let step = 0; step < steps; step += 1) pushStep(draft, random);
    const last = turn === turns - 1;
    if (!last && steps > 0 && isRelaxed(draft) && random.chance(2)) continue;
    if (!last || (!asRequest && random.chance(2))) draft.messages.push(answer(draft, random));
    else if (steps === 0 && random.chance(4))
      draft.messages.push({ role: 'assistant', content: freshText(draft, 'part'), prefix: true });
  }
  if (!asRequest) return draft;
  const tools = [{ type: 'function', function: { name: 'read_file', parameters: {} } }];
  draft.body = { tools, n: 1, ...(draft.model === undefined ? {} : { model: draft.model }) };
  return draft;
}
