import { type Draft, type Fields, addTurns, freshId, freshText, startDraft } from './draft.ts';
import type { Random } from './random.ts';

const models: readonly string[] = ['gpt-4.1', 'gpt-5', 'gpt-5.6', 'o3', 'openai/gpt-oss-20b', 'somebody-1'];

export const call = (draft: Draft, more: Fields = {}): Fields => ({
  type: 'function_call',
  call_id: freshId(draft, 'call_'),
  name: 'read_file',
  arguments: JSON.stringify({ path: freshText(draft, 'path') }),
  ...more,
});

const customCall = (draft: Draft): Fields => ({
  type: 'custom_tool_call',
  call_id: freshId(draft, 'call_'),
  name: 'shell',
  input: freshText(draft, 'ls'),
});

const otherCalls: readonly ((draft: Draft) => Fields)[] = [
  (draft) => ({
    type: 'tool_search_call',
    call_id: freshId(draft, 'call_'),
    execution: 'client',
    arguments: { query: freshText(draft, 'query') },
  }),
  (draft) => ({ type: 'shell_call', call_id: freshId(draft, 'call_'), action: { commands: [freshText(draft, 'ls')] } }),
  (draft) => ({
    type: 'apply_patch_call',
    call_id: freshId(draft, 'call_'),
    operation: { type: 'update_file', diff: freshText(draft, 'diff') },
  }),
  (draft) => ({ type: 'computer_call', call_id: freshId(draft, 'call_'), action: { type: freshText(draft, 'click') } }),
];

/** The type of the entry that answers a call. */
export const outputType = ({ type }: Fields): string =>
  type === 'tool_search_call' ? 'tool_search_output' : `${String(type)}_output`;

export function output(draft: Draft, asked: Fields, random: Random): Fields {
  const type = outputType(asked);
  const common = { type, call_id: asked['call_id'] };
  if (type === 'tool_search_output')
    return { ...common, execution: 'client', tools: [{ name: freshText(draft, 'tool') }] };
  if (type === 'computer_call_output')
    return { ...common, output: { type: 'computer_screenshot', image_url: 'data:,' } };
  if (type === 'shell_call_output') return { ...common, output: [{ stdout: freshText(draft, 'output'), stderr: '' }] };
  const shape = random.below(6);
  if (shape === 0) return { ...common, output: '' };
  if (shape === 1) return { ...common, output: [{ type: 'input_text', text: freshText(draft, 'output') }] };
  if (shape === 2) return { ...common, output: [{ type: 'input_image', image_url: 'data:,' }], status: 'completed' };
  return { ...common, output: freshText(draft, 'output') };
}

/** A user's own words, in each of the shapes the API takes them. */
export function userMessage(draft: Draft, random: Random): Fields {
  const said = { type: 'input_text', text: freshText(draft, 'question') };
  const shape = random.below(7);
  if (shape === 0) return { role: 'user', content: [said] };
  if (shape === 1)
    return { type: 'message', role: 'user', content: [said, { type: 'input_image', image_url: 'data:,' }] };
  if (shape === 2) return { role: 'user', content: [{ ...said, future_key: freshText(draft, 'future') }] };
  if (shape === 3)
    return { role: 'user', content: freshText(draft, 'question'), future_key: freshText(draft, 'future') };
  return { role: 'user', content: freshText(draft, 'question') };
}

export const said = (draft: Draft, more: Fields = {}): Fields => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: freshText(draft, 'answer'), annotations: [] }],
  status: 'completed',
  ...more,
});

export const thought = (draft: Draft, more: Fields = {}): Fields => ({
  type: 'reasoning',
  id: freshId(draft, 'rs_'),
  summary: [{ type: 'summary_text', text: freshText(draft, 'why') }],
  encrypted_content: 'gAAA',
  ...more,
});

function answer(draft: Draft, random: Random): Fields {
  const shape = random.below(6);
  if (shape === 0) return said(draft, { content: [{ type: 'refusal', refusal: freshText(draft, 'no') }] });
  if (shape === 1) return said(draft, { phase: random.pick<unknown>(['commentary', 'final_answer', null]) });
  if (shape === 2) return said(draft);
  return { role: 'assistant', content: freshText(draft, 'answer') };
}

/** What the provider does by itself on the way. */
function hosted(draft: Draft, random: Random): Fields {
  return random.pick<() => Fields>([
    () => ({ type: 'web_search_call', id: freshId(draft, 'ws_'), status: 'completed', action: { type: 'search' } }),
    () => ({ type: 'mcp_call', id: freshId(draft, 'mcp_'), name: 'ask', server_label: 's', arguments: '{}' }),
    () => ({ type: 'tool_search_call', id: freshId(draft, 'tsc_'), call_id: null, execution: 'server', arguments: {} }),
  ])();
}

function anyCall(draft: Draft, random: Random): Fields {
  if (random.chance(8)) return customCall(draft);
  return random.chance(20) ? random.pick(otherCalls)(draft) : call(draft);
}

/** One response with its outputs: thoughts before it only where what came of them keeps its id. */
function pushStep(draft: Draft, random: Random): void {
  if (random.chance(12)) draft.messages.push({ type: 'additional_tools', role: 'developer', tools: [] });
  const calls = Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, () => anyCall(draft, random));
  if (random.chance(3)) {
    draft.messages.push(thought(draft));
    if (random.chance(3)) draft.messages.push(said(draft, { id: freshId(draft, 'msg_'), phase: 'commentary' }));
    else if (random.chance(4))
      draft.messages.push(hosted(draft, random), thought(draft), said(draft, { id: freshId(draft, 'msg_') }));
    else draft.messages.push(call(draft, { id: freshId(draft, 'fc_') }));
    const last = draft.messages.at(-1) as Fields;
    if (last['type'] === 'function_call') calls.unshift(last);
  } else if (random.chance(4)) draft.messages.push(answer(draft, random));
  const results = calls.map((asked) => output(draft, asked, random));
  if (random.chance(4)) results.reverse();
  draft.messages.push(...calls.filter((asked) => !draft.messages.includes(asked)));
  if (random.chance(12)) draft.messages.push(answer(draft, random));
  draft.messages.push(...results);
}

/** A healthy history for every model, as a list or as a whole request. */
export function draftResponses(random: Random): Draft {
  const draft = startDraft('openai-responses');
  if (random.chance(2)) draft.model = random.pick(models);
  const asRequest = random.chance(2);
  if (random.chance(3))
    draft.messages.push({ role: random.pick(['system', 'developer']), content: freshText(draft, 'rules') });
  addTurns(draft, random, { user: userMessage, step: pushStep, answer, asRequest, mayEndAnswered: true });
  if (!asRequest) return draft;
  draft.body = { model: draft.model ?? 'gpt-5', tools: [{ type: 'function', name: 'read_file', parameters: {} }] };
  if (random.chance(3)) draft.body['store'] = false;
  return draft;
}
