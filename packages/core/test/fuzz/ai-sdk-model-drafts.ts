import {
  type Draft,
  type Fields,
  addTurns,
  freshId,
  freshText,
  isFields,
  listOf,
  placesOf,
  startDraft,
} from './draft.ts';
import type { Random } from './random.ts';
import type { CallSpot, ResultSpot, Speech } from './speech.ts';

const models: readonly string[] = ['openai/gpt-5', 'anthropic/claude-sonnet-4.5', 'google/gemini-3-flash', 'o3'];

const text = (draft: Draft, word: string): Fields => ({ type: 'text', text: freshText(draft, word) });

const call = (draft: Draft, id: string = freshId(draft, 'call_')): Fields => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'read_file',
  input: { path: freshText(draft, 'path') },
});

const result = (id: unknown, output: unknown): Fields => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'read_file',
  output,
});

const anyOutput = (draft: Draft, random: Random): Fields =>
  random.pick<() => Fields>([
    () => ({ type: 'text', value: freshText(draft, 'output') }),
    () => ({ type: 'json', value: { rows: [freshText(draft, 'row')] } }),
    () => ({ type: 'error-text', value: freshText(draft, 'failed') }),
    () => ({ type: 'text', value: '' }),
    () => ({
      type: 'content',
      value: [text(draft, 'output'), { type: 'file-data', data: 'AA', mediaType: 'image/png' }],
    }),
  ])();

function user(draft: Draft, random: Random): Fields {
  const shape = random.below(6);
  if (shape === 0) return { role: 'user', content: [text(draft, 'question')] };
  if (shape === 1) {
    const file = { type: 'file', data: 'AAAA', mediaType: 'image/png' };
    return {
      role: 'user',
      content: [
        text(draft, 'question'),
        random.chance(2) ? file : { type: 'image', image: 'AA', mediaType: 'image/png' },
      ],
    };
  }
  if (shape === 2) return { role: 'user', content: freshText(draft, 'question'), weight: 1 };
  return { role: 'user', content: freshText(draft, 'question') };
}

function opening(draft: Draft, random: Random): Fields[] {
  const parts: Fields[] = [];
  if (random.chance(4)) {
    const providerOptions = { anthropic: { signature: 'sig' } };
    parts.push({ type: 'reasoning', text: freshText(draft, 'why'), ...(random.chance(2) ? { providerOptions } : {}) });
  }
  if (random.chance(6)) parts.push(...searched(draft));
  if (random.chance(8)) parts.push({ type: 'custom', kind: 'acme.note', payload: freshText(draft, 'future') });
  if (random.chance(6)) parts.push({ type: 'text', text: '' });
  return parts;
}

/** A call that the provider ran itself, with its result. */
export function searched(draft: Draft): Fields[] {
  const toolCallId = freshId(draft, 'srvtoolu_');
  const found = { type: 'web_search_result', url: 'https://example.org', pageAge: null, encryptedContent: 'AA' };
  return [
    { type: 'tool-call', toolCallId, toolName: 'web_search', input: {}, providerExecuted: true },
    {
      type: 'tool-result',
      toolCallId,
      toolName: 'web_search',
      output: { type: 'json', value: [{ ...found, title: freshText(draft, 'found') }] },
    },
  ];
}

function say(draft: Draft, random: Random): Fields {
  if (random.chance(3)) return { role: 'assistant', content: freshText(draft, 'answer') };
  return { role: 'assistant', content: [...opening(draft, random), text(draft, 'answer')] };
}

/** Calls with their requests for approval, where a person was asked. */
function asking(calls: readonly Fields[], random: Random): { parts: Fields[]; decisions: Fields[] } {
  const parts = [...calls];
  const decisions: Fields[] = [];
  if (!random.chance(6)) return { parts, decisions };
  for (const asked of calls) {
    const approvalId = `ask_${String(asked['toolCallId'])}`;
    parts.push({ type: 'tool-approval-request', approvalId, toolCallId: asked['toolCallId'] });
    decisions.push({ type: 'tool-approval-response', approvalId, approved: true });
  }
  return { parts, decisions };
}

function pushStep(draft: Draft, random: Random): void {
  const calls = Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, () => call(draft));
  const { parts, decisions } = asking(calls, random);
  const content = [...opening(draft, random), ...(random.chance(3) ? [text(draft, 'let me look')] : []), ...parts];
  const results = calls.map((asked) => result(asked['toolCallId'], anyOutput(draft, random)));
  if (random.chance(4)) results.reverse();
  draft.messages.push({ role: 'assistant', content });
  if (decisions.length > 0) draft.messages.push({ role: 'tool', content: decisions });
  if (random.chance(2)) draft.messages.push({ role: 'tool', content: results });
  else draft.messages.push(...results.map((each) => ({ role: 'tool', content: [each] })));
}

/** A healthy history for every model, as a list or as the options of a call to the SDK. */
export function draftAiSdkModel(random: Random): Draft {
  const draft = startDraft('ai-sdk-model');
  if (random.chance(2)) draft.model = random.pick(models);
  const asRequest = random.chance(2);
  addTurns(draft, random, { user, step: pushStep, answer: say, asRequest });
  if (asRequest) draft.body = { ...(draft.model ? { model: draft.model } : {}), tools: { read_file: {} } };
  return draft;
}

const isResult = (message: unknown): boolean => isFields(message) && message['role'] === 'tool';

function callsIn(draft: Draft): CallSpot[] {
  return placesOf(draft, (message) => message['role'] === 'assistant').flatMap(({ index, message }) => {
    const content = listOf(message, 'content');
    const own = content.filter(isFields).filter((part) => part['type'] === 'tool-call' && !part['providerExecuted']);
    return own.map((found) => ({
      index,
      fields: found,
      add: (other: Fields) => void content.splice(content.indexOf(found) + 1, 0, other),
    }));
  });
}

function resultsIn(draft: Draft): ResultSpot[] {
  return placesOf(draft, isResult).flatMap(({ index, message }) => {
    const content = listOf(message, 'content');
    const own = content.filter(isFields).filter((part) => part['type'] === 'tool-result');
    return own.map((found) => ({
      index,
      fields: found,
      remove: () => {
        content.splice(content.indexOf(found), 1);
        if (content.length === 0) draft.messages.splice(draft.messages.indexOf(message), 1);
      },
    }));
  });
}

/** How model messages of the AI SDK are put down. */
export const modelSpeech: Speech = {
  dialect: 'ai-sdk-model',
  callId: 'toolCallId',
  callName: 'toolName',
  resultId: 'toolCallId',
  user,
  say,
  call,
  calling: (_draft, ...calls) => [{ role: 'assistant', content: [...calls] }],
  returning: (draft, id, said = freshText(draft, 'output')) => ({
    role: 'tool',
    content: [result(id, { type: 'text', value: said })],
  }),
  calls: callsIn,
  results: resultsIn,
  isResult,
  setText: (found, value) => {
    delete found['result'];
    found['output'] = { type: 'text', value };
  },
};
