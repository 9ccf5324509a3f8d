import { isRecord } from '../model/value.ts';

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

/** The keys that no part has, where a part holds no data. */
export function unknownKeys(wire: Readonly<Record<string, unknown>>): string[] {
  const keys = Object.keys(wire).filter((key) => wire[key] !== undefined && wire[key] !== null && !ABOUT.has(key));
  return keys.some((key) => DATA.has(key)) ? [] : keys;
}

/** True for a part that holds no data, only what is said about it. */
export function saysNothing(wire: unknown): boolean {
  if (!isRecord(wire)) return false;
  return Object.keys(wire).every((key) => ABOUT.has(key) || wire[key] === undefined || wire[key] === null);
}
