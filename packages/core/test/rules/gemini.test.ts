import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../src/dialects/profiles.ts';
import { check, createChecker, repair, type Profile } from '../../src/index.ts';

const dialect = 'gemini';
const asks = (...parts: unknown[]): object => ({ role: 'user', parts });
const says = (...parts: unknown[]): object => ({ role: 'model', parts });
const call = (name: string, id?: string): object => ({ functionCall: id === undefined ? { name } : { id, name } });
const signed = (part: object): object => ({ ...part, thoughtSignature: 'c2ln' });
const result = (name: string, output: string, id?: string): object => ({
  functionResponse: { ...(id === undefined ? {} : { id }), name, response: { result: output } },
});
const go = asks({ text: 'go' });

const profile = (model?: string): Profile => PROFILES[dialect](model);

test.each([
  ['gemini-2.5-flash', { callSeals: false, resultIds: false }],
  ['models/gemini-1.5-pro-002', { callSeals: false, resultIds: false }],
  ['publishers/google/models/gemini-2.0-flash-exp', { callSeals: false, resultIds: false }],
  ['gemini-3-pro-image-preview', { callSeals: false }],
  ['gemini-3-flash-preview', {}],
  ['gemini-3.1-flash-image', {}],
  ['gemini-4-pro', {}],
  ['gemini-10', {}],
  ['gemini-flash-latest', {}],
  ['gemma-3-27b-it', {}],
  ['some-model', {}],
])('%s differs from the strict reading in exactly this', (model, difference) => {
  expect(profile(model)).toEqual({ ...profile(), ...difference });
});

describe('calls without ids', () => {
  const target = { dialect, model: 'gemini-2.5-flash' } as const;

  test('are answered by name, in order, wherever they stand in their step', () => {
    const history = [go, says(call('a')), says(call('b'), call('a')), asks(result('a', '1')), asks(result('a', '2'))];
    expect(repair(history, target).output).toEqual([
      ...history.slice(0, 4),
      asks(result('a', '2'), {
        functionResponse: { name: 'b', response: { error: expect.stringContaining('may have run') } },
      }),
    ]);
  });

  test('take as many results as there are calls, whatever these are named', () => {
    const history = [go, says(call('a'), call('b')), asks(result('x', '1'), result('x', '2'))];
    expect(repair(history, target).output).toBe(history);
    const twice = [go, says(call('a'), call('b')), asks(result('a', '1'), result('a', '2'))];
    expect(repair(twice, target).output).toBe(twice);
  });

  test('are closed by name when no result says which call it is of', () => {
    const { output, report } = repair([go, says(call('a'), call('b')), asks(result('x', '1'))], target);
    expect(report.findings.map(({ rule }) => rule)).toEqual([
      'call-without-result',
      'call-without-result',
      'result-without-call',
    ]);
    expect(JSON.stringify(output)).toContain('[tool output] 1');
  });

  test('a second result is a copy only when no other call waits for one', () => {
    const history = [go, says(call('a'), call('b')), asks(result('a', '1'), result('a', '2'), result('b', '3'))];
    const { output } = repair(history, target);
    expect(output).toEqual([
      go,
      says(call('a'), call('b')),
      asks(result('a', '2'), { text: '[tool output] 1' }, result('b', '3')),
    ]);
  });

  test('a result of an earlier step does for a call of another name, as the provider counts', () => {
    const history = [go, says(call('a')), asks(result('a', '1')), says(call('b')), asks(result('a', '2'))];
    expect(repair(history, target).output).toBe(history);
  });
});

describe('calls with ids', () => {
  const asked = (...ids: string[]): object =>
    says(signed(call('a', ids[0])), ...ids.slice(1).map((id) => call('a', id)));

  test('a result that repeats the id of another is not taken for the missing one', () => {
    const { output } = repair([go, asked('1', '2'), asks(result('a', 'x', '1'), result('a', 'y', '1'))], dialect);
    expect(output).toEqual([
      go,
      asked('1', '2'),
      asks(
        result('a', 'x', '1'),
        { functionResponse: { id: '2', name: 'a', response: { error: expect.stringContaining('may have run') } } },
        { text: '[tool output] y' },
      ),
    ]);
  });

  test('calls that share an id are answered in order', () => {
    const { output } = repair([go, asked('1', '1'), asks(result('a', 'x', '1'))], dialect);
    expect(output).toEqual([
      go,
      asked('1', '1'),
      asks(result('a', 'x', '1'), {
        functionResponse: { id: '1', name: 'a', response: { error: expect.stringContaining('may have run') } },
      }),
    ]);
  });

  test('a result without a name is named after the call in its place, or says that it has none', () => {
    const target = { dialect, model: 'gemini-2.5-flash' } as const;
    const bare = { functionResponse: { response: {} } };
    const named = (name: string): object => ({ functionResponse: { response: {}, name } });
    const asked = [go, says(call('a'), call('b'))];
    expect(repair([...asked, asks(bare, bare)], target).output).toEqual([...asked, asks(named('a'), named('b'))]);
    const many = repair([...asked, asks(bare, bare, bare)], target).output;
    expect(many).toEqual([...asked, asks(named('a'), named('b'), { text: '[tool output] {}' })]);
    const { output } = repair([go, says({ functionCall: { name: '' } }), asks(bare)], target);
    expect(JSON.stringify(output).match(/unknown_tool/g)).toHaveLength(2);
  });
});

