import { type Draft, type Fields, addTurns, freshId, freshText, isFields, placesOf, startDraft } from './draft.ts';
import type { Random } from './random.ts';
import type { CallSpot, ResultSpot, Speech } from './speech.ts';

const call = (draft: Draft, id: string = freshId(draft, 'call_')): Fields => ({
  type: 'function_call',
  callId: id,
  name: 'read_file',
  status: 'completed',
  arguments: JSON.stringify({ path: freshText(draft, 'path') }),
});

const otherCalls: readonly ((draft: Draft) => Fields)[] = [
  (draft) => ({
    type: 'tool_search_call',
    call_id: freshId(draft, 'call_'),
    execution: 'client',
    arguments: { query: freshText(draft, 'query') },
  }),
  (draft) => ({ type: 'shell_call', callId: freshId(draft, 'call_'), action: { commands: [freshText(draft, 'ls')] } }),
  (draft) => ({
    type: 'apply_patch_call',
    callId: freshId(draft, 'call_'),
    status: 'completed',
    operation: { type: 'update_file', path: 'a', diff: freshText(draft, 'diff') },
  }),
  (draft) => ({
    type: 'computer_call',
    callId: freshId(draft, 'call_'),
    status: 'completed',
    action: { type: 'type', text: freshText(draft, 'typed') },
  }),
];

const picture = { type: 'input_image', image: 'data:image/png;base64,AAAA' };

function functionOutput(draft: Draft, random: Random): unknown {
  const text = freshText(draft, 'output');
  return random.pick<unknown>([
    { type: 'text', text },
    { type: 'text', text },
    text,
    '',
    [{ type: 'input_text', text }, picture],
    { type: 'image', image: 'https://example.org/a.png' },
  ]);
}

/** What answers a call, whichever tool it is for. */
function answerTo(draft: Draft, asked: Fields, random: Random): Fields {
  const { type, callId } = asked;
  if (type === 'tool_search_call') {
    return {
      type: 'tool_search_output',
      call_id: asked['call_id'],
      execution: 'client',
      tools: [{ name: freshText(draft, 'tool') }],
    };
  }
  if (type === 'shell_call') {
    const output = [{ stdout: freshText(draft, 'output'), stderr: '', outcome: { type: 'exit', exitCode: 0 } }];
    return { type: 'shell_call_output', callId, output };
  }
  if (type === 'apply_patch_call') {
    return { type: 'apply_patch_call_output', callId, status: 'completed', output: freshText(draft, 'output') };
  }
  if (type === 'computer_call') {
    return { type: 'computer_call_result', callId, output: { type: 'computer_screenshot', data: 'data:,' } };
  }
  const output = functionOutput(draft, random);
  return { type: 'function_call_result', name: 'read_file', callId, status: 'completed', output };
}

function user(draft: Draft, random: Random): Fields {
  const said = { type: 'input_text', text: freshText(draft, 'question') };
  const shape = random.below(7);
  if (shape === 0) return { type: 'message', role: 'user', content: [said] };
  if (shape === 1) return { role: 'user', content: [said, picture, { type: 'input_file', file: { id: 'file_1' } }] };
  if (shape === 2) return { role: 'user', content: [{ ...said, futureKey: freshText(draft, 'future') }] };
  if (shape === 3) return { role: 'user', content: freshText(draft, 'question'), providerData: {} };
  return { type: 'message', role: 'user', content: freshText(draft, 'question') };
}

function say(draft: Draft, random: Random): Fields {
  const said = { type: 'output_text', text: freshText(draft, 'answer'), providerData: { annotations: [] } };
  const message = { type: 'message', role: 'assistant', status: 'completed', content: [said] };
  const shape = random.below(6);
  if (shape === 0) return { ...message, content: [{ type: 'refusal', refusal: freshText(draft, 'no') }] };
  if (shape === 1) return { ...message, id: 'FAKE_ID' };
  if (shape === 2) return { ...message, phase: random.pick(['commentary', 'final_answer']) };
  return shape === 3 ? { ...message, id: freshId(draft, 'msg_') } : message;
}

