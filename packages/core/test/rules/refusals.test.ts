import { describe, expect, test } from 'vitest';
import { check, repair, type Finding, type TargetInput } from '../../src/index.ts';
import { judge, type JudgedDialect } from '../../../simulator/src/judges/judge.ts';
import type { RefusalFixture } from '../../../simulator/test/fixtures/fixture.ts';
import { ALL_REFUSALS } from '../../../simulator/test/fixtures/fixtures.ts';
import { REFUSALS } from '../../src/rules/refusals/refusals.ts';
import { refusalText } from '../../src/refusal-text.ts';
import { TOO_LONG } from '../too-long.ts';

type Fixture = RefusalFixture<JudgedDialect>;

const targetOf = ({ dialect, purpose, model }: Fixture): TargetInput => ({
  dialect,
  purpose,
  ...(model === undefined ? {} : { model }),
});

/** True for a finding that foretells the refusal in its own words. */
function foretells({ text }: Fixture, { providerError }: Finding): boolean {
  if (providerError === undefined) return false;
  return providerError.includes(text) || text.startsWith(providerError);
}

/** No change of a history answers these: it is too long, or it goes on from what only the provider knows. */
const beyond = new Set(['an-size', 'an-context', 'an-count', 'oc-reasoning-tools', 'an-name-len']);
const kept = (fixture: Fixture): boolean => fixture.told?.memory !== undefined;

describe('every text that is on record', () => {
  const fixtures = ALL_REFUSALS.filter(({ known }) => known !== 'none');

  test.each(fixtures.map((fixture) => [`${fixture.dialect} ${fixture.row}: ${fixture.name}`, fixture] as const))(
    '%s leads to its rule',
    (_name, fixture) => {
      const target = targetOf(fixture);
      const rules = check(fixture.input, target)
        .findings.filter((finding) => foretells(fixture, finding))
        .map(({ rule }) => rule);
      const { output, report } = repair(fixture.input, target, { refusal: fixture.text });
      expect(report.refusal).toMatchObject({ known: true, text: fixture.text });
      if (rules.length > 0) expect(rules).toContain(report.refusal?.rule);
      if (beyond.has(fixture.row) || kept(fixture)) return;
      const { dialect, purpose, model } = fixture;
      expect(judge(dialect, output, { purpose, model, ...fixture.told })).toEqual([]);
    },
  );

  test('is read from whatever a client makes of it', () => {
    const text = 'messages: first message must use the "user" role';
    const body = { type: 'error', error: { type: 'invalid_request_error', message: text } };
    const raised = Object.assign(new Error(`400 ${JSON.stringify(body)}`), { status: 400, error: body });
    const routed = { error: { message: 'Provider returned error', metadata: { raw: JSON.stringify(body) } } };
    for (const refusal of [text, body, JSON.stringify(body), raised, routed, [body], { cause: raised }]) {
      const messages = [
        { role: 'assistant', content: 'hi' },
        { role: 'user', content: 'go' },
      ];
      const { report } = repair(messages, { dialect: 'anthropic-messages', model: 'claude-opus-5' }, { refusal });
      expect(report.refusal).toMatchObject({ known: true, rule: 'first-message-not-user', row: 'an-first-user' });
    }
  });

  test('is read from what gateways and servers of models make of it', () => {
    const text = 'messages: first message must use the "user" role';
    const said = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: text } });
    for (const refusal of [
      `litellm.BadRequestError: AnthropicException - ${said}. Received Model Group=claude`,
      { error: { message: `litellm.BadRequestError: AnthropicException - ${said}`, code: '400' } },
      { detail: [{ type: 'value_error', loc: ['body', 'messages'], msg: text }] },
    ]) {
      const { report } = repair([{ role: 'user', content: 'hi' }], 'anthropic-messages', { refusal });
      expect(report.refusal).toMatchObject({ known: true, row: 'an-first-user' });
    }
  });

  test('has a row of its own in the table, and no row is out of reach', () => {
    const texts = [...ALL_REFUSALS.map(({ text }) => text), ...others.map(([text]) => text), ...TOO_LONG];
    const unreached = REFUSALS.filter(({ text }) => !texts.some((each) => text.test(each)));
    expect(unreached.map(({ row }) => row)).toEqual([]);
  });
});

/** Texts that no fixture has, and the rules they lead to. */
const others: readonly (readonly [text: string, rule: string | undefined])[] = [
  ['messages: roles must alternate between "user" and "assistant", but found multiple "user" roles', 'same-role-run'],
  ["messages.1.role: Input should be 'user', 'assistant' or 'system'", 'role-foreign'],
  ['… (insufficient tool messages following tool_calls message)', 'call-without-result'],
  ['No tool output found for tool call call-a.', 'call-without-result'],
  ['Invalid request: tool_call_id  is not found', 'result-without-call'],
  [
    "'messages.4' : for 'role:tool' …('messages.4.tool_call_id' : property 'tool_call_id' is missing)",
    'result-without-call',
  ],
  ["'messages.2' : …('messages.2.tool_calls.0.type' : property 'type' is missing)", 'call-type-missing'],
  ['Tool call validation failed: attempted to call tool', undefined],
  ['Assistant response prefill is incompatible with enable_thinking.', 'ends-with-assistant'],
  ["Unexpected role 'tool' after role 'user'", 'result-without-call'],
  ['Unexpected tool call id None in tool results', 'result-without-call'],
  ['Conversation must start with a user message or system message', 'ends-with-assistant'],
  ['Please ensure that multiturn requests alternate between user and model.', 'same-role-run'],
  ['Gemini models require OpenRouter reasoning details to be preserved in each request.', 'call-unsigned'],
  ['INVALID_CHAT_HISTORY', 'call-without-result'],
  ['messages: List should have at most 100000 items after validation, not 100001', 'too-many-messages'],
  ['messages.1.content.0.toolUse.input is invalid. Provide a json object', 'call-input-malformed'],
  ['This model does not support the status field in tool results.', 'result-status-refused'],
  ["the message at position 79 with role 'assistant' must not be empty", 'empty-message'],
  ['Invalid request content: Each message must have at least one content element.', 'null-content'],
  ['Can only get item pairs from a mapping', 'call-input-malformed'],
  ['System role not supported', 'system-role-refused'],
  [
    "Invalid 'messages[2].tool_calls[0].function.name': string too long. Expected a string with maximum length 64",
    'call-name-malformed',
  ],
];

test.each(others)('%s leads to %s', (refusal, rule) => {
  const { report } = repair([], 'openai-chat', { refusal });
  expect(report.refusal).toMatchObject({ known: true, ...(rule === undefined ? {} : { rule }) });
  if (rule === undefined) expect(report.refusal).not.toHaveProperty('rule');
});

test('a text that is not on record changes nothing', () => {
  const messages = [{ role: 'user', content: 'hi' }];
  const { output, changed, report } = repair(messages, 'openai-chat', { refusal: 'the teapot is empty' });
  expect([output === messages, changed, report.verdict]).toEqual([true, false, 'clean']);
  expect(report.refusal).toEqual({
    text: 'the teapot is empty',
    known: false,
    note: 'nothing like this is on record; repaired as without it',
  });
});

test('a refusal that throws when it is read is no refusal', () => {
  const refusal = {
    get message(): string {
      throw new Error('no');
    },
  };
  expect(refusalText(refusal)).toBe('');
  expect(repair([], 'openai-chat', { refusal }).report.refusal?.known).toBe(false);
});
