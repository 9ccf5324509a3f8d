import { NINE_ID } from '../../model/call-id.ts';
import { placeNamed, stricter, type RefusalText } from './refusal.ts';

/** How the OpenAI Chat Completions API refuses, and those who speak its dialect. */
export const LIST_REFUSALS: readonly RefusalText[] = [
  { row: 'oc-nonempty', rules: ['no-messages'], text: /Invalid 'messages': empty array/ },
  {
    row: 'ds-answered',
    rules: ['call-without-result'],
    text: /insufficient tool messages following tool_calls message/,
  },
  {
    row: 'oc-answered',
    rules: ['call-without-result'],
    text: /must be followed by tool messages responding to each ['"]tool_call_id['"]/,
  },
  {
    row: 'oc-tool-orphan',
    rules: ['result-without-call', 'duplicate-result'],
    text: /messages with role 'tool' must be a response to a prece+ding message/,
  },
  {
    row: 'oc-tool-id',
    rules: ['result-without-call', 'duplicate-result'],
    text: /'tool_call_id' of '[^']*' not found in 'tool_calls' of previous message/,
  },
  { row: 'oc-id-dup', rules: ['duplicate-call-id', 'duplicate-result'], text: /Duplicate value for 'tool_call_id' of/ },
  {
    row: 'oc-calls-nonempty',
    rules: ['calls-empty'],
    text: /Invalid 'messages\[\d+\]\.tool_calls': empty array|Empty tool_calls is not supported/,
  },
  {
    row: 'oc-id-40',
    rules: ['call-id-malformed'],
    text: /(?:tool_calls\[\d+\]\.id|tool_call_id)': string too long\. Expected a string with maximum length (\d+)/,
    remedy: ([, max]) => ({ kind: 'flags', flags: { idMax: Number(max) } }),
  },
  stricter('oc-args-string', 'call-input-malformed', {
    text: /(?:arguments|input)': expected a string, but got/,
    flags: { inputForm: 'text' },
  }),
  {
    row: 'oc-call-type',
    rules: ['call-type-missing'],
    text: /tool_calls(?:\.|\[)\d+\]?\.type'(?: : property 'type' is missing|\.)/,
  },
  stricter('oc-content-null', ['null-content', 'empty-message'], {
    text: /Invalid value for 'content': expected a string, got null/,
    flags: { nullContent: false },
  }),
  {
    row: 'oc-parts-min',
    rules: ['part-refused', 'content-hollow'],
    text: /Invalid '(?:messages\[\d+\])?'?.{0,3}Content blocks are expected to be either text or image_url type/,
    remedy: ({ 0: said }) => ({ kind: 'pieces', message: placeNamed(said) ?? 0, keep: ['text', 'image_url'] }),
  },
  {
    row: 'oc-parts-min',
    rules: ['empty-message', 'content-hollow', 'null-content'],
    text: /Invalid 'messages\[\d+\]\.content': empty array/,
  },
  stricter('oc-role-enum', ['system-role-refused', 'role-foreign'], {
    text: /does not support '(?:system|developer)' with this model/,
    flags: { systemRole: false },
  }),
  { row: 'oc-role-enum', rules: ['role-foreign'], text: /Unsupported value: 'messages\[\d+\]\.role'/ },
  { row: 'oc-name', rules: ['too-many-tools'], text: /Invalid 'tools': array too long/ },
  {
    row: 'oc-name',
    rules: ['call-name-malformed'],
    text: /function\.name': string (?:too long|does not match pattern)/,
  },
  {
    row: 'oc-reasoning-tools',
    rules: [],
    text: /Function tools with reasoning_effort are not supported/,
    instead: 'send it to the Responses API: chat takes no tools from a model that reasons',
  },
  stricter('ds-reason-back', 'reasoning-field-missing', {
    text: /must be passed back to the API/,
    flags: { reasoningField: 'back' },
  }),
  stricter('ds-alternate', 'same-role-run', {
    text: /does not support successive user or assistant messages/,
    flags: { alternation: true },
  }),
  {
    row: 'ds-resp-group',
    rules: ['call-without-result', 'result-displaced'],
    text: /No tool output found for tool call/,
    remedy: { kind: 'group' },
  },
  stricter('ms-empty', ['empty-message', 'null-content'], {
    text: /with role 'assistant' must not be empty/,
    flags: { emptyText: 'refused' },
  }),
  { row: 'ms-toolid', rules: ['result-without-call'], text: /tool_call_id .*is not found/ },
  stricter('gq-strict', 'reasoning-field-refused', {
    text: /for 'role:assistant' the following must be satisfied.*property 'reasoning_content' is unsupported/,
    flags: { reasoningField: 'never' },
  }),
  {
    row: 'gq-strict',
    rules: ['extra-key'],
    text: /for 'role:(\w+)' the following must be satisfied.*property '([\w-]+)' is unsupported/,
    remedy: ([, role = '', key = '']) => ({ kind: 'key', key, role }),
  },
  { row: 'gq-strict', rules: ['result-without-call'], text: /property 'tool_call_id' is missing/ },
  stricter('gq-strict', 'content-not-text', {
    text: /content' : value must be a string/,
    flags: { plainContent: true },
  }),
  {
    row: 'gq-generation',
    rules: [],
    text: /tool_use_failed|Tool call validation failed|model did not call a tool/,
    instead: 'ask again: the model has made a bad call, and the history is not to blame',
  },
  stricter('xa-content', ['null-content', 'empty-message'], {
    text: /Each message must have at least one content element/,
    flags: { contentNeeded: true },
  }),
  stricter('tpl-alternate', ['same-role-run', 'first-message-not-user', 'tools-unsupported'], {
    text: /Conversation roles must alternate user\/assistant/,
    flags: { alternation: true, firstUser: true, toolRole: false, plainContent: true },
  }),
  stricter('tpl-system', ['system-not-alone', 'system-in-conversation'], {
    text: /System message must be at the beginning/,
    flags: { oneSystem: true, systemLater: false },
  }),
  stricter('tpl-system-none', 'system-role-refused', {
    text: /System role not supported/,
    flags: { systemRole: false },
  }),
  stricter('tpl-args-object', 'call-input-malformed', {
    text: /Can only get item pairs from a mapping/,
    flags: { inputForm: 'object' },
  }),
  stricter('lc-two-assistants', 'ends-with-assistant', {
    text: /Cannot have 2 or more assistant messages at the end of the list/,
    flags: { prefill: 'refused' },
  }),
  stricter('lc-prefill-think', 'ends-with-assistant', {
    text: /Assistant response prefill is incompatible with enable_thinking/,
    flags: { prefill: 'refused' },
  }),
  { row: 'mi-nonempty', rules: ['no-messages'], text: /Conversation must have at least one message/ },
  {
    row: 'mi-nonempty',
    rules: ['ends-with-assistant'],
    text: /Conversation must start with a user message or system message/,
  },
  stricter('mi-transitions', 'user-after-tool', {
    text: /Unexpected role 'user' after role 'tool'/,
    flags: { userAfterTool: false },
  }),
  { row: 'mi-transitions', rules: ['result-without-call'], text: /Unexpected role 'tool' after role/ },
  { row: 'mi-transitions', rules: ['system-after-answer'], text: /Unexpected role 'system' after role/ },
  {
    row: 'mi-count',
    rules: ['call-without-result', 'first-message-calls', 'duplicate-result'],
    text: /Not the same number of function calls and responses/,
  },
  {
    row: 'mi-ids-v13',
    rules: ['result-without-call', 'result-misnamed'],
    text: /Unexpected tool call id .* in tool results/,
  },
  { row: 'mi-ids-v13', rules: ['duplicate-result'], text: /Duplicate tool call id .* in tool results/ },
  { row: 'mi-ids-v13', rules: ['duplicate-call-id'], text: /Duplicate tool call id .* in assistant message/ },
  stricter('mi-id9', 'call-id-malformed', {
    text: /must be a-z, A-Z, 0-9, with a length of 9/,
    flags: { idPattern: NINE_ID, idMax: 9 },
  }),
  stricter('mi-last', 'ends-with-system', {
    text: /Expected last role User or Tool .* but got system/,
    flags: { systemEnd: false },
  }),
  stricter('mi-last', 'ends-with-assistant', { text: /Expected last role User or Tool/, flags: { prefill: 'marked' } }),
  { row: 'mi-prefix', rules: ['prefix-not-last'], text: /Assistant message with prefix True must be last message/ },
  { row: 'mi-assistant', rules: ['empty-message'], text: /Assistant message must have either content or tool_calls/ },
  {
    row: 'mi-name',
    rules: ['call-name-malformed', 'result-name-malformed'],
    text: /Function name was .* but must be a-z, A-Z, 0-9/,
  },
  stricter('mi-chunks', 'part-refused', {
    text: /Unexpected content chunk types in \w+ message/,
    flags: { reasoningParts: false },
  }),
];