const thought = (draft: Draft, random: Random): Fields => ({
  type: 'reasoning',
  ...(random.chance(4) ? {} : { id: freshId(draft, 'rs_') }),
  content: random.chance(3) ? [] : [{ type: 'input_text', text: freshText(draft, 'why') }],
  ...(random.chance(4) ? { rawContent: [{ type: 'reasoning_text', text: freshText(draft, 'because') }] } : {}),
  providerData: { encryptedContent: 'gAAA' },
});

/** What the provider does by itself on the way. */
function hosted(draft: Draft, random: Random): Fields {
  const id = freshId(draft, random.chance(2) ? 'ws_' : 'mcp_');
  const common = { type: 'hosted_tool_call', id, status: 'completed' };
  if (id.startsWith('ws_')) return { ...common, name: 'web_search_call', providerData: { type: 'web_search' } };
  return {
    ...common,
    name: 'mcp_call',
    providerData: { type: 'mcp_call', name: 'ask', server_label: 's', arguments: '{}' },
  };
}

/** One response with its results. The framework stores calls without the ids that the provider gave them. */
function pushStep(draft: Draft, random: Random): void {
  const calls = Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, () =>
    random.chance(12) ? random.pick(otherCalls)(draft) : call(draft),
  );
  if (random.chance(3)) draft.messages.push(thought(draft, random));
  if (random.chance(6)) draft.messages.push(hosted(draft, random));
  else if (random.chance(3)) draft.messages.push(say(draft, random));
  if (random.chance(3))
    for (const each of calls) if (each['type'] === 'function_call') each['id'] = freshId(draft, 'fc_');
  const results = calls.map((asked) => answerTo(draft, asked, random));
  if (random.chance(4)) results.reverse();
  draft.messages.push(...calls);
  if (random.chance(12)) draft.messages.push(say(draft, random));
  draft.messages.push(...results);
}

function answer(draft: Draft, random: Random): Fields {
  if (random.chance(4)) draft.messages.push(thought(draft, random));
  return say(draft, random);
}

/** A healthy list of items, or the input of a run. */
export function draftAgents(random: Random): Draft {
  const draft = startDraft('openai-agents');
  const asRequest = random.chance(2);
  if (random.chance(4)) draft.messages.push({ role: 'system', content: freshText(draft, 'rules') });
  addTurns(draft, random, { user, step: pushStep, answer, asRequest, mayEndAnswered: true });
  if (asRequest) draft.body = {};
  return draft;
}

const isResult = (message: unknown): boolean => isFields(message) && /_(result|output)$/.test(String(message['type']));

function callsIn(draft: Draft): CallSpot[] {
  return placesOf(draft, ({ type }) => type === 'function_call').map(({ index, message }) => ({
    index,
    fields: message,
    add: (other: Fields) => void draft.messages.splice(draft.messages.indexOf(message) + 1, 0, other),
  }));
}

function resultsIn(draft: Draft): ResultSpot[] {
  return placesOf(draft, ({ type }) => type === 'function_call_result').map(({ index, message }) => ({
    index,
    fields: message,
    remove: () => void draft.messages.splice(draft.messages.indexOf(message), 1),
  }));
}

/** How items of the OpenAI Agents SDK are put down. */
export const agentSpeech: Speech = {
  dialect: 'openai-agents',
  callId: 'callId',
  callName: 'name',
  resultId: 'callId',
  user,
  say,
  call,
  calling: (_draft, ...calls) => [...calls],
  returning: (draft, id, said = freshText(draft, 'output')) => ({
    type: 'function_call_result',
    name: 'read_file',
    callId: id,
    status: 'completed',
    output: { type: 'text', text: said },
  }),
  calls: callsIn,
  results: resultsIn,
  isResult,
  setText: (found, said) => void (found['output'] = { type: 'text', text: said }),
};
