import type { JsonObject } from '../judges/docket.ts';
import { Frames, inputPieces, pieces } from './frames.ts';

/** Writes the events of one response; each carries the next number. */
class Telling {
  readonly frames = new Frames();
  #number = 0;

  tell(type: string, fields: object): void {
    this.frames.event(type, { type, sequence_number: this.#number++, ...fields });
  }
}

/** A finished response as the events that lead to it. */
export function streamResponse(response: JsonObject): Frames {
  const telling = new Telling();
  const begun = { ...response, status: 'in_progress', incomplete_details: null, output: [], usage: null };
  telling.tell('response.created', { response: begun });
  telling.tell('response.in_progress', { response: begun });
  for (const [index, item] of (response.output as JsonObject[]).entries()) streamEntry(telling, item, index);
  telling.tell(response.status === 'incomplete' ? 'response.incomplete' : 'response.completed', { response });
  return telling.frames;
}

function streamEntry(telling: Telling, item: JsonObject, output_index: number): void {
  telling.tell('response.output_item.added', { output_index, item: emptied(item) });
  const at = { item_id: item.id, output_index };
  if (item.type === 'message') streamMessage(telling, item, at);
  else if (item.type === 'reasoning') streamReasoning(telling, item, at);
  else if (item.type === 'function_call') {
    for (const delta of inputPieces(String(item.arguments))) {
      telling.tell('response.function_call_arguments.delta', { ...at, delta });
    }
    telling.frames.markCall();
    telling.tell('response.function_call_arguments.done', { ...at, arguments: item.arguments, name: item.name });
  } else if (item.type === 'custom_tool_call') {
    for (const delta of inputPieces(String(item.input))) {
      telling.tell('response.custom_tool_call_input.delta', { ...at, delta });
    }
    telling.frames.markCall();
    telling.tell('response.custom_tool_call_input.done', { ...at, input: item.input });
  }
  telling.tell('response.output_item.done', { output_index, item });
}

type Place = { readonly item_id: unknown; readonly output_index: number };

function streamMessage(telling: Telling, item: JsonObject, at: Place): void {
  for (const [content_index, part] of (item.content as JsonObject[]).entries()) {
    const place = { ...at, content_index };
    if (part.type === 'refusal') {
      telling.tell('response.content_part.added', { ...place, part: { type: 'refusal', refusal: '' } });
      for (const delta of pieces(String(part.refusal))) telling.tell('response.refusal.delta', { ...place, delta });
      telling.tell('response.refusal.done', { ...place, refusal: part.refusal });
    } else {
      telling.tell('response.content_part.added', { ...place, part: { ...part, text: '' } });
      for (const delta of pieces(String(part.text))) {
        telling.tell('response.output_text.delta', { ...place, delta, logprobs: [] });
      }
      telling.tell('response.output_text.done', { ...place, text: part.text, logprobs: [] });
    }
    telling.tell('response.content_part.done', { ...place, part });
  }
}

function streamReasoning(telling: Telling, item: JsonObject, at: Place): void {
  for (const [summary_index, part] of (item.summary as JsonObject[]).entries()) {
    const place = { ...at, summary_index };
    telling.tell('response.reasoning_summary_part.added', { ...place, part: { ...part, text: '' } });
    for (const delta of pieces(String(part.text))) {
      telling.tell('response.reasoning_summary_text.delta', { ...place, delta });
    }
    telling.tell('response.reasoning_summary_text.done', { ...place, text: part.text });
    telling.tell('response.reasoning_summary_part.done', { ...place, part });
  }
}

/** An item as it is announced, before anything of it was said. */
function emptied(item: JsonObject): JsonObject {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] };
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' };
  if (item.type === 'custom_tool_call') return { ...item, status: 'in_progress', input: '' };
  // The sealed reasoning of an announced item is not the final one, so a client must not keep it.
  return item.type === 'reasoning' ? { id: item.id, type: 'reasoning', summary: [] } : item;
}
