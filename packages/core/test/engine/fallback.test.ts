import { describe, expect, test } from 'vitest';
import { check, repair, type Repair, type RepairOptions } from '../../src/index.ts';
import { assistant, call, result, text, thought, user } from '../anthropic-wire.ts';

const dialect = 'anthropic-messages';
const TOOLS = [{ name: 'ls', input_schema: { type: 'object' } }];
const QUOTED = '[The earlier conversation could not be sent as it was. What could be read of it:]';
const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const ONCE: RepairOptions = { maxPasses: 1 };

const quotation = (...lines: readonly string[]): object => user([text([QUOTED, ...lines].join('\n'))]);

const cut = (message: number, root = ''): Repair => ({
  rule: 'passes-exhausted',
  at: { message, pointer: `${root}/${String(message)}` },
  action: 'drop',
  loss: 'lossy',
  note: 'this turn and all after it were left out; send the last instruction again',
});
const EMPTIED: Repair = {
  rule: 'passes-exhausted',
  at: { message: -1, pointer: '' },
  action: 'demote',
  loss: 'lossy',
  note: 'the history could not be sent in any part; what could be read of it is quoted in one message',
};

describe('when the passes do not suffice, turns are left out from the one that is refused on', () => {
  const turns = [user('one'), assistant('One.'), user('two'), assistant('Two.')];

  test('of a history', () => {
    const input = [...turns, user('three'), assistant([call('c1')]), user('four')];
    const { output, changed, report } = repair(input, dialect, ONCE);
    expect(output).toEqual(turns);
    expect(changed).toBe(true);
    expect(report.verdict).toBe('salvaged');
    expect(report.repairs).toEqual([cut(4)]);
    expect(report.preserved).toEqual({ charactersIn: 25, charactersOut: 14, ratio: 14 / 25 });
    expect(report.next).toBe('Send the output and repeat the last instruction: turns at the end had to be left out.');
    expect(report.findings.map(({ rule }) => rule)).toEqual(['call-without-result', 'passes-exhausted']);
    expect(report.findings[1]).toEqual({
      rule: 'passes-exhausted',
      severity: 'degraded',
      at: { message: -1, pointer: '' },
      explain: 'after 1 passes something was still refused, so whole turns were left out',
    });
    expect(check(output, dialect).verdict).toBe('clean');
  });

  test('of a request, whose other fields stay', () => {
    const body = { tools: TOOLS, max_tokens: 9 };
    const list = [user('one'), assistant('One.'), user('two'), assistant([call('c1')]), user('three')];
    const { output, report } = repair({ ...body, messages: list }, { dialect, model: 'claude-sonnet-4-5' }, ONCE);
    // What is left ends in an assistant message, which a request with tools may not; a word of the user mends that.
    expect(report.repairs.map(({ rule }) => rule)).toEqual(['passes-exhausted', 'ends-with-assistant']);
    expect(report.repairs[0]).toEqual(cut(2, '/messages'));
    expect(output).toEqual({ ...body, messages: [...list.slice(0, 2), user([text('Continue.')])] });
    expect(report.verdict).toBe('salvaged');
    expect(report.preserved).toEqual({ charactersIn: 17, charactersOut: 7, ratio: 7 / 17 });
  });

  test('at a message of the user that carries no result', () => {
    const answered = [user('one'), assistant('One.'), user('two'), assistant([call('c1')]), user([result('c1')])];
    const { output, report } = repair([...answered, assistant([call('c2')]), user('three')], dialect, ONCE);
    expect(output).toEqual(answered.slice(0, 2));
    expect(report.repairs).toEqual([cut(2)]);
  });

  test('at the first of several that are refused', () => {
    const input = [...turns, user([text('')]), assistant('Hm.'), user('three'), assistant([call('c1')]), user('four')];
    const { output, report } = repair(input, dialect, ONCE);
    expect(output).toEqual(turns);
    expect(report.repairs).toEqual([cut(4)]);
  });

  test('again where what is left is refused too', () => {
    const waits = [user('one'), assistant('One.'), user('two'), assistant([text('Wait.'), call('c1')])];
    const input = [...waits, user([text('')]), assistant('Hm.')];
    const { output, report } = repair(input, { dialect, profile: { resultsFirst: false } }, ONCE);
    expect(output).toEqual(waits.slice(0, 2));
    expect(report.verdict).toBe('salvaged');
    expect(report.repairs.map(({ at }) => at.message)).toEqual([2]);
  });

  test('never between a call and its result, where the user spoke before the result came', () => {
    const said = (role: string, content: string): object => ({ role, content });
    const called = (id: string): object => ({ type: 'function_call', call_id: id, name: 'ls', arguments: '{}' });
    const answered = (id: string): object => ({ type: 'function_call_output', call_id: id, output: 'a' });
    const first = [said('user', 'one'), said('assistant', 'One.')];
    const input = [...first, said('user', 'two'), called('c1'), said('user', 'hurry'), called('c2'), answered('c1')];
    const { output, report } = repair(input, 'openai-responses', ONCE);
    expect(output).toEqual(first);
    expect(report.repairs).toEqual([cut(2)]);
  });

  test('together with what a program said for the user before the turn', () => {
    const reminder = user('<system-reminder>\nThe file has changed.\n</system-reminder>');
    const input = [...turns, reminder, user('three'), assistant([call('c1')]), user('four')];
    const { output, report } = repair(input, { dialect, profile: { alternation: false } }, ONCE);
    expect(output).toEqual(turns);
    expect(report.repairs).toEqual([cut(4)]);
  });

  test('after what the passes did mend', () => {
    const input = [user('one '), assistant('One.'), user('r'), assistant([call('c'), call('c')]), user([result('x')])];
    const { output, report } = repair([...input, user([result('y')])], dialect, { maxPasses: 2 });
    expect(output).toEqual(input.slice(0, 2));
    expect(report.repairs.map(({ rule }) => rule)).toEqual(['duplicate-call-id', 'passes-exhausted']);
    expect(report.repairs.at(-1)).toEqual(cut(2));
  });
});

