import { convert, type Dialect } from '@rethread/core';
import { createText, type TextSource } from './text.ts';

export const wireDialects = [
  'anthropic-messages',
  'openai-chat',
  'openai-responses',
  'gemini',
  'bedrock-converse',
  'mistral-chat',
] as const satisfies readonly Dialect[];
export const inMemoryDialects = [
  'pydantic-ai',
  'ai-sdk-model',
  'ai-sdk-ui',
  'langchain',
  'openai-agents',
] as const satisfies readonly Dialect[];

export type Recipe = {
  dialect: Dialect;
  /** One user, one assistant or one tool result each counts as a message, in every dialect. */
  messages: number;
  seed: number;
  /** Tool results of 200 to 20,000 characters, or of 100 to 2,000. */
  results: 'heavy' | 'light';
  /** One defect for so many of the turns; 0 makes a clean history. */
  broken: number;
};

type Call = { id: string; type: 'function'; function: { name: string; arguments: string } };
export type ChatMessage =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; tool_calls?: Call[] }
  | { role: 'tool'; tool_call_id: string; content: string };

/** Makes the same history from the same recipe in any process. */
export function generateHistory(recipe: Recipe): object[] {
  const { dialect, broken } = recipe;
  const chat = chatHistory(recipe);
  const turns = chat.filter(({ role }) => role === 'user').length;
  const list = dialect === 'openai-chat' ? chat : convert(chat, { from: 'openai-chat', to: dialect }).output;
  plantDefects(list as object[], Math.ceil(turns * broken));
  return list as object[];
}

/** The same as JSON. One JSON.stringify of a long list takes five times as long. */
export function historyText(recipe: Recipe): string {
  return `[${generateHistory(recipe)
    .map((message) => JSON.stringify(message))
    .join(',')}]`;
}

export function chatHistory({ messages, seed, results }: Omit<Recipe, 'dialect' | 'broken'>): ChatMessage[] {
  const source = createText(seed);
  const history: ChatMessage[] = [];
  while (history.length < messages) history.push(...generateTurn(source, results));
  return history;
}

function generateTurn(source: TextSource, results: Recipe['results']): ChatMessage[] {
  const [least, most] = results === 'heavy' ? [200, 20_000] : [100, 2_000];
  const turn: ChatMessage[] = [{ role: 'user', content: source.text(source.logUniform(20, 600)) }];
  for (let step = source.between(1, 4); step > 0; step -= 1) {
    const calls = Array.from({ length: source.between(1, 6) }, () => generateCall(source));
    turn.push({ role: 'assistant', content: source.text(source.logUniform(20, 400)), tool_calls: calls });
    for (const { id } of calls) {
      turn.push({ role: 'tool', tool_call_id: id, content: source.text(source.logUniform(least, most)) });
    }
  }
  return [...turn, { role: 'assistant', content: source.text(source.logUniform(50, 1_500)) }];
}

const toolNames = ['read_file', 'search', 'run_command', 'write_file', 'list_directory', 'fetch_page'];
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function generateCall(source: TextSource): Call {
  const id = `call_${Array.from({ length: 22 }, () => source.pick(letters)).join('')}`;
  const input = { path: `src/${source.between(1, 999)}.ts`, query: source.text(24), limit: source.between(1, 200) };
  return { id, type: 'function', function: { name: source.pick(toolNames), arguments: JSON.stringify(input) } };
}

type Fields = Record<string, unknown>;
/** Where a call or a result stands: an element of the history, or of a list in one of its messages. */
type Place = { id: string; message: Fields; list: unknown[]; element: Fields };
type Defect = (history: unknown[], call: Place, result: Place) => void;

/** What goes wrong in practice. A dialect may allow some of it. */
const defects: readonly Defect[] = [
  function unanswered(history, _, result) {
    remove(history, result);
  },
  function orphan(history, _, result) {
    const unknown = JSON.stringify(result.element).replaceAll(result.id, [...result.id].reverse().join(''));
    const element = JSON.parse(unknown) as Fields;
    history.splice(history.indexOf(nextQuestion(history, result)), 0, alone(history, { ...result, element }));
  },
  function duplicate(_, __, { list, element }) {
    list.splice(list.indexOf(element), 0, structuredClone(element));
  },
  function late(history, _, result) {
    const next = nextQuestion(history, result);
    remove(history, result);
    history.splice(history.indexOf(next), 0, alone(history, result));
  },
  function interrupted(history, _, result) {
    history.splice(history.indexOf(result.message), 0, structuredClone(nextQuestion(history, result)));
  },
  function speechless(history, _, result) {
    const at = history.indexOf(nextQuestion(history, result));
    const empty = ([key, value]: [string, unknown]): [string, unknown] => {
      return key === 'content' || key === 'parts' ? [key, Array.isArray(value) ? [] : ''] : [key, value];
    };
    history.splice(at, 0, Object.fromEntries(Object.entries(history[at - 1] as Fields).map(empty)));
  },
];

function plantDefects(history: unknown[], count: number): void {
  const places = count === 0 ? [] : placesIn(history);
  const pairs = [...Map.groupBy(places, ({ id }) => id).values()];
  for (let number = 0; number < count; number += 1) {
    // The last turn stays whole, so that there is always a later one.
    const [call, result] = pairs[Math.floor(((number + 0.5) / (count + 1)) * pairs.length)] ?? [];
    if (call !== undefined && result !== undefined) defects[number % defects.length]?.(history, call, result);
  }
}

const idKeys = new Set(['id', 'call_id', 'tool_call_id', 'tool_use_id', 'toolUseId']);

/** Calls and results in their order, in any dialect on the wire: the elements of lists that hold an id. */
function placesIn(history: unknown[]): Place[] {
  const places: Place[] = [];
  const visit = (fields: Fields, at: Omit<Place, 'id'>): void => {
    for (const [key, value] of Object.entries(fields)) {
      if (idKeys.has(key) && typeof value === 'string') places.push({ ...at, id: value });
      else if (Array.isArray(value)) {
        for (const element of value.filter(isFields)) visit(element, { ...at, list: value, element });
      } else if (isFields(value)) visit(value, at);
    }
  };
  for (const message of history.filter(isFields)) visit(message, { message, list: history, element: message });
  return places;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function remove(history: unknown[], { message, list, element }: Place): void {
  list.splice(list.indexOf(element), 1);
  if (list.length === 0) history.splice(history.indexOf(message), 1);
}

/** A message that holds nothing but this result. */
function alone(history: unknown[], { message, list, element }: Place): Fields {
  if (list === history) return element;
  return Object.fromEntries(Object.entries(message).map(([key, value]) => [key, value === list ? [element] : value]));
}

function nextQuestion(history: unknown[], { message }: Place): unknown {
  const from = history.indexOf(message);
  return history.find((each, index) => index > from && isFields(each) && each['role'] === 'user' && !hasPlace(each));
}

const hasPlace = (message: Fields): boolean => placesIn([message]).length > 0;
