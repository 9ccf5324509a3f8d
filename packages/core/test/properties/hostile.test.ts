import { anything as anyValue, assert as assertProperty, property } from 'fast-check';
import { expect, test } from 'vitest';
import { check, createChecker, detectDialect, repair, type Dialect } from '../../src/index.ts';
import { deepValues, hostileValues, hugeValues, shifting, type HostileValue } from '../fuzz/hostile-values.ts';
import { frameworkWire } from '../framework-wire.ts';
import { dialects } from '../fuzz/histories.ts';
import { hold, type Breach } from '../fuzz/properties.ts';
import { listKeyOf } from '../fuzz/reading.ts';

const seed = Number(process.env['RETHREAD_SEED'] ?? 20261115);
const runs = { seed, numRuns: 150 };

type Put = (dialect: Dialect, value: unknown) => unknown;

/** Every place of a history where a value can stand, by name. */
const places: Readonly<Record<string, Put>> = {
  'as the input': (_dialect, value) => value,
  'as the list of a body': (dialect, value) => ({ [listKeyOf(dialect)]: value }),
  'as a message': (dialect, value) => [user(dialect), value, user(dialect)],
  'as a role': (dialect, value) => [{ ...user(dialect), role: value, kind: value }],
  'as content': (dialect, value) => [{ ...user(dialect), content: value, parts: value }],
  'as a part': (dialect, value) => [{ ...user(dialect), content: [value], parts: [value] }],
  'as a call input': (dialect, value) => [user(dialect), ...pair(dialect, { input: value })],
  'as a call id': (dialect, value) => [user(dialect), ...pair(dialect, { id: value })],
  'as a tool name': (dialect, value) => [user(dialect), ...pair(dialect, { name: value })],
  'as a result': (dialect, value) => [user(dialect), ...pair(dialect, { output: value })],
  'as an unknown key': (dialect, value) => [{ ...user(dialect), unknown: value }],
  'as the tools of a body': (dialect, value) => ({
    [listKeyOf(dialect)]: [user(dialect)],
    tools: value,
    system: value,
    systemInstruction: value,
    thinking: value,
  }),
};

function user(dialect: Dialect): object {
  const framework = frameworkWire(dialect);
  if (framework) return framework.user;
  if (dialect === 'pydantic-ai') return { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] };
  if (dialect === 'bedrock-converse') return { role: 'user', content: [{ text: 'hi' }] };
  if (dialect === 'gemini') return { role: 'user', parts: [{ text: 'hi' }] };
  return { role: 'user', content: 'hi' };
}

/** A call and its result, with some of their fields replaced. */
function pair(dialect: Dialect, fields: { id?: unknown; name?: unknown; input?: unknown; output?: unknown }): object[] {
  const { id, name, input, output } = { id: 'c1', name: 'read', input: {}, output: 'text', ...fields };
  const framework = frameworkWire(dialect);
  if (framework) return framework.pair({ id, name, input, output });
  if (dialect === 'bedrock-converse') {
    const content = typeof output === 'string' ? [{ text: output }] : output;
    return [
      { role: 'assistant', content: [{ toolUse: { toolUseId: id, name, input } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: id, content } }] },
    ];
  }
  if (dialect === 'openai-chat' || dialect === 'mistral-chat') {
    return [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name, arguments: input } }],
      },
      { role: 'tool', tool_call_id: id, content: output },
    ];
  }
  if (dialect === 'pydantic-ai') {
    return [
      { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: name, args: input, tool_call_id: id }] },
      { kind: 'request', parts: [{ part_kind: 'tool-return', tool_name: name, content: output, tool_call_id: id }] },
    ];
  }
  if (dialect === 'openai-responses') {
    return [
      { type: 'function_call', call_id: id, name, arguments: input },
      { type: 'function_call_output', call_id: id, output },
    ];
  }
  if (dialect === 'gemini') {
    return [
      { role: 'model', parts: [{ functionCall: { id, name, args: input } }] },
      { role: 'user', parts: [{ functionResponse: { id, name, response: output } }] },
    ];
  }
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output }] },
  ];
}

