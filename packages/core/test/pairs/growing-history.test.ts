import { describe, expect, test } from 'vitest';
import { check, createChecker, repair, RESULT_TEXTS, type Checker, type Finding } from '../../src/index.ts';
import { assistant, call, result, text, user } from '../anthropic-wire.ts';

const dialect = 'anthropic-messages';
const brief = (findings: readonly Finding[]): string[] => findings.map(({ rule, at }) => `${rule} ${at.pointer}`);

/** What a checker says to each message, and which calls it then holds open. */
function follow(checker: Checker, messages: readonly unknown[]): [string[], readonly string[]][] {
  return messages.map((message) => [brief(checker.push(message)), checker.open()]);
}

describe('a checker of a growing history', () => {
  test('names a call that was left open once it cannot be answered any more, and its late result', () => {
    const messages = [
      user('go'),
      assistant([call('c1'), call('c2')]),
      user([result('c2')]),
      user('well?'),
      assistant('Hm.'),
      user([result('c1')]),
      assistant([call('c3')]),
      user([result('c9')]),
    ];
    expect(follow(createChecker(dialect), messages)).toEqual([
      [[], []],
      [[], ['c1', 'c2']],
      [[], ['c1']],
      [[], ['c1']],
      [['call-without-result /1/content/0'], []],
      [['result-displaced /5/content/0'], []],
      [[], ['c3']],
      [['result-misnamed /7/content/0'], []],
    ]);
  });

  test('knows a second result of a call of any earlier step', () => {
    const messages = [
      user('go'),
      assistant([call('c1')]),
      user([result('c1')]),
      assistant('Done.'),
      user([result('c1', 'again')]),
      user([result('c0', 'of no call')]),
    ];
    const said = follow(createChecker(dialect), messages).map(([findings]) => findings);
    expect(said).toEqual([[], [], [], [], ['duplicate-result /4/content/0'], ['result-without-call /5/content/0']]);
  });

  test('says of a call without an id what is wrong with it', () => {
    const unnamed = { type: 'tool_use', name: 'ls', input: {} };
    const [, said] = follow(createChecker(dialect), [user('go'), assistant([unnamed, unnamed])]);
    expect(said).toEqual([
      ['call-id-malformed /1/content/0', 'call-id-malformed /1/content/1'],
      ['', ''],
    ]);
  });

  test('settles what is open with what is known, in the form of the dialect', () => {
    const checker = createChecker(dialect);
    follow(checker, [user('go'), assistant([call('c1'), call('c2')])]);
    const closed = (id: string, content: string): object => ({ ...result(id, content), is_error: true });
    expect(checker.settle({ c1: 'denied' })).toEqual([
      user([closed('c1', RESULT_TEXTS.denied), closed('c2', RESULT_TEXTS.unknown)]),
    ]);
    checker.push(user([result('c1')]));
    expect(checker.settle()).toEqual([user([closed('c2', RESULT_TEXTS.unknown)])]);
    checker.push(user([result('c2')]));
    expect(checker.settle()).toEqual([]);
  });

  test('settles each call in a message of its own where the dialect wants that', () => {
    const checker = createChecker('openai-chat');
    const tool_calls = ['c1', 'c2'].map((id) => ({ id, type: 'function', function: { name: 'ls', arguments: '{}' } }));
    checker.push({ role: 'assistant', content: null, tool_calls });
    expect(checker.open()).toEqual(['c1', 'c2']);
    expect(checker.settle()).toEqual(
      ['c1', 'c2'].map((id) => ({ role: 'tool', tool_call_id: id, content: RESULT_TEXTS.unknown })),
    );
  });

  test('settles calls in the answer itself where they carry their own results', () => {
    const checker = createChecker('ai-sdk-ui');
    const asked = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'go' }] };
    const part = (id: string, more: object): object => ({ type: 'tool-ls', toolCallId: id, input: {}, ...more });
    const done = part('c1', { state: 'output-available', output: 'a' });
    const answer = { id: 'm2', role: 'assistant', parts: [done, part('c2', { state: 'input-available' })] };
    follow(checker, [asked, answer]);
    const errorText = RESULT_TEXTS.aborted;
    const closed = { ...answer, parts: [done, part('c2', { state: 'output-error', errorText })] };
    expect(checker.settle({ c2: 'aborted' })).toEqual([closed]);
    expect(check([asked, closed], 'ai-sdk-ui').verdict).toBe('clean');
    follow(checker, [asked, closed]);
    expect(checker.settle()).toEqual([]);
  });
});