describe('signatures', () => {
  test('a checker that is told message by message asks for one at once', () => {
    const checker = createChecker(dialect);
    expect(checker.push(go)).toEqual([]);
    expect(checker.push(says(call('a'), call('b'))).map(({ rule }) => rule)).toEqual(['call-unsigned']);
    expect(checker.open()).toEqual(['#a', '#b']);
    expect(checker.settle()).toEqual([
      asks(
        { functionResponse: { name: 'a', response: { error: expect.stringContaining('may have run') } } },
        { functionResponse: { name: 'b', response: { error: expect.stringContaining('may have run') } } },
      ),
    ]);
  });

  test('both spellings of a broken one are replaced', () => {
    const broken = { ...call('a'), thoughtSignature: 'a b', thought_signature: 'c d' };
    const { output } = repair([go, says(broken), asks(result('a', 'x'))], dialect);
    const standIn = 'skip_thought_signature_validator';
    expect(output).toEqual([
      go,
      says({ ...broken, thoughtSignature: standIn, thought_signature: standIn }),
      asks(result('a', 'x')),
    ]);
  });
});

test('a part with two kinds of data and no call leaves what is said about it with the first', () => {
  const part = { text: 'a', inlineData: { data: '' }, videoMetadata: { fps: 1 } };
  const { output } = repair([asks(part)], dialect);
  expect(output).toEqual([asks({ text: 'a', videoMetadata: { fps: 1 } }, { inlineData: { data: '' } })]);
});

test('a history that opens with an answer and then calls gets a user message between the two', () => {
  const { output } = repair([says({ text: 'Hello' }), says(signed(call('a'))), asks(result('a', 'x'))], dialect);
  expect(output).toEqual([
    says({ text: 'Hello' }),
    asks({ text: 'Continue.' }),
    says(signed(call('a'))),
    asks(result('a', 'x')),
  ]);
});

describe('a lone content in the place of a list', () => {
  const lone = (contents: unknown): object => ({ model: 'gemini-3-pro', contents });

  test('comes back as it is where it is accepted, and is pointed into without an index', () => {
    const body = lone(asks({ text: 'hi' }));
    expect(repair(body)).toMatchObject({ changed: false, report: { verdict: 'clean', dialect } });
    expect(repair(body).output).toBe(body);
    const [whole, part] = [lone(says({ text: 'hi' })), lone(asks({}, { text: 'hi' }))];
    expect(check(whole).findings.map(({ at }) => at.pointer)).toEqual(['/contents']);
    expect(check(part).findings.map(({ at }) => at.pointer)).toEqual(['/contents/parts/0']);
  });

  test('becomes a list where it has to be repaired', () => {
    expect(repair(lone(says({ text: 'hi' }))).output).toEqual(
      lone([says({ text: 'hi' }), asks({ text: 'Continue.' })]),
    );
  });
});

test('words of either side may stand anywhere in a step, and none of its calls waits for an answer of its own', () => {
  const target = { dialect, model: 'gemini-2.5-flash' } as const;
  const history = [
    go,
    says({ text: 'First.' }),
    says(call('a')),
    says({ text: 'Then.' }),
    says(call('b')),
    asks({ text: 'hm' }),
    asks(result('b', '1')),
    asks({ text: 'and?' }),
    asks(result('a', '2')),
  ];
  expect(repair(history, target).output).toBe(history);
  const closed = { functionResponse: { name: 'a', response: { error: expect.stringContaining('may have run') } } };
  expect(repair(history.slice(0, 7), target).output).toEqual([...history.slice(0, 6), asks(closed, result('b', '1'))]);
});

test('a call behind which the model goes on speaking still asks for its signature', () => {
  const rules = (...messages: unknown[]): string[] => check(messages, dialect).findings.map(({ rule }) => rule);
  expect(rules(go, says(call('a')), says({ text: 'So.' }))).toEqual(['call-without-result', 'call-unsigned']);
  expect(rules(go, says(call('a')), asks(result('a', 'x')), says({ text: 'So.' }))).toEqual([]);
});

test.each(['gemini-2.5-flash', 'gemini-3-pro-preview'])(
  'a call that is closed is answered in its place among the results, for %s',
  (model) => {
    const asked = ['c1', 'c2', 'c3'].map((id) => ({
      functionCall: { id, name: 'read', args: {} },
      thoughtSignature: 'c2ln',
    }));
    const said = (id: string): object => ({ functionResponse: { id, name: 'read', response: { output: id } } });
    const list = (...parts: object[]): unknown[] => [
      { role: 'user', parts: [{ text: 'go' }] },
      { role: 'model', parts: asked },
      { role: 'user', parts },
    ];
    const order = (...parts: object[]): unknown[] => {
      const { output } = repair(list(...parts), { dialect: 'gemini', model });
      const [, , last] = output as { parts: { functionResponse?: { id: string }; text?: string }[] }[];
      return last?.parts.map(({ functionResponse, text }) => functionResponse?.id ?? text) ?? [];
    };
    expect(order(said('c2'))).toEqual(['c1', 'c2', 'c3']);
    expect(order(said('c1'), said('c3'))).toEqual(['c1', 'c2', 'c3']);
    expect(order(said('c3'), { text: 'and?' })).toEqual(['c1', 'c2', 'c3', 'and?']);
    const accepted = list(said('c3'), said('c1'), said('c2'));
    expect(repair(accepted, { dialect: 'gemini', model }).output).toBe(accepted);
  },
);
