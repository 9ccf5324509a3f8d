import type { Part } from '../../model/part.ts';
import { isRecord, withKeys } from '../../model/value.ts';
import { wireOf } from './place.ts';

/** What may be said about data, where a part is known by its data. */
const ABOUT: ReadonlySet<string> = new Set(
  (
    'thought thoughtSignature thought_signature videoMetadata video_metadata mediaResolution media_resolution ' +
    'partMetadata part_metadata'
  ).split(' '),
);

/** What a part may hold, in both spellings. */
const DATA: ReadonlySet<string> = new Set(
  (
    'text inlineData inline_data fileData file_data functionCall function_call functionResponse function_response ' +
    'executableCode executable_code codeExecutionResult code_execution_result toolCall tool_call toolResponse ' +
    'tool_response'
  ).split(' '),
);

/** The keys of a part that no part has. */
export function unknownKeys(wire: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(wire).filter((key) => !ABOUT.has(key) && !DATA.has(key) && isSet(wire[key]));
}

/** True for a part that holds data, in whatever form. */
export function holdsData(wire: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(wire).some((key) => DATA.has(key) && isSet(wire[key]));
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** True for a part that holds no data, only what is said about it. */
export function saysNothing(wire: unknown): boolean {
  if (!isRecord(wire)) return false;
  return Object.keys(wire).every((key) => ABOUT.has(key) || wire[key] === undefined || wire[key] === null);
}

/** Documented to stand for a signature that is not there. */
export const STAND_IN = 'skip_thought_signature_validator';

const SPELLINGS = ['thoughtSignature', 'thought_signature'];

/** The same part with another signature, or none, in the spelling of its other fields. */
export function withSignature<P extends Part>(part: P, signature: string | undefined): P {
  const wire = wireOf(part);
  const present = SPELLINGS.filter((key) => Object.hasOwn(wire, key));
  const usual = Object.hasOwn(wire, 'function_call') ? 'thought_signature' : 'thoughtSignature';
  const keys = present.length === 0 ? [usual] : present;
  return { ...part, wire: withKeys(wire, Object.fromEntries(keys.map((key) => [key, signature]))) };
}
