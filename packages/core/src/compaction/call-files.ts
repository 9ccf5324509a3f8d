import type { CallPart } from '../model/part.ts';
import { isRecord } from '../model/value.ts';

/** The files that a call names, and whether it changes them. */
export type FilesOfCall = { readonly names: readonly string[]; readonly changed: boolean };

const KEYS: ReadonlySet<string> = new Set([
  'path',
  'paths',
  'file',
  'files',
  'file_path',
  'filePath',
  'file_paths',
  'filepath',
  'filename',
  'file_name',
  'fileName',
  'notebook_path',
  'absolute_path',
  'relative_path',
  'target_file',
  'targetFile',
]);

const CHANGING =
  /write|edit|patch|create|update|replace|insert|append|delete|remove|rename|move|save|touch|mkdir|commit/i;
const LOOKING = /read|view|open|cat|list|ls|grep|glob|find|search|show|get|fetch|stat|head|tail|diff/i;
const CONTENTS: ReadonlySet<string> = new Set(['content', 'contents', 'new_string', 'new_str', 'newText', 'edits']);

const longestName = 300;
const mostNames = 20;

/** Reads the names of files out of the arguments of a call. */
export function filesOf({ tool, input }: CallPart): FilesOfCall {
  const given = inputOf(input);
  if (given === undefined) return { names: [], changed: false };
  const names: string[] = [];
  let contents = false;
  for (const key of Object.keys(given)) {
    if (KEYS.has(key)) collect(given[key], names);
    else if (CONTENTS.has(key)) contents = true;
  }
  const changed = CHANGING.test(tool) || (contents && !LOOKING.test(tool));
  return { names, changed };
}

function collect(value: unknown, into: string[]): void {
  if (into.length >= mostNames) return;
  if (typeof value === 'string') {
    const name = value.trim();
    if (name !== '' && name.length <= longestName && !name.includes('\n')) into.push(name.toWellFormed());
  } else if (Array.isArray(value)) {
    for (const each of value.slice(0, mostNames) as unknown[]) {
      collect(isRecord(each) ? (each['path'] ?? each['file_path']) : each, into);
    }
  }
}

/** Arguments as an object, also where a dialect sends them as text. */
function inputOf(input: unknown): Readonly<Record<string, unknown>> | undefined {
  if (isRecord(input)) return input;
  if (typeof input !== 'string' || !input.trimStart().startsWith('{')) return undefined;
  try {
    // What begins with a brace is an object or does not parse.
    return JSON.parse(input) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
