import { describe, expect, test } from 'vitest';
import { ALL_REFUSALS } from '../../../simulator/test/fixtures/fixtures.ts';
import { NINE_ID, PLAIN_ID } from '../../src/model/call-id.ts';
import { repair } from '../../src/index.ts';
import { recognise } from '../../src/rules/refusals/refusals.ts';
import { TOO_LONG } from '../too-long.ts';

/** What a provider says, the row of the contract page, and the point that is read more strictly then. */
const stricter: readonly (readonly [text: string, row: string, flags: object])[] = [
  ['messages: first message must use the "user" role', 'an-first-user', { firstUser: true }],
  ['messages: roles must alternate between "user" and "assistant"', 'an-same-role', { alternation: true }],
  ['This model does not support assistant message prefill.', 'an-prefill', { prefill: 'refused' }],
  ['…, which would pre-fill the `assistant` response.', 'an-prefill-tools', { prefill: 'refused' }],
  ["role 'system' is not supported on this model", 'an-system-model', { systemLater: false }],
  ['messages: text content blocks must contain non-whitespace text', 'an-text-nonblank', { blankText: false }],
  ['A maximum of 4 blocks with cache_control may be provided. Found 5.', 'an-cache-max4', { maxCacheMarkers: 4 }],
  ['image dimensions exceed max allowed size for many-image requests', 'an-images', { maxImages: 20 }],
  [
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    'an-id-regex',
    { idPattern: PLAIN_ID },
  ],
  [
    'Requests which include `tool_use` or `tool_result` blocks must define tools.',
    'an-tools-defined',
    { toolsDeclared: true },
  ],
  [
    '…, the first block must be `thinking` or `redacted_thinking`. Found `text`.',
    'an-think-first-block',
    { reasoningFirst: true },
  ],
  ['A conversation must start with a user message. Try again', 'br-first-user', { firstUser: true }],
  ['A conversation must alternate between user and assistant roles.', 'br-alternate', { alternation: true }],
  [
    'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
    'br-toolconfig',
    { toolsDeclared: true },
  ],
  [
    'The text field in the ContentBlock object at messages.0.content.1 is blank.',
    'br-text-blank',
    { blankText: false },
  ],
  [
    'Conversation blocks and tool result blocks cannot be provided in the same turn.',
    'br-mixed',
    { resultsAlone: true },
  ],
  ['This model does not support the status field in tool results.', 'br-status', { resultStatus: false }],
  [
    "'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40",
    'oc-id-40',
    { idMax: 40 },
  ],
  ["function.arguments': expected a string, but got an object", 'oc-args-string', { inputForm: 'text' }],
  ["Invalid value for 'content': expected a string, got null.", 'oc-content-null', { nullContent: false }],
  ["'messages[0].role' does not support 'system' with this model.", 'oc-role-enum', { systemRole: false }],
  [
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
    'ds-reason-back',
    { reasoningField: 'back' },
  ],
  ['does not support successive user or assistant messages', 'ds-alternate', { alternation: true }],
  ["the message at position 1 with role 'assistant' must not be empty", 'ms-empty', { emptyText: 'refused' }],
  [
    "for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    'gq-strict',
    { reasoningField: 'never' },
  ],
  ["('messages.0.content' : value must be a string)", 'gq-strict', { plainContent: true }],
  ['Each message must have at least one content element.', 'xa-content', { contentNeeded: true }],
  [
    'Conversation roles must alternate user/assistant/user/assistant/...',
    'tpl-alternate',
    { alternation: true, firstUser: true, toolRole: false, plainContent: true },
  ],
  ['System message must be at the beginning.', 'tpl-system', { oneSystem: true, systemLater: false }],
  ['System role not supported', 'tpl-system-none', { systemRole: false }],
  ['Can only get item pairs from a mapping', 'tpl-args-object', { inputForm: 'object' }],
  ['Cannot have 2 or more assistant messages at the end of the list.', 'lc-two-assistants', { prefill: 'refused' }],
  ['Assistant response prefill is incompatible with enable_thinking.', 'lc-prefill-think', { prefill: 'refused' }],
  ["Unexpected role 'user' after role 'tool'", 'mi-transitions', { userAfterTool: false }],
  [
    'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.',
    'mi-id9',
    { idPattern: NINE_ID, idMax: 9 },
  ],
  [
    'Expected last role User or Tool (or Assistant with prefix True) for serving but got system',
    'mi-last',
    { systemEnd: false },
  ],
  [
    'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
    'mi-last',
    { prefill: 'marked' },
  ],
  ["Unexpected content chunk types in assistant message: ['ThinkChunk']", 'mi-chunks', { reasoningParts: false }],
  [
    "Invalid 'input[0].content': array too long. Expected an array with maximum length 0",
    'or-reason-shape',
    { reasoningText: false },
  ],
  ["Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64", 'or-callid', { idMax: 64 }],
  ['Please ensure that multiturn requests alternate between user and model.', 'ge-merge', { alternation: true }],
  [
    'Function call `read` in the `2.` content block is missing a `thought_signature`.',
    'ge-sig-missing',
    { callSeals: true },
  ],
];

