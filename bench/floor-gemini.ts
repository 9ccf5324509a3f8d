import { answer, endTurn, openCall, type Calls } from './floor-calls.ts';
import type { GeminiContent, GeminiPart } from './wire-shapes.ts';

/** Neighbours of one role are one turn; the results of a turn with calls are in the turn behind it, in any order. */
export function checkGemini(contents: readonly GeminiContent[]): number {
  const calls: Calls = new Map();
  let faults = 0;
  let inUserTurn = false;
  for (const { role, parts } of contents) {
    if (parts.length === 0) {
      faults += 1;
      continue;
    }
    if (role === 'model' && inUserTurn) faults += endTurn(calls);
    inUserTurn = role === 'user';
    for (const { functionCall, functionResponse } of parts) {
      if (functionCall !== undefined) faults += openCall(calls, functionCall.id);
      else if (functionResponse !== undefined) faults += answer(calls, functionResponse.id);
    }
  }
  return faults + endTurn(calls);
}

type Call = NonNullable<GeminiPart['functionCall']>;
type Response = NonNullable<GeminiPart['functionResponse']>;

type Walk = {
  readonly contents: readonly GeminiContent[];
  /** Undefined until the first edit: a clean history is returned as it came. */
  output: GeminiContent[] | undefined;
  /** Calls of the turn by id; undefined once they are answered. */
  readonly calls: Map<string, Call | undefined>;
  open: number;
  /** Parts of ours, so that a real result which comes later can take their place. */
  readonly placeholders: Map<string, GeminiPart>;
};

export function minimalRepairGemini(contents: readonly GeminiContent[]): readonly GeminiContent[] {
  const walk: Walk = { contents, output: undefined, calls: new Map(), open: 0, placeholders: new Map() };
  for (let index = 0; index < contents.length; index += 1) {
    const content = contents[index];
    if (content === undefined) continue;
    if (content.parts.length === 0) outputFrom(walk, index);
    else if (content.role === 'model') visitModel(walk, content, index);
    else visitUser(walk, content, index);
  }
  if (walk.open > 0) closeOpenCalls(walk, contents.length);
  return walk.output ?? contents;
}

function outputFrom(walk: Walk, index: number): GeminiContent[] {
  walk.output ??= walk.contents.slice(0, index);
  return walk.output;
}

function visitModel(walk: Walk, content: GeminiContent, index: number): void {
  if (walk.open > 0) closeOpenCalls(walk, index);
  walk.calls.clear();
  for (const { functionCall } of content.parts) {
    if (functionCall !== undefined) walk.calls.set(functionCall.id, functionCall);
  }
  walk.open = walk.calls.size;
  walk.output?.push(content);
}

function visitUser(walk: Walk, content: GeminiContent, index: number): void {
  const { parts } = content;
  for (let at = 0; at < parts.length; at += 1) {
    const response = parts[at]?.functionResponse;
    if (response === undefined || accept(walk, response.id)) continue;
    const output = outputFrom(walk, index);
    const rebuilt = rebuildFrom(walk, parts, at);
    if (rebuilt.length > 0) output.push({ ...content, parts: rebuilt });
    return;
  }
  walk.output?.push(content);
}

function accept(walk: Walk, id: string): boolean {
  if (walk.calls.get(id) === undefined) return false;
  walk.calls.set(id, undefined);
  walk.open -= 1;
  return true;
}

/** Rebuilds the parts of the user, of which those before `start` are in order. */
function rebuildFrom(walk: Walk, parts: readonly GeminiPart[], start: number): GeminiPart[] {
  const rebuilt = parts.slice(0, start);
  for (const part of parts.slice(start)) {
    const response = part.functionResponse;
    if (response === undefined || accept(walk, response.id)) rebuilt.push(part);
    else if (!takePlaceholder(walk, response) && !walk.calls.has(response.id)) rebuilt.push(quote(response));
  }
  return rebuilt;
}

function takePlaceholder(walk: Walk, response: Response): boolean {
  const placeholder = walk.placeholders.get(response.id);
  if (placeholder === undefined) return false;
  placeholder.functionResponse = response;
  walk.placeholders.delete(response.id);
  return true;
}

function closeOpenCalls(walk: Walk, index: number): void {
  const output = outputFrom(walk, index);
  const parts: GeminiPart[] = [];
  for (const [id, call] of walk.calls) {
    if (call === undefined) continue;
    const response = { error: 'No result was recorded.' };
    const placeholder: GeminiPart = { functionResponse: { id, name: call.name, response } };
    walk.placeholders.set(id, placeholder);
    walk.calls.set(id, undefined);
    parts.push(placeholder);
  }
  walk.open = 0;
  output.push({ role: 'user', parts });
}

function quote({ response }: Response): GeminiPart {
  return { text: `A result whose call is not in this history:\n${JSON.stringify(response)}` };
}
