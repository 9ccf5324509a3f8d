import { isNameId, nameId } from '../../model/call-id.ts';
import { charactersOf, isRecord } from '../../model/value.ts';
import { saysWhatItIs } from '../foreign-piece.ts';
import { salvageable, strangerCharacters } from '../salvage.ts';

type Wire = Readonly<Record<string, unknown>>;

type Names = { readonly nameId: (tool: string) => string };

/** What a field of a part is: one of the kinds of data, or something said about the data. */
type Field = 'text' | 'call' | 'result' | 'media' | 'other' | 'about';

const FIELDS: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['text', 'text'],
  ['functionCall', 'call'],
  ['function_call', 'call'],
  ['functionResponse', 'result'],
  ['function_response', 'result'],
  ['inlineData', 'media'],
  ['inline_data', 'media'],
  ['fileData', 'media'],
  ['file_data', 'media'],
  ['executableCode', 'other'],
  ['executable_code', 'other'],
  ['codeExecutionResult', 'other'],
  ['code_execution_result', 'other'],
  ['toolCall', 'other'],
  ['tool_call', 'other'],
  ['toolResponse', 'other'],
  ['tool_response', 'other'],
  ['thought', 'about'],
  ['thoughtSignature', 'about'],
  ['thought_signature', 'about'],
  ['videoMetadata', 'about'],
  ['video_metadata', 'about'],
  ['mediaResolution', 'about'],
  ['media_resolution', 'about'],
  ['partMetadata', 'about'],
  ['part_metadata', 'about'],
]);

/** The key of what a part holds: undefined for no data at all, null for more than one kind of it. */
export type DataKey = string | null | undefined;

/** The key of the data a part holds. A key that nobody knows yet counts as data where there is no other. */
export function dataKey(part: Wire): DataKey {
  let known: string | undefined;
  let unknown: string | undefined;
  for (const key in part) {
    const value = part[key];
    if (value === undefined || value === null || !Object.hasOwn(part, key)) continue;
    const field = FIELDS.get(key);
    if (field === undefined) unknown ??= key;
    else if (field !== 'about') {
      if (known !== undefined) return null;
      known = key;
    }
  }
  return known ?? unknown;
}

/** What a part holds; `much` for more than one kind of data, `unreadable` for none that can be read. */
export type PartField = Exclude<Field, 'about'> | 'unreadable' | 'much';

/**
 * What the data under a key is; `unreadable` where it is not in the form that its key promises, or a key that nobody
 * knows stands in a part of another format.
 */
export function fieldOf(part: Wire, key: DataKey): PartField {
  if (key === null) return 'much';
  if (key === undefined) return 'unreadable';
  const field = FIELDS.get(key);
  if (field === undefined || field === 'about') return saysWhatItIs(part) ? 'unreadable' : 'other';
  const value = part[key];
  const legal = field === 'text' ? typeof value === 'string' : isRecord(value);
  return legal ? field : 'unreadable';
}

/** Characters of content in a part. What is said about the data is no content. */
export function partCharacters(part: Wire, key: DataKey): number {
  if (key === undefined) return 0;
  if (key !== null && !FIELDS.has(key) && saysWhatItIs(part)) return strangerCharacters(part);
  if (key !== null) return dataCharacters(key, part[key]);
  let count = 0;
  for (const each of dataKeys(part)) count += dataCharacters(each, part[each]);
  return count;
}

function dataCharacters(key: string, value: unknown): number {
  const field = FIELDS.get(key);
  if (field === 'call' && isRecord(value)) return charactersOf(value['name']) + charactersOf(value['args']);
  if (field === 'result' && isRecord(value)) return charactersOf(value['response']) + charactersOf(value['parts']);
  return charactersOf(value);
}

/** Characters of content in a message that cannot be read; its parts count as they would be read. */
export function unreadCharacters(wire: unknown): number {
  const parts = isRecord(wire) ? partsIn(wire) : undefined;
  if (parts === undefined) return salvageable(wire);
  let count = 0;
  for (const part of parts) count += isRecord(part) ? partCharacters(part, dataKey(part)) : charactersOf(part);
  return count;
}

/** The keys of all known data in a part. */
export function dataKeys(part: Wire): string[] {
  return Object.keys(part).filter((key) => {
    const field = FIELDS.get(key);
    return field !== undefined && field !== 'about' && part[key] !== undefined && part[key] !== null;
  });
}

/** Put before an id on the wire that looks like one of ours for a name. */
const ESCAPE = '\0';
/** Put before an id that is not a text. */
const OTHER = '\u0001';

const DIGIT = 48;

/** The id of a call, or of the call that a result answers; the name of its tool stands for one that is not there. */
export function callIdOf(inner: Wire, names: Names = { nameId }): string {
  const { id, name } = inner;
  if (typeof id === 'number' || typeof id === 'boolean') return OTHER + String(id);
  if (typeof id !== 'string' || id === '') return names.nameId(typeof name === 'string' ? name : '');
  // All marks come before the letters and digits, with which nearly every id begins.
  if (id.charCodeAt(0) >= DIGIT) return id;
  return isNameId(id) || id.startsWith(ESCAPE) || id.startsWith(OTHER) ? ESCAPE + id : id;
}

/** The id as it is sent; undefined for one that only stands for a name. */
export function wireId(callId: string): unknown {
  if (callId === '' || isNameId(callId)) return undefined;
  if (!callId.startsWith(OTHER)) return callId.startsWith(ESCAPE) ? callId.slice(1) : callId;
  const id = callId.slice(1);
  return id === 'true' || id === 'false' ? id === 'true' : Number(id);
}

/** The parts of a content; one part may stand without a list around it. Undefined where there are none to read. */
export function partsIn(content: Wire): readonly unknown[] | undefined {
  const { parts } = content;
  if (Array.isArray(parts)) return parts as unknown[];
  return isRecord(parts) ? [parts] : undefined;
}

/** JSON pointer of a part inside its content. */
export function pointer(wire: unknown, part: number): string {
  return isRecord(wire) && isRecord(wire['parts']) ? '/parts' : `/parts/${String(part)}`;
}

/** The signature of a part, in either spelling; undefined where there is none. */
export function signatureOf(part: Wire): unknown {
  const { thoughtSignature } = part;
  const signature =
    thoughtSignature === undefined || thoughtSignature === null || thoughtSignature === ''
      ? part['thought_signature']
      : thoughtSignature;
  return signature === null || signature === '' ? undefined : signature;
}

const NOT_BASE64 = /[^A-Za-z0-9+/_-]/;

/** True for bytes written in either alphabet of base64, with or without padding. */
export function isSignature(signature: unknown): boolean {
  if (typeof signature !== 'string') return false;
  const { length } = signature;
  const end = signature.search(NOT_BASE64);
  if (end === -1) return length > 0 && length % 4 !== 1;
  return end > 0 && end % 4 !== 1 && PADDINGS.has(signature.slice(end));
}

const PADDINGS: ReadonlySet<string> = new Set(['=', '==']);
