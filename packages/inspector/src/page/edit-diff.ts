import { diffLines } from 'diff';

/** A line of a difference: added, removed, or the same on both sides. */
export type DiffLine = { readonly sign: '+' | '-' | ' ' | '@'; readonly text: string };

const BEFORE = ['old_string', 'oldText', 'old_str', 'oldString'];
const AFTER = ['new_string', 'newText', 'new_str', 'newString'];

/** Larger texts take too long to compare. */
const MOST_CHARACTERS = 40_000;

const textAt = (value: object, keys: readonly string[]): string | undefined => {
  const found = keys.map((key) => (Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined));
  return found.find((each) => typeof each === 'string');
};

function parsed(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The lines that a call changes, when its input is an edit or a patch. */
export function editOf(input: string): readonly DiffLine[] | undefined {
  if (input.includes('*** Begin Patch')) return patchLines(patchIn(input));
  const value = parsed(input);
  if (value === undefined) return undefined;
  const [before, after] = [textAt(value, BEFORE), textAt(value, AFTER)];
  if (before !== undefined && after !== undefined) return diffOf(before, after);
  const edits = (value as { edits?: unknown }).edits;
  if (!Array.isArray(edits)) return undefined;
  const all = edits.flatMap((edit: unknown) => {
    if (typeof edit !== 'object' || edit === null) return [];
    const [old, made] = [textAt(edit, BEFORE), textAt(edit, AFTER)];
    return old === undefined || made === undefined ? [] : diffOf(old, made);
  });
  return all.length === 0 ? undefined : all;
}

/** A patch may be the input itself, or a text somewhere in it. */
function patchIn(input: string): string {
  const value = parsed(input);
  if (value === undefined) return input;
  const texts = Object.values(value)
    .flat()
    .filter((each) => typeof each === 'string');
  return texts.find((text) => text.includes('*** Begin Patch')) ?? input;
}

export function diffOf(before: string, after: string): DiffLine[] {
  if (before.length + after.length > MOST_CHARACTERS) return [...signed('-', before), ...signed('+', after)];
  return diffLines(before, after).flatMap(({ value, added, removed }) =>
    signed(added ? '+' : removed ? '-' : ' ', value.replace(/\n$/, '')),
  );
}

const signed = (sign: DiffLine['sign'], text: string): DiffLine[] =>
  text.split('\n').map((line) => ({ sign, text: line }));

/** Whether a text is a difference, as `diff -u` or git print it. */
export const isDiff = (text: string): boolean => /^(@@ -\d|diff --git |--- .+\n\+\+\+ )/m.test(text.slice(0, 4000));

export const patchLines = (text: string): DiffLine[] =>
  text.split('\n').map((line) => {
    if (/^(@@|diff |index |\+\+\+|---|\*\*\*)/.test(line)) return { sign: '@', text: line };
    const sign = line[0] === '+' || line[0] === '-' ? line[0] : ' ';
    return { sign, text: line.replace(/^[+\- ]/, '') };
  });
