import type { ConversionLoss, Converted } from '../src/index.ts';

/** Keys that say what a thing is and not what it says, and settings that every API names in its own way. */
const structure = new Set([
  'type',
  'role',
  'kind',
  'part_kind',
  'status',
  'state',
  'source_type',
  'index',
  'execution',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'maxOutputTokens',
  'maxTokens',
]);

/** Signatures that say that there is none. */
const dummies = new Set([
  'FAKE_ID',
  'skip_thought_signature_validator',
  'context_engineering_is_the_way_to_go',
  'c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=',
]);

/** Everything that a value says: its texts and numbers, those inside texts of JSON, and the data inside addresses. */
export function leavesOf(value: unknown, key = ''): string[] {
  if (key === 'type' && typeof value === 'string' && value.startsWith('tool-')) return [value.slice('tool-'.length)];
  if (structure.has(key) && typeof value !== 'object') return [];
  if (typeof value === 'string') return textLeaves(value);
  if (typeof value === 'number' || value === true) return [String(value)];
  if (Array.isArray(value)) return value.flatMap((each) => leavesOf(each));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, name));
}

function textLeaves(text: string): string[] {
  if (text === '' || dummies.has(text)) return [];
  const data = /^data:[^,]*,(.*)$/s.exec(text);
  if (data) return data[1] === '' ? [] : [data[1] ?? ''];
  const json = /^[[{]/.test(text) ? parse(text) : undefined;
  return json === undefined ? [text] : leavesOf(json);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The value under a JSON pointer. */
export function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : undefined;
  }
  return found;
}

export function countOf(leaves: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const leaf of leaves) counts.set(leaf, (counts.get(leaf) ?? 0) + 1);
  return counts;
}

/** What is missing after a conversion there and back, and is not listed as a loss of either. */
export function unlisted(input: unknown, there: Converted, back: Converted): string[] {
  // What had to leave a bare list is handed back beside it.
  const texts = leavesOf([back.output, back.lifted, there.lifted]);
  const after = countOf(texts);
  const listed = new Set([...underLosses(input, there.losses), ...underLosses(there.output, back.losses)]);
  // Messages that a contract wants as one keep every word, in one text.
  const joined = [...there.report.repairs, ...back.report.repairs].some(({ action }) => action === 'merge');
  const isKept = (leaf: string): boolean => joined && texts.some((text) => text.includes(leaf));
  return [...countOf(leavesOf(input))]
    .filter(([leaf, count]) => (after.get(leaf) ?? 0) < count && !listed.has(leaf) && !isKept(leaf))
    .map(([leaf]) => leaf.slice(0, 100));
}

function underLosses(input: unknown, losses: readonly ConversionLoss[]): string[] {
  return losses.flatMap(({ at }) => leavesOf(valueAt(input, at.pointer)));
}

/** Ids and names are read by everything around them, and what a repair says is about the output. */
const unmarked = new Set(['id', 'name', 'outcome', 'repair', 'call', 'message']);

const markOf = (index: number): string => `\u039e${index}\u039e`;

/**
 * Losses that say what is not so. Everything under each loss is marked in the input and converted again: what became
 * nothing must not be found in the output, and what became text or something else must be.
 */
export function unfounded(
  input: unknown,
  { losses }: Converted,
  again: (input: unknown) => Converted,
): ConversionLoss[] {
  const marked = structuredClone(input);
  const watched = [...losses.entries()].filter(([index, { at, kind }]) => {
    const markable = !unmarked.has(kind) && at.pointer !== '';
    return markable && markAll(marked, at.pointer, markOf(index));
  });
  const { output, lifted } = again(marked);
  const text = JSON.stringify([output, lifted]);
  const missing = losses.filter(({ at }) => at.pointer !== '' && valueAt(input, at.pointer) === undefined);
  const wrong = watched.filter(([index, { became }]) => text.includes(markOf(index)) === (became === 'nothing'));
  return [...missing, ...wrong.map(([, loss]) => loss)];
}

/** Adds a mark to every text below a place; false where there is none. */
function markAll(root: unknown, pointer: string, mark: string): boolean {
  const steps = pointer.split('/');
  const last = (steps.pop() ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
  const parent = valueAt(root, steps.join('/')) as Record<string, unknown> | undefined;
  if (parent === undefined || parent === null) return false;
  const before = JSON.stringify(parent[last]);
  parent[last] = withMark(parent[last], last, mark);
  return JSON.stringify(parent[last]) !== before;
}

function withMark(value: unknown, key: string, mark: string): unknown {
  if (typeof value === 'string')
    return structure.has(key) || dummies.has(value) || value.trim() === '' ? value : marked(value, mark);
  if (Array.isArray(value)) return value.map((each) => withMark(each, '', mark));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withMark(each, name, mark)]));
}

/** A text of JSON stays one. */
function marked(text: string, mark: string): string {
  if (/^data:[^,]*(?<!;base64),/.test(text)) return text;
  const json = /^[[{]/.test(text) ? parse(text) : undefined;
  return json === undefined ? text + mark : JSON.stringify(withMark(json, '', mark));
}