/** Texts that ask for something else, and the likeliest rule; none where the history is not to blame. */
const others: readonly (readonly [text: string, row: string, rule: string | undefined, remedy?: object])[] = [
  ['no low surrogate in string', 'an-json-utf16', 'lone-surrogate', { kind: 'fields' }],
  [
    "messages.0.content.1: Input tag 'image_url' found using 'type' does not match any of the expected tags",
    'an-role-enum',
    'part-unreadable',
    { kind: 'pieces', type: 'image_url' },
  ],
  ["tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'", 'an-name-len', undefined],
  ['request_too_large', 'an-size', 'request-too-large'],
  ['prompt is too long: 200001 tokens > 200000 maximum', 'an-context', 'prompt-too-long'],
  [
    'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.',
    'an-think-prefix',
    'reasoning-after-edit',
    { kind: 'reasoning', from: 1 },
  ],
  [
    'messages.5.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.',
    'an-think-latest',
    'reasoning-after-edit',
    { kind: 'reasoning', from: 5, turn: true },
  ],
  [
    "Invalid 'messages[2]'. Content blocks are expected to be either text or image_url type.",
    'oc-parts-min',
    'part-refused',
    { kind: 'pieces', message: 2, keep: ['text', 'image_url'] },
  ],
  ['Function tools with reasoning_effort are not supported for gpt-5.4', 'oc-reasoning-tools', undefined],
  [
    "'messages.0' : for 'role:user' the following must be satisfied[('messages.0' : property 'id' is unsupported)]",
    'gq-strict',
    'extra-key',
    { kind: 'key', key: 'id', role: 'user' },
  ],
  ['tool_use_failed', 'gq-generation', undefined],
  ["Invalid 'input[12].id': 'call_1'. Expected an ID that begins with 'fc'.", 'or-id-prefix', 'item-id-malformed'],
];

/** Rows that a provider tells in the words of another. */
const shared = [
  'an-mixed-open as an-server-pair',
  'an-result-content as an-role-enum',
  'an-result-first as an-tooluse-answered',
  'an-think-adjacent as an-think-latest',
  'an-think-chain as an-think-prefix',
  'an-tooluse-suffix as an-tooluse-answered',
  'br-last as an-prefill',
  'br-last as an-prefill-ws',
  'or-parallel-order as or-needs-reason',
  'or-reference as or-output-orphan',
  'shape as an-role-enum',
  'shape as or-part-type',
];

describe('what the words of a provider mean', () => {
  test.each(stricter)('%s', (text, row, flags) => {
    const known = recognise(text);
    expect(known?.row).toBe(row);
    expect(known?.remedy).toEqual({ kind: 'flags', flags });
  });

  test.each(others.map((other) => [other[0], other] as const))('%s', (text, [, row, rule, remedy]) => {
    const known = recognise(text);
    expect([known?.row, known?.rules[0]]).toEqual([row, rule]);
    expect(known?.remedy).toEqual(remedy);
  });

  test.each(TOO_LONG)('too long a history is to be compacted: %s', (text) => {
    const { refusal, repairs } = repair([{ role: 'user', content: 'hi' }], 'openai-chat', { refusal: text }).report;
    expect(refusal).toMatchObject({ known: true, rule: 'prompt-too-long', note: expect.stringMatching(/^compact /) });
    expect(repairs).toEqual([]);
  });

  test.each([
    "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40",
    'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4-5',
  ])('what is too long by itself is no reason to compact: %s', (text) => {
    expect(recognise(text)?.rules[0]).not.toBe('prompt-too-long');
  });

  test('is the row of the contract page that the text stands in', () => {
    const told = ALL_REFUSALS.filter(({ known }) => known !== 'none');
    const read = new Set(told.map(({ text, row }) => `${row} as ${String(recognise(text)?.row)}`));
    expect([...read].filter((each) => !/^(.*) as \1$/.test(each)).sort()).toEqual(shared);
  });
});
