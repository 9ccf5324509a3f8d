import { describe, expect, test } from 'vitest';
import { check, repair } from '../../src/index.ts';
import { assistant, call, result, text, user } from '../anthropic-wire.ts';
import { anthropic, bedrock, gemini } from '../words.ts';

const { say, system } = anthropic;

const dialect = 'anthropic-messages';
const TOOLS = [{ name: 'ls', input_schema: { type: 'object' } }];

describe('cache markers around the list', () => {
  const mark = { cache_control: { type: 'ephemeral' } };
  const bare = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, input_schema: { type: 'object' } }));
  const texts = ['a', 'b', 'c', 'd', 'e'].map(text);
  const marked = (list: readonly object[]): object[] => list.map((each) => ({ ...each, ...mark }));
  const firstFreed = (list: readonly object[]): object[] => [...list.slice(0, 1), ...marked(list.slice(1))];

  test('on tools alone lose the first, beside a plain system prompt', () => {
    const { output } = repair({ tools: marked(bare), system: 'x', messages: [user('hi')] }, dialect);
    expect(output).toEqual({ tools: firstFreed(bare), system: 'x', messages: [user('hi')] });
  });

  test('on the system prompt alone lose the first, without tools', () => {
    const { output, report } = repair({ system: marked(texts), messages: [user('hi')] }, dialect);
    expect(output).toEqual({ system: firstFreed(texts), messages: [user('hi')] });
    expect(Object.keys(output as object)).toEqual(['system', 'messages']);
    expect(report.findings[0]?.providerError).toBe(
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    );
  });

  test('count also where an edit brings one to light', () => {
    const hidden = anthropic.result('t1', { type: 'text', text: 'x', ...mark });
    const { output, report } = repair(
      [user('go'), assistant([call('t1')]), user([hidden, ...marked(texts.slice(0, 4))])],
      dialect,
    );
    expect(JSON.stringify(output).match(/cache_control/g)).toHaveLength(4);
    expect(report.repairs.map(({ rule }) => rule)).toContain('too-many-cache-markers');
  });

  test('that are no objects go too, and nothing that has such a key by chance', () => {
    const point = { cachePoint: { type: 'default' } };
    const content = [gemini.text('hi'), { cachePoint: 'aGk=' }, point, point, point, point];
    const { output, report } = repair([{ role: 'user', content }], 'bedrock-converse');
    expect([output, report.verdict]).toEqual([[bedrock.user('hi', point, point, point, point)], 'repaired']);
    const named = { ...bare[0], cachePoint: { a: 1 } };
    const more = repair({ tools: [named, ...marked(bare)], messages: [user('hi')] }, dialect);
    expect(more.output.tools).toEqual([named, ...firstFreed(bare)]);
  });

  test('may be four', () => {
    expect(check({ tools: marked(bare.slice(1)), messages: [user('hi')] }, dialect).verdict).toBe('clean');
  });
});

describe('a request that cannot be written', () => {
  const unwritable = (error: Error): unknown => ({
    messages: [user('one two three')],
    metadata: {
      toJSON: () => {
        throw error;
      },
    },
  });
  const found = (error: Error): string[] =>
    check(unwritable(error), { dialect, profile: { maxBytes: 10 } }).findings.map(({ rule }) => rule);

  test('because no string is long enough is too large', () => {
    expect(found(new RangeError('Invalid string length'))).toEqual(['field-unserialisable', 'request-too-large']);
  });

  test('for another reason is not called too large', () => {
    expect(found(new TypeError('not today'))).toEqual(['field-unserialisable']);
  });
});

describe('the size of a request', () => {
  const bytes = (body: unknown): number => new TextEncoder().encode(JSON.stringify(body)).length;
  const large = (body: unknown, maxBytes: number): string[] =>
    check(body, { dialect, profile: { maxBytes } }).findings.map(({ rule }) => rule);

  test.each([
    'plain plain plain plain plain plain',
    'é'.repeat(40),
    '€'.repeat(40),
    '🙂'.repeat(40),
    '\u07ff\u0800\ud7ff\ue000'.repeat(9),
  ])('is counted in bytes of UTF-8: %s', (content) => {
    const body = { messages: [user(content)] };
    expect(large(body, bytes(body))).toEqual([]);
    expect(large(body, bytes(body) - 1)).toEqual(['request-too-large']);
  });

  test('is too large where the request cannot even be written', () => {
    expect(large({ metadata: { n: 1n }, messages: [user('hi')] }, 11)).toEqual([
      'field-unserialisable',
      'request-too-large',
    ]);
  });
});