describe('a list as a whole', () => {
  const found = (messages: readonly unknown[]): string[] => brief(check(messages, dialect).findings);

  test('pairs by the step, so that ids may be used again in a later one', () => {
    const step = [assistant([call('c1')]), user([result('c1')])];
    expect(found([user('go'), ...step, ...step])).toEqual([]);
  });

  test('takes a result in the first message of the user only', () => {
    const step = [user('go'), assistant([call('c1')])];
    expect(found([...step, user([result('c1'), text('and?')])])).toEqual([]);
    expect(found([...step, user([text('and?'), result('c1')])])).toEqual(['result-displaced /2/content/1']);
    expect(found([...step, user('and?'), user([result('c1')])])).toEqual(['result-displaced /3/content/0']);
  });

  test('takes results spread over messages as long as nothing is said between them', () => {
    const calls = [user('go'), assistant([call('c1'), call('c2')])];
    expect(found([...calls, user([result('c1')]), user([result('c2')])])).toEqual([]);
    expect(found([...calls, user([result('c1'), text('hm')]), user([result('c2')])])).toEqual([
      'result-displaced /3/content/0',
    ]);
  });

  test('relinks strange results by position only if there are as many as open calls', () => {
    const calls = [user('go'), assistant([call('c1'), call('c2')])];
    expect(found([...calls, user([result('x1'), result('x2')])])).toEqual([
      'result-misnamed /2/content/0',
      'result-misnamed /2/content/1',
    ]);
    expect(found([...calls, user([result('x1'), result('c1')])])).toEqual(['result-misnamed /2/content/0']);
    expect(found([...calls, user([result('x1')])])).toEqual([
      'call-without-result /1/content/0',
      'call-without-result /1/content/1',
      'result-without-call /2/content/0',
    ]);
  });

  test.each([
    ['beside what the user says', [user([text('hm'), result('x')])], 'result-misnamed /2/content/1'],
    ['in a later message', [user('hm'), user([result('x')])], 'result-without-call /3/content/0'],
  ])('relinks a strange result right behind the calls only: %s', (_, behind, finding) => {
    expect(found([user('go'), assistant([call('c1')]), ...behind])).toContain(finding);
  });

  test('relinks no strange result behind somebody else, where results are messages of their own', () => {
    const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }];
    const stray = { role: 'tool', tool_call_id: 'x', content: 'a.txt' };
    const calls = [user('go'), { role: 'assistant', content: null, tool_calls }];
    const rules = (...behind: unknown[]): string[] =>
      check([...calls, ...behind], 'openai-chat').findings.map(({ rule }) => rule);
    expect(rules(stray)).toEqual(['result-misnamed']);
    expect(rules(user('hm'), stray)).toEqual(['call-without-result', 'result-without-call']);
  });

  test.each([
    ['a user who speaks beside a result', [user([result('c1'), text('by the way')])], 'waiting'],
    ['a user who speaks before a result', [user([text('by the way'), result('c1')])], 'waiting'],
    ['a user who only speaks', [user('well?')], 'repaired'],
    ['a user who only speaks, behind a result', [user([result('c1')]), user('well?')], 'repaired'],
    ['results after a user who only speaks', [user('well?'), user([result('c1')])], 'repaired'],
    ['another answer', [assistant('Done.')], 'repaired'],
  ])('waits for a call until a turn begins or the model goes on: %s', (_, behind, verdict) => {
    const input = [user('go'), assistant([call('c1'), call('c2')]), ...behind];
    expect(repair(input, dialect, { open: 'leave' }).report.verdict).toBe(verdict);
  });

  test.each([
    ['openai-chat', { role: 'assistant', content: 'Done.' }],
    ['openai-chat', { role: 'user', content: 'well?' }],
  ] as const)('does not wait where something else follows the call, %s', (to, next) => {
    const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }];
    const input = [user('go'), { role: 'assistant', content: null, tool_calls }, next];
    expect(repair(input, to, { open: 'leave' }).report.verdict).toBe('repaired');
  });

  test('leaves only the calls at its end open, if they may wait', () => {
    const input = [user('a'), assistant([call('c0')]), user('b'), assistant([text('Let me.'), call('c1')])];
    const { output, report } = repair(input, dialect, { open: 'leave' });
    const closed = { ...result('c0', RESULT_TEXTS.unknown), is_error: true };
    expect(output).toEqual(input.with(2, user([closed, text('b')])));
    expect(report.verdict).toBe('waiting');
    expect(report.repairs.map(({ rule, at }) => `${rule} ${at.pointer}`)).toEqual(['call-without-result /1/content/0']);
  });

  test('waits for the rest of a batch of which some are answered', () => {
    const input = [user('a'), assistant([call('c0'), call('c1')]), user([result('c1')])];
    const { output, report } = repair(input, dialect, { open: 'leave' });
    expect(output).toBe(input);
    expect(report.verdict).toBe('waiting');
  });
});
