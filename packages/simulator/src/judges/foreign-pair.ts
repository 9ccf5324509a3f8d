import type { JsonObject } from './docket.ts';

/** Calls and results as some API or framework has them among the content. */
const PAIRS: ReadonlySet<string> = new Set(
  (
    'tool_use tool_result tool-call tool-result tool_call tool-return function_call function_call_output ' +
    'function_call_result retry-prompt dynamic-tool'
  ).split(' '),
);
/** What shows that a part named after a tool is a call with its result, as interfaces keep them. */
const STATES = ['state', 'input', 'output', 'errorText'] as const;

/** Whether this is half or all of a pair under a name that only those who gave it take. */
export function isForeignPair(type: string, part: JsonObject): boolean {
  if (PAIRS.has(type)) return true;
  if (!type.startsWith('tool-') || typeof part.toolCallId !== 'string') return false;
  return STATES.some((key) => part[key] !== undefined);
}