describe('references to tools that are gone', () => {
  const reference = (tool_name: string): object => ({ type: 'tool_reference', tool_name });
  const request = (content: unknown): object => ({
    tools: TOOLS,
    messages: [user('find'), assistant([call('c1')]), user([anthropic.result('c1', content)])],
  });
  const many = Array.from({ length: 30 }, (_, index) => `gone_${String(index)}`);

  test('go all at once, however many there are, and what stands beside them stays', () => {
    const { output, report } = repair(request([text('two'), ...many.map(reference), reference('ls')]), dialect);
    expect(output).toEqual(request([text('two'), reference('ls')]));
    expect(report.repairs.map(({ note }) => note)).toEqual([
      `removed references to tools that are not declared: ${many.join(', ')}`,
    ]);
    expect(report.findings).toHaveLength(30);
    expect(report.findings[1]?.explain).toBe('tool gone_1 is referred to and not declared');
    const { charactersIn, charactersOut } = report.preserved;
    expect(charactersIn - charactersOut).toBe(many.join('').length + 30 * 'tool_reference'.length);
  });

  test.each([[undefined], [7], [null]])('go even if the name they give is %j', (name) => {
    const nameless = { type: 'tool_reference', tool_name: name };
    expect(repair(request([text('one'), nameless]), dialect).output).toEqual(request([text('one')]));
  });

  test('go from what a search has found', () => {
    const tools = [{ type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' }, ...TOOLS];
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_regex', input: {} };
    const hits = (...tool_references: readonly unknown[]): object => ({
      type: 'tool_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: { type: 'tool_search_tool_search_result', tool_references },
    });
    const found = (...references: readonly unknown[]): object => ({
      tools,
      messages: [user('find'), assistant([search, hits(...references), text('ok')]), user('go')],
    });
    const { output, report } = repair(found(reference('gone'), reference('ls'), 'odd', reference('lost')), dialect);
    expect(output).toEqual(found(reference('ls')));
    expect(report.repairs.map(({ note }) => note)).toEqual([
      'removed references to tools that are not declared: gone, , lost',
    ]);
    expect(repair(found(reference('gone')), dialect).output).toEqual(found());
  });

  test('go where the system adds them to the conversation', () => {
    const added = (...tools: readonly object[]): object => ({
      tools: TOOLS,
      messages: [
        user('x'),
        system(...tools.map((tool) => ({ type: 'tool_addition', tool })), text('t')),
        assistant('k'),
        user('m'),
      ],
    });
    const target = { dialect, model: 'claude-opus-4-8' } as const;
    const { output, report } = repair(added({ tool_name: 'gone' }, { name: 'ls' }), target);
    expect(output).toEqual(added({ name: 'ls' }));
    expect(report.findings.map(({ at, explain }) => [at.pointer, explain])).toEqual([
      ['/messages/1/content/0', 'tool gone is referred to and not declared'],
    ]);
    expect(report.repairs.map(({ note }) => note)).toEqual(['removed references to tools that are not declared: gone']);
  });
});

test('tools are declared under the names that calls have in the output', () => {
  const messages = [user('go'), assistant([call('c1', 'fs.read'), call('c2'), call('c3')])];
  const answers = user(['c1', 'c2', 'c3'].map((id) => result(id)));
  const { output } = repair({ messages: [...messages, answers] }, dialect);
  expect(output).toMatchObject({
    tools: ['fs_read', 'ls'].map((name) => ({ name, input_schema: { type: 'object' } })),
    tool_choice: { type: 'none' },
  });
});

test('a request to which a message of the user will be added may end with the assistant, or be empty', () => {
  for (const messages of [[user('a'), assistant('b')], []]) {
    const body = { messages };
    expect(repair(body, dialect, { next: 'user' }).output).toBe(body);
    expect(repair(body, dialect).changed).toBe(true);
  }
});

test('reasoning is missed at the beginning of the turn, in the words for what stands there', () => {
  const words = (...turn: readonly object[]): string | undefined => {
    const messages = [user('x'), assistant('y'), user('z'), ...turn, user([result('c1')])];
    const body = { thinking: { type: 'enabled', budget_tokens: 1024 }, tools: TOOLS, messages };
    return check(body, { dialect, model: 'claude-sonnet-4-5' }).findings[0]?.providerError;
  };
  const expected = 'content.0.type: Expected `thinking` or `redacted_thinking`, but found';
  expect(words(assistant([call('c1')]))).toContain(`messages.3.${expected} \`tool_use\``);
  expect(words(assistant('one'), assistant([text('two')]), assistant([call('c1')]))).toContain(
    `messages.3.${expected} \`text\``,
  );
});

describe('more tools than are taken', () => {
  const tool = (name: string): object => ({ type: 'function', function: { name } });
  const many = ['a', 'b', 'c', 'd'].map(tool);
  const target = { dialect: 'openai-chat', profile: { maxTools: 3 } } as const;
  const kept = (tools: readonly object[], more: object = {}): unknown =>
    repair({ model: 'gpt-5', messages: [anthropic.user('hi')], tools, ...more }, target).output.tools;

  test('leave the first, also where a later one has no name', () => {
    expect(kept(many)).toEqual(many.slice(0, 3));
    expect(kept([...many.slice(0, 3), { type: 'function' }])).toEqual(many.slice(0, 3));
  });

  test('leave the one that must be called, wherever it stands', () => {
    const choice = (name: string): object => ({ tool_choice: { type: 'function', function: { name } } });
    expect(kept(many, choice('d'))).toEqual([many[0], many[1], many[3]]);
    expect(kept(many, choice('a'))).toEqual(many.slice(0, 3));
  });
});

test('a text beside what a result may not hold keeps all that it came with', () => {
  const said = { type: 'text', text: 'ok', cache_control: { type: 'ephemeral' } };
  const content = [said, anthropic.call('x', 'ls')];
  const { output } = repair(
    [anthropic.user('go'), say(anthropic.call('t1', 'ls')), anthropic.user(anthropic.result('t1', content))],
    'anthropic-messages',
  );
  const [result] = (output[2] as { content: readonly { content: readonly unknown[] }[] }).content;
  expect(result?.content[0]).toBe(said);
});
