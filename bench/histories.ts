import { createText, type TextSource } from './text.ts';

export type BenchDialect = 'anthropic-messages' | 'openai-chat';
export type ResultSize = 'heavy' | 'light';

export const defectKinds = ['dangling', 'orphan', 'duplicate', 'late', 'empty', 'consecutive-users'] as const;
export type DefectKind = (typeof defectKinds)[number];

export type TextPart = { type: 'text'; text: string };
export type CallPart = { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> };
export type ResultPart = { type: 'tool_result'; tool_use_id: string; content: string; is_error?: boolean };
export type AnthropicPart = TextPart | CallPart | ResultPart;
export type AnthropicMessage = { role: 'user' | 'assistant'; content: string | AnthropicPart[] };

export type OpenAiCall = { id: string; type: 'function'; function: { name: string; arguments: string } };
export type OpenAiMessage =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: OpenAiCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

export type BenchMessage = AnthropicMessage | OpenAiMessage;

export type HistoryRecipe = {
  dialect: BenchDialect;
  results: ResultSize;
  /** Entries: one user, one assistant or one tool result each counts as a message, in both dialects. */
  messages: number;
  seed: number;
  /** The share of turns that get one defect; 0 makes a clean history. */
  broken: number;
};

export type GeneratedHistory = { messages: BenchMessage[]; entries: number; planted: Record<DefectKind, number> };

type Call = { id: string; name: string; input: Record<string, unknown> };
type Result = { id: string; content: string };
type Entry =
  | { kind: 'user'; text: string }
  | { kind: 'assistant'; text: string; calls: Call[] }
  | { kind: 'results'; results: Result[] }
  | { kind: 'empty' };
type Step = { assistant: Extract<Entry, { kind: 'assistant' }>; results: Extract<Entry, { kind: 'results' }> };

const resultCharacters: Record<ResultSize, readonly [least: number, most: number]> = {
  heavy: [200, 20_000],
  light: [100, 2_000],
};
const toolNames = ['read_file', 'search', 'run_command', 'write_file', 'list_directory', 'fetch_page'] as const;
const idAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Makes the same history from the same recipe in any process. */
export function generateHistory(recipe: HistoryRecipe): GeneratedHistory {
  const source = createText(recipe.seed);
  const planted: Record<DefectKind, number> = {
    dangling: 0,
    orphan: 0,
    duplicate: 0,
    late: 0,
    empty: 0,
    'consecutive-users': 0,
  };
  const entries: Entry[] = [];
  let late: Result[] = [];
  let count = 0;
  while (count < recipe.messages) {
    const turn = generateTurn(source, recipe);
    if (late.length > 0) turn.unshift({ kind: 'results', results: late });
    late = [];
    const size = entryCount(turn);
    // The last turn stays whole, so that a late result always has a later turn to arrive in.
    if (count + size < recipe.messages && source.chance(recipe.broken)) {
      const kind = source.pick(defectKinds);
      late = plantDefect(turn, kind, source);
      planted[kind] += 1;
    }
    entries.push(...turn);
    count += size;
  }
  const render = recipe.dialect === 'anthropic-messages' ? renderAnthropic : renderOpenAi;
  return { messages: entries.flatMap<BenchMessage>(render), entries: entryCount(entries), planted };
}

function generateTurn(source: TextSource, recipe: HistoryRecipe): Entry[] {
  const turn: Entry[] = [{ kind: 'user', text: source.text(source.logUniform(20, 600)) }];
  for (let step = source.between(1, 4); step > 0; step -= 1) {
    const calls = Array.from({ length: source.between(1, 6) }, () => generateCall(source, recipe.dialect));
    const [least, most] = resultCharacters[recipe.results];
    const results = calls.map(({ id }) => ({ id, content: source.text(source.logUniform(least, most)) }));
    turn.push(
      { kind: 'assistant', text: source.text(source.logUniform(20, 400)), calls },
      { kind: 'results', results },
    );
  }
  turn.push({ kind: 'assistant', text: source.text(source.logUniform(50, 1_500)), calls: [] });
  return turn;
}

function generateCall(source: TextSource, dialect: BenchDialect): Call {
  return {
    id: generateId(source, dialect),
    name: source.pick(toolNames),
    input: { path: `src/${source.between(1, 999)}.ts`, query: source.text(24), limit: source.between(1, 200) },
  };
}

function generateId(source: TextSource, dialect: BenchDialect): string {
  let id = dialect === 'anthropic-messages' ? 'toolu_' : 'call_';
  for (let length = 0; length < 22; length += 1) id += source.pick(idAlphabet);
  return id;
}

/** Breaks one step of a turn and returns the results that will arrive only in the next turn. */
function plantDefect(turn: Entry[], kind: DefectKind, source: TextSource): Result[] {
  const steps = stepsOf(turn);
  const { results } = source.pick(steps);
  const at = source.between(0, results.results.length - 1);
  switch (kind) {
    case 'dangling':
      removeResult(turn, results, at);
      return [];
    case 'late':
      return removeResult(turn, results, at);
    case 'orphan':
      results.results.push({ id: `lost_${source.between(1, 1e9)}`, content: source.text(300) });
      return [];
    case 'duplicate':
      results.results.push(...results.results.slice(at, at + 1));
      return [];
    case 'empty':
      turn.splice(turn.indexOf(results) + 1, 0, { kind: 'empty' });
      return [];
    default:
      // Two user messages in a row are legal in both dialects. They are refused when the first was typed while the
      // tools still ran, because then it stands between the calls and their results.
      turn.splice(turn.indexOf(results), 0, { kind: 'user', text: source.text(60) });
      return [];
  }
}

function stepsOf(turn: readonly Entry[]): Step[] {
  return turn.flatMap((assistant, index) => {
    const results = turn[index + 1];
    return assistant.kind === 'assistant' && results?.kind === 'results' ? [{ assistant, results }] : [];
  });
}

function removeResult(turn: Entry[], results: Step['results'], at: number): Result[] {
  const removed = results.results.splice(at, 1);
  if (results.results.length === 0) turn.splice(turn.indexOf(results), 1);
  return removed;
}

function entryCount(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + (entry.kind === 'results' ? entry.results.length : 1), 0);
}

function renderAnthropic(entry: Entry): AnthropicMessage[] {
  switch (entry.kind) {
    case 'user':
      return [{ role: 'user', content: entry.text }];
    case 'empty':
      return [{ role: 'assistant', content: [] }];
    case 'assistant': {
      const calls = entry.calls.map((call): CallPart => ({ type: 'tool_use', ...call }));
      return [{ role: 'assistant', content: [{ type: 'text', text: entry.text }, ...calls] }];
    }
    default: {
      const parts = entry.results.map(({ id, content }): ResultPart => ({
        type: 'tool_result',
        tool_use_id: id,
        content,
      }));
      return [{ role: 'user', content: parts }];
    }
  }
}

function renderOpenAi(entry: Entry): OpenAiMessage[] {
  switch (entry.kind) {
    case 'user':
      return [{ role: 'user', content: entry.text }];
    case 'empty':
      return [{ role: 'assistant', content: null }];
    case 'assistant': {
      if (entry.calls.length === 0) return [{ role: 'assistant', content: entry.text }];
      const calls = entry.calls.map(({ id, name, input }): OpenAiCall => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      }));
      return [{ role: 'assistant', content: entry.text, tool_calls: calls }];
    }
    default:
      return entry.results.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content }));
  }
}
