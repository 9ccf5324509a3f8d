import { PLAIN_ID } from '../model/call-id.ts';
import { keyAt, reasoningFrom, reasoningOfTurn, stricter, type RefusalText } from './refusal.ts';

/** How the Anthropic Messages API refuses, and Converse, which hands on its words. */
export const BLOCK_REFUSALS: readonly RefusalText[] = [
  {
    row: 'an-extra-keys',
    rules: ['extra-key'],
    // It starts at the beginning of a word, or each letter of a long word would be tried anew.
    text: /(?<![\w.-])([\w.-]+): Extra inputs are not permitted/,
    remedy: ([, path = '']) => keyAt(path),
  },
  { row: 'an-messages-nonempty', rules: ['no-messages'], text: /messages: at least one message is required/ },
  stricter('an-first-user', 'first-message-not-user', {
    text: /first message must use the "user" role/,
    flags: { firstUser: true },
  }),
  stricter('an-same-role', 'same-role-run', {
    text: /roles must alternate between "user" and "assistant"/,
    flags: { alternation: true },
  }),
  { row: 'an-role-enum', rules: ['role-foreign'], text: /role: Input should be 'user', 'assistant'/ },
  stricter('an-prefill', 'ends-with-assistant', {
    text: /does not support assistant message prefill/,
    flags: { prefill: 'refused' },
  }),
  stricter('an-prefill-tools', 'ends-with-assistant', {
    text: /would pre-fill the `assistant` response/,
    flags: { prefill: 'refused' },
  }),
  {
    row: 'an-prefill-ws',
    rules: ['trailing-whitespace'],
    text: /final assistant content cannot end with trailing whitespace/,
  },
  { row: 'an-pause-resume', rules: ['server-tool-undeclared'], text: /but no `[^`]+` tool was provided/ },
  {
    row: 'an-system-first',
    rules: ['system-first'],
    text: /use the top-level 'system' parameter for the initial system prompt/,
  },
  stricter('an-system-model', 'system-in-conversation', {
    text: /role 'system' is not supported on this model/,
    flags: { systemLater: false },
  }),
  { row: 'an-system-before', rules: ['system-misplaced'], text: /role 'system' must follow a 'user' message/ },
  { row: 'an-system-after', rules: ['system-misplaced'], text: /role 'system' must precede an 'assistant' message/ },
  { row: 'an-system-empty', rules: ['system-empty'], text: /system content must contain at least one block/ },
  { row: 'an-content-nonempty', rules: ['empty-message'], text: /all messages must have non-empty content except/ },
  {
    row: 'an-text-nonempty',
    rules: ['blank-text', 'result-content-refused'],
    text: /text content blocks must be non-empty/,
  },
  stricter('an-text-nonblank', ['blank-text', 'result-content-refused'], {
    text: /text content blocks must contain non-whitespace text/,
    flags: { blankText: false },
  }),
  { row: 'an-cache-empty', rules: ['blank-text'], text: /cache_control cannot be set for empty text blocks/ },
  {
    row: 'an-cache-max4',
    rules: ['too-many-cache-markers'],
    text: /A maximum of \d+ blocks with cache_control may be provided/,
    remedy: (found) => ({ kind: 'flags', flags: { maxCacheMarkers: Number(/\d+/.exec(found[0])?.[0]) } }),
  },
  { row: 'an-block-role', rules: ['part-in-wrong-role'], text: /`\w+` blocks can only be in `\w+` messages/ },
  {
    row: 'an-json-utf16',
    rules: ['lone-surrogate', 'field-unserialisable'],
    text: /no low surrogate in string/,
    remedy: { kind: 'fields' },
  },
  {
    row: 'an-role-enum',
    rules: ['part-unreadable'],
    text: /Input tag '([\w-]+)' found using 'type' does not match any of the expected tags/,
    remedy: ([, type = '']) => ({ kind: 'pieces', type }),
  },
  {
    row: 'an-name-len',
    rules: [],
    text: /tools\.\d+\.\w+\.name: String should match pattern/,
    instead: 'rename the tool: names are letters, digits, underscores and hyphens',
  },
  stricter('an-images', 'too-many-images', { text: /many-image requests/, flags: { maxImages: 20 } }),
  {
    row: 'an-size',
    rules: ['request-too-large'],
    text: /request_too_large/,
    instead: 'compact the history: the request is larger than the provider takes',
  },
  {
    row: 'an-count',
    rules: ['too-many-messages'],
    text: /messages: List should have at most \d+ items/,
    instead: 'compact the history: it has too many messages',
  },
  {
    row: 'an-tooluse-answered',
    rules: ['call-without-result', 'result-displaced', 'content-after-call'],
    text: /`tool_use` ids were found without `tool_result` blocks immediately after/,
  },
  {
    row: 'an-server-orphan',
    rules: ['server-result-without-call'],
    text: /unexpected `tool_use_id` found in `\w+_tool_result` blocks/,
  },
  {
    row: 'an-result-orphan',
    rules: ['result-without-call', 'duplicate-result'],
    text: /unexpected `tool_use_id` found in `tool_result` blocks/,
  },
  { row: 'an-result-dup', rules: ['duplicate-result'], text: /each tool_use must have a single result/ },
  { row: 'an-id-unique', rules: ['duplicate-call-id'], text: /`tool_use` ids must be unique/ },
  {
    row: 'an-server-id',
    rules: ['server-call-id-malformed'],
    text: /server_tool_use\.id: String should match pattern/,
  },
  stricter('an-id-regex', 'call-id-malformed', {
    text: /tool_use\.id: String should match pattern '\^\[a-zA-Z0-9_-\]\+\$'/,
    flags: { idPattern: PLAIN_ID },
  }),
  {
    row: 'an-input-object',
    rules: ['call-input-malformed'],
    text: /tool_use\.input: Input should be a valid dictionary/,
  },
  {
    row: 'an-name-len',
    rules: ['call-name-malformed'],
    text: /tool_use\.name: String should have at (?:most|least) \d+ character/,
  },
  { row: 'an-result-id', rules: ['result-without-call'], text: /tool_result\.tool_use_id: Field required/ },
  {
    row: 'an-result-content',
    rules: ['result-content-refused'],
    text: /all content must be type "text" if "is_error" is true/,
  },
  stricter('an-tools-defined', 'tools-undeclared', {
    text: /Requests which include `tool_use` or `tool_result` blocks must define tools/,
    flags: { toolsDeclared: true },
  }),
  {
    row: 'an-server-pair',
    rules: ['server-call-without-result'],
    text: /tool use with id `[^`]*` was found without a corresponding `\w+` block/,
  },
  { row: 'an-server-declared', rules: ['server-tool-undeclared'], text: /is not defined in tools as a server tool/ },
  {
    row: 'an-think-prefix',
    rules: ['reasoning-after-edit'],
    text: /messages\.\d+\S* Invalid `signature` in `thinking` block\. The block is bound to a different conversation/,
    remedy: reasoningFrom,
  },
  {
    row: 'an-think-latest',
    rules: ['reasoning-after-edit'],
    text: /(?:messages\.\S+ )?`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be mod/,
    remedy: reasoningOfTurn,
  },
  {
    row: 'an-sig-valid',
    rules: ['reasoning-unsigned'],
    text: /(?:messages\.\d+\.content\.\d+: )?Invalid `(?:signature|data)` in `(?:redacted_)?thinking` block/,
    remedy: reasoningFrom,
  },
  { row: 'an-sig-valid', rules: ['reasoning-unsigned'], text: /thinking\.signature: Field required/ },
  { row: 'an-sig-empty', rules: ['reasoning-unsigned'], text: /each thinking block must contain thinking/ },
  {
    row: 'an-think-first',
    rules: ['reasoning-missing'],
    text: /Expected `thinking` or `redacted_thinking`, but found/,
  },
  {
    row: 'an-think-not-last',
    rules: ['reasoning-last'],
    text: /The final block in an assistant message cannot be `thinking`/,
  },
  stricter('an-think-first-block', 'reasoning-not-first', {
    text: /the first block must be `thinking` or `redacted_thinking`/,
    flags: { reasoningFirst: true },
  }),
  stricter('br-first-user', ['first-message-not-user', 'no-messages'], {
    text: /A conversation must start with a user message/,
    flags: { firstUser: true },
  }),
  stricter('br-alternate', 'same-role-run', {
    text: /A conversation must alternate between user and assistant roles/,
    flags: { alternation: true },
  }),
  {
    row: 'br-answered',
    rules: ['call-without-result'],
    text: /Expected toolResult blocks at messages\.\d+\.content for the following Ids/,
  },
  {
    row: 'br-excess',
    rules: ['result-without-call', 'duplicate-result'],
    text: /The number of toolResult blocks at messages\.\d+\.content exceeds/,
  },
  {
    row: 'br-dup',
    rules: ['duplicate-call-id'],
    text: /The toolUse blocks at messages\.\d+\.content contain duplicate Ids/,
  },
  stricter('br-toolconfig', 'tools-undeclared', {
    text: /The toolConfig field must be defined when using toolUse and toolResult/,
    flags: { toolsDeclared: true },
  }),
  stricter('br-text-blank', 'blank-text', {
    text: /The (?:text|guard content) field in the ContentBlock object at messages\.\d+\.content\.\d+ is blank/,
    flags: { blankText: false },
  }),
  {
    row: 'br-content-empty',
    rules: ['empty-message'],
    text: /The content field in the Message object at messages\.\d+ is empty/,
  },
  {
    row: 'br-input-object',
    rules: ['call-input-malformed'],
    text: /toolUse\.input is invalid\. Provide a json object/,
  },
  {
    row: 'br-error-content',
    rules: ['result-content-refused'],
    text: /toolResult cannot be empty when status value is error/,
  },
  stricter('br-mixed', 'results-mixed', {
    text: /Conversation blocks and tool result blocks cannot be provided in the same turn/,
    flags: { resultsAlone: true },
  }),
  stricter('br-status', 'result-status-refused', {
    text: /does not support the status field in tool results/,
    flags: { resultStatus: false },
  }),
];
