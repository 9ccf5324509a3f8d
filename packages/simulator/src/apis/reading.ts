import { isObject, type JsonObject } from '../judges/docket.ts';
import type { ApiName } from './api.ts';

/** A tool as the client declared it. */
export interface ToolSpec {
  readonly name: string;
  /** JSON schema of its input. */
  readonly schema: JsonObject;
}

/** Where a conversation stands: how often the user spoke, and the model's steps since. */
export interface Progress {
  readonly turn: number;
  readonly step: number;
}

const list = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const NO_INPUT: JsonObject = { type: 'object', properties: {} };

/** The client's own tools; what runs at the provider is left out. */
export function readTools(api: ApiName, body: JsonObject): ToolSpec[] {
  if (isForbidden(api, body)) return [];
  const declared =
    api === 'gemini' ? list(body.tools).flatMap((tool) => list(tool.functionDeclarations)) : list(body.tools);
  return declared.flatMap((tool) => {
    const spec = api === 'openai-chat' ? tool.function : tool;
    if (!isObject(spec) || typeof spec.name !== 'string') return [];
    if (api !== 'gemini' && tool.type !== undefined && tool.type !== 'function' && tool.type !== 'custom') return [];
    const schema = spec.input_schema ?? spec.parametersJsonSchema ?? spec.parameters;
    return [{ name: spec.name, schema: isObject(schema) ? schema : NO_INPUT }];
  });
}

function isForbidden(api: ApiName, body: JsonObject): boolean {
  if (api === 'gemini') {
    const config = isObject(body.toolConfig) ? body.toolConfig.functionCallingConfig : undefined;
    return isObject(config) && config.mode === 'NONE';
  }
  const choice = body.tool_choice;
  return choice === 'none' || (isObject(choice) && choice.type === 'none');
}

export function readThinking(api: ApiName, body: JsonObject): boolean {
  if (api === 'anthropic-messages') {
    return isObject(body.thinking) && (body.thinking.type === 'enabled' || body.thinking.type === 'adaptive');
  }
  if (api === 'openai-responses') return isObject(body.reasoning);
  if (api === 'openai-chat') return false;
  const config = isObject(body.generationConfig) ? body.generationConfig.thinkingConfig : undefined;
  return isObject(config) && config.includeThoughts === true;
}

export function readProgress(api: ApiName, body: JsonObject): Progress {
  const field = api === 'gemini' ? body.contents : api === 'openai-responses' ? body.input : body.messages;
  let turn = typeof field === 'string' ? 1 : 0;
  let step = 0;
  let answering = false;
  for (const message of list(field)) {
    const speaker = speakerOf(api, message);
    if (speaker === 'user') {
      turn++;
      step = 0;
    } else if (speaker === 'model' && !answering) step++;
    answering = speaker === 'model';
  }
  return { turn, step };
}

type Speaker = 'user' | 'model' | 'tool' | 'other';

function speakerOf(api: ApiName, message: JsonObject): Speaker {
  const { role, type } = message;
  if (api === 'openai-responses' && role === undefined) {
    if (type === 'reasoning' || type === 'function_call' || type === 'custom_tool_call') return 'model';
    return typeof type === 'string' && type.endsWith('_output') ? 'tool' : 'other';
  }
  if (role === 'assistant' || role === 'model') return 'model';
  if (role === 'tool' || role === 'function') return 'tool';
  if (role !== 'user' && !(api === 'gemini' && role === undefined)) return 'other';
  const parts = list(api === 'gemini' ? message.parts : message.content);
  const results = parts.filter((part) => part.type === 'tool_result' || part.functionResponse !== undefined);
  return results.length > 0 ? 'tool' : 'user';
}