const breachesOf = (input: unknown, dialect: Dialect): Breach[] =>
  hold(input, { dialect, target: { dialect }, depth: 'hostile' });

const anything = anyValue({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withObjectString: true,
  withSparseArray: true,
  withTypedArray: true,
  withUnicodeString: true,
  withBoxedValues: true,
});

/** The values that break a promise in a place, with what they break. */
const offenders = (values: readonly HostileValue[], dialect: Dialect, put: Put): unknown[] =>
  values
    .map((value) => ({ value: value.name, breaches: breachesOf(put(dialect, value.make()), dialect) }))
    .filter(({ breaches }) => breaches.length > 0);

const roomy = ['as the input', 'as content', 'as a call input'];

for (const dialect of dialects) {
  test.each(Object.entries(places))(`${dialect}: no hostile value breaks a promise %s`, (_place, put) => {
    expect(offenders([...hostileValues, ...deepValues], dialect, put)).toEqual([]);
  });

  test.each(Object.entries(places))(`${dialect}: nothing at all breaks a promise %s (seed ${seed})`, (_place, put) => {
    const holds = property(anything, (value) => {
      expect(breachesOf(put(dialect, value), dialect)).toEqual([]);
    });
    expect(() => assertProperty(holds, runs)).not.toThrow();
  });

  test.each(Object.entries(places).filter(([place]) => roomy.includes(place)))(
    `${dialect}: no huge value breaks a promise %s`,
    (_place, put) => {
      expect(offenders(hugeValues, dialect, put)).toEqual([]);
    },
  );

  test(`${dialect}: 20 000 calls in one message are closed`, () => {
    const batches = Array.from({ length: 20_000 }, (_, index) =>
      pair(dialect, { id: `c${index}`, input: dialect.endsWith('-chat') ? '{}' : {} }),
    );
    const first = batches[0]?.[0] as Record<string, unknown>;
    const inParts = dialect === 'pydantic-ai' || dialect === 'gemini';
    if (dialect === 'openai-responses' || dialect === 'openai-agents') {
      // Every call is an entry of its own there, and those side by side are one step.
      const step = batches.map(([made]) => ({ ...made, arguments: '{}' }));
      return expect(breachesOf([user(dialect), ...step], dialect)).toEqual([]);
    }
    const listed = dialect.endsWith('-chat') ? 'tool_calls' : inParts ? 'parts' : 'content';
    const key = frameworkWire(dialect)?.calls ?? listed;
    const calls = batches.flatMap((messages) => (messages[0] as Record<string, unknown[]>)[key]?.slice(0, 1) ?? []);
    expect(calls).toHaveLength(20_000);
    expect(breachesOf([user(dialect), { ...first, [key]: calls }], dialect)).toEqual([]);
  });
}

test.each(hostileValues.map((value) => [value.name, value] as const))(
  'without a dialect %s gives a report and no exception',
  (_name, value) => {
    for (const put of Object.values(places)) {
      for (const dialect of dialects) {
        const input = put(dialect, value.make());
        expect(() => [detectDialect(input), check(input), repair(input)]).not.toThrow();
      }
    }
  },
);

test.each(hostileValues.map((value) => [value.name, value] as const))(
  'a checker that is pushed %s goes on',
  (_name, value) => {
    for (const dialect of dialects) {
      const checker = createChecker(dialect);
      expect(() => [checker.push(value.make()), checker.push(user(dialect))]).not.toThrow();
    }
  },
);

test('a value that reads differently every time gives a report and no exception', () => {
  for (const put of Object.values(places)) {
    for (const dialect of dialects) expect(() => repair(put(dialect, shifting()), dialect)).not.toThrow();
  }
});

test('no prototype was changed by anything above', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(([] as unknown as Record<string, unknown>)['polluted']).toBeUndefined();
});