/** Every way in which a provider, or a server of models, says that a history is longer than the window. */
const TOO_LONG: readonly RegExp[] = [
  /prompt is too long/,
  /context_length_exceeded/,
  // OpenAI, and those who speak its dialect.
  /maximum (?:context|prompt) length/,
  /exceeds the context window/,
  /reduce the length of the (?:messages|input|prompt)/,
  /exceeded model token limit/,
  /Range of input length should be/,
  /prompt token count of \d+ exceeds the limit/,
  // Gemini
  /input token count.{0,40} exceeds the maximum number of tokens/,
  // Bedrock
  /[Ii]nput is too long for requested model/,
  // Servers of models that people run themselves.
  /exceeds the available context size/,
  /longer than the maximum model length/,
];

/** How providers refuse what only a shorter history helps against. All rest on one row of the contract page. */
export const LENGTH_REFUSALS: readonly RefusalText[] = [
  {
    row: 'an-context',
    rules: ['prompt-too-long'],
    text: /input length and `?max_tokens`? exceed context limit/,
    instead:
      'compact the history, or ask for a shorter answer: the two together are longer than the window of the model',
  },
  ...TOO_LONG.map((text) => ({
    row: 'an-context',
    rules: ['prompt-too-long'],
    text,
    instead: 'compact the history: it is longer than the window of the model',
  })),
];
