import type { BenchDialect, InMemoryDialect } from './dialects.ts';
import type { Call, Entry, Result } from './entries.ts';
import { inMemoryRenderers } from './in-memory-shapes.ts';
import { createText, type TextSource } from './text.ts';
import { renderers, type BenchMessage } from './wire-shapes.ts';

export type ResultSize = 'heavy' | 'light';

const commonDefects = ['dangling', 'orphan', 'duplicate', 'late', 'empty', 'consecutive-users'] as const;
const defectKinds = [...commonDefects, 'early', 'twin-call'] as const;
export type DefectKind = (typeof defectKinds)[number];

/** Where a defect is legal, another is planted in its place: pairs may stand far apart, or text among results. */
const legalDefects: Partial<Record<BenchDialect, Partial<Record<DefectKind, DefectKind>>>> = {
  'openai-responses': { late: 'early', 'consecutive-users': 'twin-call' },
  gemini: { 'consecutive-users': 'early' },
};

/** The kinds of defect that are planted in a dialect. */
export function defectsOf(dialect: BenchDialect): DefectKind[] {
  return commonDefects.map((kind) => legalDefects[dialect]?.[kind] ?? kind);
}

export type HistoryRecipe = {
  dialect: BenchDialect;
  results: ResultSize;
  /** Entries: one user, one assistant or one tool result each counts as a message, in every dialect. */
  messages: number;
  seed: number;
  /** The share of turns that get one defect; 0 makes a clean history. */
  broken: number;
};

export type GeneratedHistory = { messages: BenchMessage[]; entries: number; planted: Record<DefectKind, number> };

type Recipe = Omit<HistoryRecipe, 'dialect'> & { dialect: BenchDialect | InMemoryDialect; defects: DefectKind[] };
type Step = { assistant: Extract<Entry, { kind: 'assistant' }>; results: Extract<Entry, { kind: 'results' }> };

const resultCharacters: Record<ResultSize, readonly [least: number, most: number]> = {
  heavy: [200, 20_000],
  light: [100, 2_000],
};
const toolNames = ['read_file', 'search', 'run_command', 'write_file', 'list_directory', 'fetch_page'] as const;
const idAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Makes the same history from the same recipe in any process. */
export function generateHistory(recipe: HistoryRecipe): GeneratedHistory {
  const { entries, planted } = generateEntries({ ...recipe, defects: defectsOf(recipe.dialect) });
  return { messages: entries.flatMap(renderers[recipe.dialect]), entries: entryCount(entries), planted };
}

/** The same history without defects, as a framework keeps it. */
export function generateInMemory(recipe: { dialect: InMemoryDialect; messages: number; seed: number }): unknown[] {
  const { entries } = generateEntries({ ...recipe, results: 'heavy', broken: 0, defects: [] });
  return inMemoryRenderers[recipe.dialect](entries);
}

function generateEntries(recipe: Recipe): { entries: Entry[]; planted: Record<DefectKind, number> } {
  const source = createText(recipe.seed);
  const planted = Object.fromEntries(defectKinds.map((kind) => [kind, 0])) as Record<DefectKind, number>;
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
      const kind = source.pick(recipe.defects);
      late = plantDefect(turn, kind, source);
      planted[kind] += 1;
    }
    entries.push(...turn);
    count += size;
  }
  return { entries, planted };
}

function generateTurn(source: TextSource, recipe: Recipe): Entry[] {
  const turn: Entry[] = [{ kind: 'user', text: source.text(source.logUniform(20, 600)) }];
  for (let step = source.between(1, 4); step > 0; step -= 1) {
    const calls = Array.from({ length: source.between(1, 6) }, () => generateCall(source, recipe.dialect));
    const [least, most] = resultCharacters[recipe.results];
    const results = calls.map(({ id, name }) => ({ id, name, content: source.text(source.logUniform(least, most)) }));
    turn.push(
      { kind: 'assistant', text: source.text(source.logUniform(20, 400)), calls },
      { kind: 'results', results },
    );
  }
  turn.push({ kind: 'assistant', text: source.text(source.logUniform(50, 1_500)), calls: [] });
  return turn;
}

function generateCall(source: TextSource, dialect: Recipe['dialect']): Call {
  return {
    id: generateId(source, dialect),
    name: source.pick(toolNames),
    input: { path: `src/${source.between(1, 999)}.ts`, query: source.text(24), limit: source.between(1, 200) },
  };
}

const idPrefixes: Partial<Record<Recipe['dialect'], string>> = {
  'anthropic-messages': 'toolu_',
  'bedrock-converse': 'tooluse_',
  'mistral-chat': '',
};
const shortId = 9;

function generateId(source: TextSource, dialect: Recipe['dialect']): string {
  let id = idPrefixes[dialect] ?? 'call_';
  for (let length = 0; length < 22; length += 1) id += source.pick(idAlphabet);
  return dialect === 'mistral-chat' ? id.slice(0, shortId) : id;
}

/** An id that no call has, as long as the other ids of a dialect that counts the characters. */
function lostId(source: TextSource, like: string): string {
  const number = String(source.between(1, 1e9));
  return like.length === shortId ? number.padStart(shortId, '0').slice(-shortId) : `lost_${number}`;
}

/** Breaks one step of a turn and returns the results that will arrive only in the next turn. */
function plantDefect(turn: Entry[], kind: DefectKind, source: TextSource): Result[] {
  const steps = stepsOf(turn);
  const { assistant, results } = source.pick(steps);
  const at = source.between(0, results.results.length - 1);
  switch (kind) {
    case 'dangling':
      removeResult(turn, results, at);
      return [];
    case 'late':
      return removeResult(turn, results, at);
    case 'orphan':
      results.results.push({
        id: lostId(source, assistant.calls[0]?.id ?? ''),
        name: 'search',
        content: source.text(300),
      });
      return [];
    case 'duplicate':
      results.results.push(...results.results.slice(at, at + 1));
      return [];
    case 'empty':
      turn.splice(turn.indexOf(results) + 1, 0, { kind: 'empty' });
      return [];
    case 'early':
      turn.splice(turn.indexOf(assistant), 0, { kind: 'results', results: removeResult(turn, results, at) });
      return [];
    case 'twin-call':
      assistant.calls.push(...assistant.calls.slice(at, at + 1));
      return [];
    default:
      // Two user messages in a row are legal in most dialects. They are refused when the first was typed while the
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
