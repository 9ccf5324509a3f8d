import { isObject, listAt, numberAt, objectAt, optional, parseJson, textAt, type JsonObject } from '../json.ts';
import type { Meaning } from '../pieces/read-pieces.ts';
import { textPart, type Part } from '../wire/turn.ts';
import { promptIn } from './detect.ts';
import type { Mark } from './choose.ts';

/** Kinds of events that are notes: nobody is sent anything of them. */
const NOTES: ReadonlySet<string> = new Set(
  `SystemPromptEvent PauseEvent ConversationStateUpdateEvent LLMCompletionLogEvent TokenEvent CondensationRequest
  StreamingDeltaEvent HookExecutionEvent ConversationErrorEvent ACPToolCallEvent ResumeTranscriptEvent
  InterruptEvent`.split(/\s+/),
);

/** What an event of the present program says in the conversation. */
export function newMeaning(event: JsonObject): Meaning<Mark> {
  const kind = textAt(event, 'kind') ?? '';
  const notes = { time: textAt(event, 'timestamp'), ...optional('prompt', promptIn(event)) };
  const mark: Mark = {
    id: textAt(event, 'id'),
    parent: textAt(event, 'parent_id'),
    answer: textAt(event, 'llm_response_id'),
  };
  if (kind === 'SystemPromptEvent') {
    return { mark, notes: { ...notes, system: textAt(objectAt(event, 'system_prompt'), 'text') } };
  }
  if (kind === 'Condensation') {
    const forgets = listAt(event, 'forgotten_event_ids').filter((id) => typeof id === 'string');
    const summary = textAt(event, 'summary');
    const at = numberAt(event, 'summary_offset');
    const isTold = summary !== undefined && at !== undefined;
    const told = { ...mark, forgets: new Set(forgets), ...optional('insertAt', isTold ? at : undefined) };
    return { ...(isTold ? { turns: [{ role: 'user', parts: textPart(summary) }] } : {}), mark: told, notes };
  }
  const turn = turnOf(event, kind);
  if (turn !== undefined) return { turns: [turn], mark, notes };
  return {
    mark,
    notes,
    ...(NOTES.has(kind) ? {} : { unknown: `Events of the kind ${kind} are not known here.` }),
  };
}

const textsIn = (content: unknown): string =>
  (Array.isArray(content) ? content : []).map((part) => textAt(part, 'text') ?? '').join('\n');

function turnOf(event: JsonObject, kind: string): { role: 'user' | 'assistant'; parts: Part[] } | undefined {
  switch (kind) {
    case 'MessageEvent': {
      const message = objectAt(event, 'llm_message') ?? {};
      const text = textsIn([...listAt(message, 'content'), ...listAt(event, 'extended_content')]);
      return {
        role: message['role'] === 'assistant' ? 'assistant' : 'user',
        parts: [...reasoningIn(message), ...textPart(text)],
      };
    }
    case 'ActionEvent':
      return {
        role: 'assistant',
        parts: [...reasoningIn(event), ...textPart(textsIn(event['thought'])), callIn(event)],
      };
    case 'ObservationEvent': {
      const observation = objectAt(event, 'observation');
      const text = textsIn([...listAt(observation, 'content'), ...listAt(event, 'extended_content')]);
      return { role: 'user', parts: [resultOf(event, text || outputOf(observation))] };
    }
    case 'UserRejectObservation':
      return { role: 'user', parts: [resultOf(event, `Action rejected: ${textAt(event, 'rejection_reason') ?? ''}`)] };
    case 'AgentErrorEvent':
      return { role: 'user', parts: [resultOf(event, textAt(event, 'error') ?? '')] };
    default:
      return undefined;
  }
}

/** Older observations keep their text under names of their own. */
const outputOf = (observation: JsonObject | undefined): string =>
  textAt(observation, 'output') ?? textAt(observation, 'content') ?? '';

function reasoningIn(holder: JsonObject): Part[] {
  const blocks = listAt(holder, 'thinking_blocks').filter(isObject);
  if (blocks.length > 0) {
    return blocks.map((block) => ({
      kind: 'reasoning',
      text: textAt(block, 'thinking') ?? '',
      ...optional('seal', textAt(block, 'signature')),
    }));
  }
  const text = textAt(holder, 'reasoning_content');
  return text ? [{ kind: 'reasoning', text }] : [];
}

function callIn(event: JsonObject): Part {
  const call = objectAt(event, 'tool_call');
  const input = parseJson(textAt(call, 'arguments') ?? textAt(objectAt(call, 'function'), 'arguments') ?? '');
  return {
    kind: 'call',
    id: textAt(event, 'tool_call_id') ?? textAt(call, 'id') ?? '',
    name: textAt(event, 'tool_name') ?? textAt(call, 'name') ?? '',
    input: isObject(input) ? input : {},
  };
}

const resultOf = (event: JsonObject, text: string): Part => ({
  kind: 'result',
  id: textAt(event, 'tool_call_id') ?? '',
  name: textAt(event, 'tool_name') ?? '',
  text,
});