describe('when no turn can be kept, what can be read is quoted', () => {
  test('message by message, with who said it', () => {
    const input = [
      user([IMAGE, text('look')]),
      assistant([thought('hm'), text('A cat.'), call('c1')]),
      user([text('well?'), result('c1', 'meow'), text(' ')]),
      assistant([call('c2')]),
    ];
    const { output, report } = repair(input, dialect, ONCE);
    expect(output).toEqual([quotation('user: look', 'assistant: hm', 'A cat.', 'user: well?', 'meow')]);
    expect(report.verdict).toBe('emptied');
    expect(report.repairs).toEqual([EMPTIED]);
    expect(report.next).toBe('Start again from the quoted text: the history could not be sent in any other form.');
    // Only what has no text is lost: the image and the calls.
    const { charactersIn, charactersOut } = report.preserved;
    expect(charactersIn - charactersOut).toBe('base64image/pngAAAA'.length + 2 * 'ls'.length);
    expect(check(output, dialect).verdict).toBe('clean');
  });

  test('with the halves of characters replaced', () => {
    const { output } = repair([user('one'), assistant('half \ud83d'), user('two')], dialect, ONCE);
    expect(output).toEqual([quotation('user: one', 'assistant: half \ufffd', 'user: two')]);
  });

  test('in the words of another dialect', () => {
    const input = [
      { role: 'user', content: 'one' },
      { role: 'tool', tool_call_id: 'x', content: 'lost' },
    ];
    const { output, report } = repair(input, 'openai-chat', ONCE);
    expect(output).toEqual([{ role: 'user', content: `${QUOTED}\nuser: one\ntool: lost` }]);
    expect(report.preserved).toEqual({ charactersIn: 7, charactersOut: 7, ratio: 1 });
  });

  test('and a history in which nothing can be read is empty', () => {
    const { output, report } = repair([assistant([call('c1')])], dialect, ONCE);
    expect(output).toEqual([]);
    expect(report.verdict).toBe('emptied');
    expect(report.preserved).toEqual({ charactersIn: 2, charactersOut: 0, ratio: 0 });
  });

  test('and a request in which nothing can be read still has a message', () => {
    const input = { tools: TOOLS, messages: [assistant([call('c1')])] };
    const { output, report } = repair(input, dialect, ONCE);
    expect(output).toEqual({ tools: TOOLS, messages: [user([text('[conversation resumed]')])] });
    expect(report.verdict).toBe('emptied');
    expect(check(output, dialect).verdict).toBe('clean');
  });
});

describe('what is wrong with the request as a whole', () => {
  test('costs the turns of its second half first', () => {
    const pair = [user('list'), assistant([call('c1')]), user([result('c1')]), assistant('done')];
    const input = {
      messages: [user('hi'), assistant('hello'), user('how?'), assistant('well'), ...pair, user('more')],
    };
    const { output, report } = repair(input, { dialect, model: 'claude-sonnet-4-5' }, { maxPasses: 1 });
    expect(report.verdict).toBe('salvaged');
    expect(output).toEqual({ messages: input.messages.slice(0, 4) });
  });
});

describe('turns are never left out', () => {
  test('for what is merely a waste', () => {
    const input = [user('one'), assistant('One.'), user('two')];
    const { output, report } = repair(input, dialect, { maxPasses: 1, next: 'user' });
    expect(output).toBe(input);
    expect(report.verdict).toBe('clean');
  });

  test('for what no edit can mend', () => {
    const input = { messages: [user('one two three')] };
    const { output, report } = repair(input, { dialect, profile: { maxBytes: 10 } }, ONCE);
    expect(output).toBe(input);
    expect(report.verdict).toBe('broken');
    expect(report.repairs).toEqual([]);
  });

  test('for calls that are left open on purpose', () => {
    const input = [user('one'), assistant([call('c1')])];
    const { output, report } = repair(input, dialect, { maxPasses: 1, open: 'leave' });
    expect(output).toBe(input);
    expect(report.verdict).toBe('waiting');
  });
});
