import { isObject, listAt, numberAt, objectAt, optional, parseJson, textAt, type JsonObject } from '../json.ts';
import type { Meaning } from '../pieces/read-pieces.ts';
import { textPart, type Part } from '../wire/turn.ts';
import type { Mark } from './choose.ts';
import { promptIn } from './detect.ts';

const HIDDEN =
  /^(?:agent_state_changed|change_agent_state|recall|null|system|loop_recovery|condensation_request|server_ready)$/;

/** What an event of the older program says in the conversation. */
export function oldMeaning(event: JsonObject): Meaning<Mark> {
  const [action, observation] = [textAt(event, 'action'), textAt(event, 'observation')];
  const id = String(numberAt(event, 'id') ?? '');
  const mark: Mark = { id, answer: answerOf(event) };
  const notes = { time: textAt(event, 'timestamp'), ...optional('prompt', promptIn(event)) };
  const args = objectAt(event, 'args') ?? {};
  if (action === 'system') return { notes: { ...notes, system: textAt(args, 'content') } };
  if (action === 'condensation') return { ...condensation(args), notes };
  if (HIDDEN.test(action ?? observation ?? '')) return { notes, mark };
  if (action === 'message') {
    const role = event['source'] === 'agent' ? ('assistant' as const) : ('user' as const);
    return { turns: [{ role, parts: textPart(textAt(args, 'content')) }], mark, notes };
  }
  if (action !== undefined) return { ...done(event, action), mark, notes };
  return { turns: [{ role: 'user', parts: [seen(event)] }], mark, notes };
}

const answerOf = (event: JsonObject): string | undefined =>
  textAt(objectAt(objectAt(event, 'tool_call_metadata'), 'model_response'), 'id');

/** An action of the model is a call where it was one, and words of its own where it was written in text. */
function done(event: JsonObject, action: string): Meaning<Mark> {
  const metadata = objectAt(event, 'tool_call_metadata');
  const args = objectAt(event, 'args') ?? {};
  const thought = textPart(textAt(args, 'thought') || undefined);
  if (event['source'] !== 'agent') return { turns: [{ role: 'user', parts: textPart(textAt(event, 'message')) }] };
  if (metadata === undefined) {
    const final = action === 'finish' ? textPart(textAt(args, 'final_thought') || textAt(event, 'message')) : [];
    return { turns: [{ role: 'assistant', parts: thought.length > 0 ? thought : final }] };
  }
  const call: Part = {
    kind: 'call',
    id: textAt(metadata, 'tool_call_id') ?? '',
    name: textAt(metadata, 'function_name') ?? action,
    input: argumentsOf(metadata) ?? args,
  };
  // Nothing is ever seen of the end: as a call it would stay open.
  if (action === 'finish')
    return { turns: [{ role: 'assistant', parts: [...thought, ...textPart(textAt(args, 'final_thought'))] }] };
  return { turns: [{ role: 'assistant', parts: [...thought, call] }] };
}

/** What the model wrote is kept with its answer. */
function argumentsOf(metadata: JsonObject): JsonObject | undefined {
  const [choice] = listAt(objectAt(metadata, 'model_response'), 'choices');
  const message = isObject(choice) ? objectAt(choice, 'message') : undefined;
  const id = textAt(metadata, 'tool_call_id');
  const call = listAt(message, 'tool_calls')
    .filter(isObject)
    .find((each) => each['id'] === id);
  const input = parseJson(textAt(call === undefined ? undefined : objectAt(call, 'function'), 'arguments') ?? '');
  return isObject(input) ? input : undefined;
}

function seen(event: JsonObject): Part {
  const metadata = objectAt(event, 'tool_call_metadata');
  const text = textAt(event, 'content') ?? textAt(event, 'message') ?? '';
  if (metadata === undefined) return { kind: 'text', text };
  return {
    kind: 'result',
    id: textAt(metadata, 'tool_call_id') ?? '',
    name: textAt(metadata, 'function_name') ?? '',
    text,
  };
}

/** Forgets events by their numbers, or a range of them; a summary may stand for them. */
function condensation(args: JsonObject): Meaning<Mark> {
  const ids = listAt(args, 'forgotten_event_ids').map(String);
  const [first, last] = [numberAt(args, 'forgotten_events_start_id'), numberAt(args, 'forgotten_events_end_id')];
  const summary = textAt(args, 'summary');
  const at = numberAt(args, 'summary_offset');
  const isTold = summary !== undefined && at !== undefined;
  const range = first === undefined || last === undefined ? undefined : ([first, last] as const);
  const mark: Mark = {
    id: undefined,
    forgets: new Set(ids),
    ...optional('range', range),
    ...optional('insertAt', isTold ? at : undefined),
  };
  return { ...(isTold ? { turns: [{ role: 'user', parts: textPart(summary) }] } : {}), mark };
}
