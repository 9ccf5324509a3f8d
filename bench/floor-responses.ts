import { answer, endTurn, openCall, type Calls } from './floor-calls.ts';
import type { ResponsesItem } from './wire-shapes.ts';

/** A result may stand anywhere behind its call, so one `Map` serves the whole history and not a turn. */
export function checkResponses(items: readonly ResponsesItem[]): number {
  const calls: Calls = new Map();
  let faults = 0;
  for (const item of items) {
    if (item.type === 'function_call') faults += openCall(calls, item.call_id);
    else if (item.type === 'function_call_output') faults += answer(calls, item.call_id);
    else if (item.content === null) faults += 1;
  }
  return faults + endTurn(calls);
}

type Walk = {
  readonly items: readonly ResponsesItem[];
  /** Undefined until the first edit: a clean history is returned as it came. */
  output: ResponsesItem[] | undefined;
  /** Where the first call and the first result with an id stand. */
  readonly calls: Map<string, number>;
  readonly results: Map<string, number>;
  /** Results that wait for the end of a run of calls. */
  readonly waiting: ResponsesItem[];
};

/** Whether a call was answered is known only at the end, so this walks once to find the ids and once to write. */
export function minimalRepairResponses(items: readonly ResponsesItem[]): readonly ResponsesItem[] {
  const walk: Walk = { items, output: undefined, calls: new Map(), results: new Map(), waiting: [] };
  items.forEach((item, index) => {
    if (item.type === 'function_call') noteFirst(walk.calls, item.call_id, index);
    else if (item.type === 'function_call_output') noteFirst(walk.results, item.call_id, index);
  });
  items.forEach((item, index) => {
    if (walk.waiting.length > 0 && item.type !== 'function_call') addWaiting(walk, index);
    const written = rewrite(walk, item, index);
    if (written !== item) outputFrom(walk, index);
    if (written !== undefined) walk.output?.push(written);
  });
  if (walk.waiting.length > 0) addWaiting(walk, items.length);
  return walk.output ?? items;
}

function noteFirst(places: Map<string, number>, id: string, index: number): void {
  if (!places.has(id)) places.set(id, index);
}

function outputFrom(walk: Walk, index: number): ResponsesItem[] {
  walk.output ??= walk.items.slice(0, index);
  return walk.output;
}

function addWaiting(walk: Walk, index: number): void {
  outputFrom(walk, index).push(...walk.waiting);
  walk.waiting.length = 0;
}

/** The entry as it is to be sent; undefined when it is left out here. */
function rewrite(walk: Walk, item: ResponsesItem, index: number): ResponsesItem | undefined {
  if (item.type === 'function_call') {
    if (walk.calls.get(item.call_id) !== index) return undefined;
    const result = resultBefore(walk, item.call_id, index);
    if (result !== undefined) walk.waiting.push(result);
    return item;
  }
  if (item.type === 'function_call_output') {
    const call = walk.calls.get(item.call_id);
    if (walk.results.get(item.call_id) !== index) return undefined;
    if (call === undefined) {
      return { role: 'user', content: `A result whose call is not in this history:\n${item.output}` };
    }
    return call < index ? item : undefined;
  }
  return item.content === null ? undefined : item;
}

/** What must follow a call that nothing behind it answers: the result that came too early, or a placeholder. */
function resultBefore(walk: Walk, id: string, index: number): ResponsesItem | undefined {
  const at = walk.results.get(id);
  if (at === undefined) return { type: 'function_call_output', call_id: id, output: 'No result was recorded.' };
  return at < index ? walk.items[at] : undefined;
}
