import { stricter, type RefusalText } from './refusal.ts';

/** How the OpenAI Responses API refuses, and Gemini, and the frameworks. */
export const ITEM_REFUSALS: readonly RefusalText[] = [
  { row: 'or-call-answered', rules: ['call-without-result'], text: /No tool output found for [\w ]+ call / },
  {
    row: 'or-output-orphan',
    rules: ['result-without-call'],
    text: /No tool call found for [\w ]+ output with call_id/,
  },
  {
    row: 'or-reason-follow',
    rules: ['reasoning-unfollowed'],
    text: /Item '([^']+)' of type 'reasoning' was provided without its required following item/,
    remedy: itemNamed,
  },
  {
    row: 'or-program',
    rules: ['item-incomplete'],
    text: /of type 'program' was provided without its required 'reasoning' item/,
  },
  {
    row: 'or-needs-reason',
    rules: ['item-lost'],
    text: /Item '([^']+)' of type '\w+' was provided without its required 'reasoning' item/,
    remedy: (found) => ({ ...itemNamed(found), step: true }),
  },
  {
    row: 'or-id-len',
    rules: ['item-id-malformed'],
    text: /Invalid 'input\[\d+\]\.id': (?:string too long|empty string|.*Expected an ID that contains)/,
  },
  { row: 'or-id-prefix', rules: ['item-id-malformed'], text: /Invalid 'input\[\d+\]\.id': / },
  { row: 'or-id-dup', rules: ['item-id-again'], text: /Duplicate item found with id ([\w-]+)/, remedy: itemNamed },
  { row: 'or-item-lost', rules: ['item-lost'], text: /Item with id '([^']+)' not found/, remedy: itemNamed },
  {
    row: 'or-encrypted',
    rules: ['item-lost'],
    text: /invalid_encrypted_content|The encrypted content .* could not be verified|Encrypted content item_id did not/,
    remedy: { kind: 'reasoning', from: 0, ids: true },
  },
  stricter('or-reason-shape', 'reasoning-malformed', {
    text: /Invalid 'input\[\d+\]\.content': array too long/,
    flags: { reasoningText: false },
  }),
  { row: 'or-callid', rules: ['call-name-malformed'], text: /Invalid 'input\[\d+\]\.name': string too long/ },
  {
    row: 'or-callid',
    rules: ['call-id-malformed', 'item-incomplete'],
    text: /Invalid 'input\[\d+\]\.call_id': string too long\. Expected a string with maximum length (\d+)/,
    remedy: ([, max]) => ({ kind: 'flags', flags: { idMax: Number(max) } }),
  },
  {
    row: 'or-part-type',
    rules: ['part-mistagged', 'output-malformed'],
    text: /Invalid value: '\w+'\. Supported values are: '(?:output_text|input_text)'/,
  },
  { row: 'or-part-type', rules: ['output-malformed'], text: /Invalid file data: 'input\[\d+\]\.output/ },
  { row: 'or-nonempty', rules: ['no-messages'], text: /One of 'input' or 'previous_response_id'/ },
  { row: 'ge-nonempty', rules: ['no-messages'], text: /contents is not specified/ },
  {
    row: 'ge-role',
    rules: ['system-first', 'system-in-conversation'],
    text: /Content with system role is not supported/,
  },
  { row: 'ge-role', rules: ['role-foreign'], text: /Please use a valid role: user, model/ },
  { row: 'ge-parts', rules: ['empty-message'], text: /contents\.parts must not be empty/ },
  {
    row: 'ge-part-data',
    rules: ['instruction-malformed'],
    text: /system_instruction\.parts\[\d+\]\.data: required oneof field 'data'/,
  },
  {
    row: 'ge-part-data',
    rules: ['part-unreadable'],
    text: /required oneof field 'data' must have one initialized field/,
  },
  {
    row: 'ge-part-data',
    rules: ['extra-key', 'content-unreadable', 'part-unreadable'],
    text: /Unknown name "[^"]*" at 'contents\[\d+\]\.parts(?:\[\d+\])?': Cannot find field/,
  },
  {
    row: 'ge-fc-after',
    rules: ['call-out-of-turn', 'part-in-wrong-role'],
    text: /function call turn comes immediately after a user turn/,
  },
  {
    row: 'ge-fr-after',
    rules: ['result-without-call', 'duplicate-result', 'part-in-wrong-role'],
    text: /function response turn comes immediately after a function call turn/,
  },
  {
    row: 'ge-fr-count',
    rules: ['call-without-result', 'duplicate-result'],
    text: /number of function response parts is equal to the number of function call parts/,
  },
  stricter('ge-merge', 'same-role-run', {
    text: /multiturn requests alternate between user and model/,
    flags: { alternation: true },
  }),
  { row: 'ge-fr-name', rules: ['result-name-missing'], text: /function_response\.name: Name cannot be empty/ },
  { row: 'ge-last-user', rules: ['ends-with-assistant'], text: /single turn requests end with a user role/ },
  stricter('ge-sig-missing', 'call-unsigned', {
    text: /is missing a `thought_signature`|require OpenRouter reasoning details/,
    flags: { callSeals: true },
  }),
  {
    row: 'ge-sig-valid',
    rules: ['signature-corrupted'],
    text: /Corrupted thought signature|Thought signature is not valid/i,
    remedy: { kind: 'signatures' },
  },
  {
    row: 'ai-schema',
    rules: ['part-refused', 'result-output-malformed', 'part-unreadable'],
    text: /do not match the ModelMessage\[\] schema/,
  },
  { row: 'ai-nonempty', rules: ['no-messages', 'ends-with-assistant'], text: /messages must not be empty/ },
  {
    row: 'ai-system',
    rules: ['system-first', 'system-in-conversation'],
    text: /System messages are not allowed in the prompt or messages fields/,
  },
  {
    row: 'ai-missing-results',
    rules: ['call-without-result'],
    text: /Tool results? (?:is|are) missing for tool calls? /,
  },
  {
    row: 'ai-missing-results',
    rules: ['approval-without-request'],
    text: /references unknown approvalId|not found for approval request/,
  },
  { row: 'py-history', rules: ['no-messages'], text: /Processed history cannot be empty/ },
  { row: 'py-history', rules: ['ends-with-assistant'], text: /Processed history must end with a `ModelRequest`/ },
  {
    row: 'py-history',
    rules: ['call-without-result', 'result-displaced'],
    text: /message history contains unprocessed tool calls/,
  },
  {
    row: 'lg-invalid',
    rules: ['call-without-result'],
    text: /tool_calls that do not have a corresponding ToolMessage|INVALID_CHAT_HISTORY/,
  },
];

function itemNamed([, id = '']: RegExpExecArray): { kind: 'item'; id: string } {
  return { kind: 'item', id };
}
