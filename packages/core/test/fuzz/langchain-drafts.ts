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

const models: readonly string[] = ['gpt-5', 'claude-sonnet-4-5', 'gemini-3-flash', 'o3'];

const call = (draft: Draft, id: string = freshId(draft, 'call_')): Fields => ({
  name: 'read_file',
  args: { path: freshText(draft, 'path') },
  id,
  type: 'tool_call',
});

const text = (draft: Draft, word: string): Fields => ({ type: 'text', text: freshText(draft, word) });

function user(draft: Draft, random: Random): Fields {
  const shape = random.below(6);
  if (shape === 0) return { type: 'human', content: [text(draft, 'question')] };
  if (shape === 1) {
    const image = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } };
    return { type: 'human', content: [text(draft, 'question'), image], id: 'm' };
  }
  if (shape === 2) {
    return {
      type: 'human',
      content: [{ type: 'future_part', payload: freshText(draft, 'future') }, text(draft, 'so')],
    };
  }
  return { type: 'human', content: freshText(draft, 'question'), additional_kwargs: {}, response_metadata: {} };
}

function say(draft: Draft, random: Random): Fields {
  if (random.chance(3)) {
    const thought = { type: 'thinking', thinking: freshText(draft, 'why'), signature: 'sig' };
    return { type: 'ai', content: [thought, text(draft, 'answer')], tool_calls: [] };
  }
  return { type: 'ai', content: freshText(draft, 'answer'), ...(random.chance(2) ? { tool_calls: [] } : {}) };
}

/** An answer whose calls may stand in one, two or three places. */
function calling(draft: Draft, random: Random, calls: readonly Fields[]): Fields {
  const message: Fields = { type: 'ai', content: '', tool_calls: [...calls] };
  if (random.chance(3)) message['content'] = freshText(draft, 'let me look');
  if (random.chance(4)) {
    const pieces = calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args }));
    message['content'] = [text(draft, 'let me look'), ...pieces];
  }
  if (random.chance(4)) {
    const raw = calls.map(({ id, name, args }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    message['additional_kwargs'] = { tool_calls: raw };
  }
  return message;
}

function pushStep(draft: Draft, random: Random): void {
  const calls = Array.from({ length: random.pick([1, 1, 2, 2, 3]) }, () => call(draft));
  const results = calls.map(({ id }) => ({
    type: 'tool',
    content: random.pick<unknown>([freshText(draft, 'output'), '', [text(draft, 'output')]]),
    tool_call_id: id,
    name: 'read_file',
    ...(random.chance(4) ? { status: 'error' } : {}),
  }));
  if (random.chance(4)) results.reverse();
  draft.messages.push(calling(draft, random, calls), ...results);
}

/** A healthy history for every model, as a list or as the state of a graph. */
export function draftLangChain(random: Random): Draft {
  const draft = startDraft('langchain');
  if (random.chance(2)) draft.model = random.pick(models);
  const asRequest = random.chance(2);
  if (random.chance(3)) draft.messages.push({ type: 'system', content: freshText(draft, 'rules') });
  addTurns(draft, random, { user, step: pushStep, answer: say, asRequest });
  if (asRequest) draft.body = draft.model ? { model: draft.model } : {};
  return draft;
}

const isResult = (message: unknown): boolean => isFields(message) && message['type'] === 'tool';

/** The copies of a call beside it go with it when it is changed, as they would in a history that was cut or renamed. */
function callsIn(draft: Draft): CallSpot[] {
  return placesOf(draft, (message) => message['type'] === 'ai').flatMap(({ index, message }) => {
    const calls = listOf(message, 'tool_calls');
    return calls.filter(isFields).map((found) => ({
      index,
      get fields(): Fields {
        if (Array.isArray(message['content'])) message['content'] = freshText(draft, 'let me look');
        delete message['additional_kwargs'];
        return found;
      },
      add: (other: Fields) => void calls.splice(calls.indexOf(found) + 1, 0, other),
    }));
  });
}

function resultsIn(draft: Draft): ResultSpot[] {
  return placesOf(draft, isResult).map(({ index, message }) => ({
    index,
    fields: message,
    remove: () => void draft.messages.splice(draft.messages.indexOf(message), 1),
  }));
}

/** How LangChain messages are put down. */
export const chainSpeech: Speech = {
  dialect: 'langchain',
  callId: 'id',
  callName: 'name',
  resultId: 'tool_call_id',
  user,
  say,
  call,
  calling: (_draft, ...calls) => [{ type: 'ai', content: '', tool_calls: [...calls] }],
  returning: (draft, id, said = freshText(draft, 'output')) => ({ type: 'tool', content: said, tool_call_id: id }),
  calls: callsIn,
  results: resultsIn,
  isResult,
  setText: (found, said) => void (found['content'] = said),
};
