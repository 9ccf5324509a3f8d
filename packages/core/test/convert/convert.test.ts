import { describe, expect, test } from 'vitest';
import { check, convert, repair, type Dialect } from '../../src/index.ts';
import {
  anthropic,
  bedrock,
  chat as chatWords,
  gemini as geminiWords,
  langchain,
  pydantic,
  responses,
} from '../words.ts';

const { rawCall, result, say, system } = chatWords;

const chat = [
  system('Be brief.'),
  chatWords.user('What is in a.txt?'),
  say('I will look.', chatWords.call('call_1', 'read', '{"path":"a.txt"}')),
  result('call_1', 'alpha'),
  say('It says alpha.'),
];

/** The same conversation, as every other dialect has it. */
const tellings: Readonly<Partial<Record<Dialect, unknown>>> = {
  'anthropic-messages': [
    chatWords.user('What is in a.txt?'),
    anthropic.say('I will look.', anthropic.call('call_1', 'read', { path: 'a.txt' })),
    anthropic.user(anthropic.result('call_1', 'alpha')),
    say('It says alpha.'),
  ],
  'openai-responses': [
    system('Be brief.'),
    chatWords.user('What is in a.txt?'),
    responses.say(responses.outputText('I will look.')),
    responses.call('call_1', 'read', '{"path":"a.txt"}'),
    responses.result('call_1', 'alpha'),
    responses.say(responses.outputText('It says alpha.')),
  ],
  'bedrock-converse': [
    bedrock.user('What is in a.txt?'),
    bedrock.say('I will look.', bedrock.call('call_1', 'read', { path: 'a.txt' })),
    bedrock.user(bedrock.result('call_1', 'alpha', { status: 'success' })),
    bedrock.say('It says alpha.'),
  ],
  'pydantic-ai': [
    pydantic.user(pydantic.instruction('Be brief.')),
    pydantic.user('What is in a.txt?'),
    pydantic.say('I will look.', pydantic.call('call_1', 'read', '{"path":"a.txt"}')),
    pydantic.user(pydantic.result('call_1', 'alpha')),
    pydantic.say('It says alpha.'),
  ],
  langchain: [
    { type: 'system', content: 'Be brief.' },
    langchain.user('What is in a.txt?'),
    {
      type: 'ai',
      content: 'I will look.',
      tool_calls: [langchain.call('call_1', 'read', { path: 'a.txt' })],
    },
    langchain.result('call_1', 'alpha'),
    { type: 'ai', content: 'It says alpha.' },
  ],
};

describe('one conversation', () => {
  test.each(Object.keys(tellings) as Dialect[])('is told in %s, and back again as it was', (to) => {
    const { output, losses, lifted = [] } = convert(chat, { to });
    expect([output, losses]).toEqual([tellings[to], []]);
    const back = convert([...lifted, ...(output as unknown[])], { from: to, to: 'openai-chat' });
    expect([back.output, back.losses]).toEqual([chat, []]);
  });

  test('is told in gemini with what the model wants of its calls', () => {
    const open = chat.slice(0, 4);
    const { output, lifted, report } = convert(open, { to: 'gemini' });
    const call = geminiWords.call('read', { path: 'a.txt' }, 'call_1');
    expect(output).toEqual([
      geminiWords.user('What is in a.txt?'),
      geminiWords.say('I will look.', { ...call, thoughtSignature: 'skip_thought_signature_validator' }),
      geminiWords.user(geminiWords.result('read', 'alpha', 'call_1')),
    ]);
    expect(lifted).toEqual([geminiWords.system('Be brief.')]);
    expect(report.repairs.find(({ rule }) => rule === 'call-unsigned')?.at.pointer).toBe('/2/tool_calls/0');
    const older = convert(open, { to: 'gemini', model: 'gemini-2.5-flash' });
    expect(older.report.repairs.map(({ rule }) => rule)).toEqual(['system-first']);
  });

  test('gives the user interface one part for a call and its result', () => {
    const { output } = convert(chat, { to: 'ai-sdk-ui' });
    const done = { toolCallId: 'call_1', state: 'output-available', input: { path: 'a.txt' }, output: 'alpha' };
    expect((output as { parts: unknown[] }[])[1]?.parts).toEqual([
      chatWords.text('I will look.'),
      { type: 'tool-read', ...done },
    ]);
  });

  test('cannot be told in a dialect that nobody knows, and says so', () => {
    const { output, report, losses } = convert(chat, { to: 'morse' as Dialect });
    expect([output, report.verdict, losses]).toEqual([chat, 'broken', []]);
    expect(report.findings.map(({ rule }) => rule)).toEqual(['dialect-unknown']);
  });

  test('that stays in its dialect is the same object, unless it goes to another model', () => {
    const { output, losses } = convert(chat, { to: 'openai-chat' });
    expect([output === chat, losses]).toEqual([true, []]);
    const body = { model: 'gpt-5', messages: chat };
    expect(convert(body, { to: 'openai-chat', model: 'gpt-6' }).output).toEqual({ model: 'gpt-6', messages: chat });
    expect(convert(body, { to: 'openai-chat', model: 'gpt-5' }).output).toBe(body);
  });
});

const call = (id: string, args = '{}'): object => say(rawCall(id, 'read', args));
const tool = (id: string): object => result(id, 'ok');
const idsIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"(?:id|tool_use_id|tool_call_id)":"([^"]*)"/g)].map(([, id = '']) => id);

const DIALECTS = Object.keys({ ...tellings, 'openai-chat': 0, gemini: 0, 'mistral-chat': 0, 'ai-sdk-model': 0 });
const everywhere = [...DIALECTS, 'ai-sdk-ui', 'openai-agents'] as Dialect[];

describe('a part that stands with a speaker who cannot have said it', () => {
  const output = anthropic.result('c3', 'Wpk9');
  const asked = anthropic.call('c3', 'read', { q: 'Wpk9' });
  const user = chatWords.user('x');
  const lists: Readonly<Record<string, readonly object[]>> = {
    'a result in an answer': [user, say(output), user],
    'a result among instructions': [system(output), user],
    'a call of the user': [chatWords.user('x', asked), user],
  };
  const cases = Object.keys(lists).flatMap((what) => everywhere.map((to) => [what, to] as const));
  test.each(cases)('%s crosses to %s', (what, to) => {
    expect(JSON.stringify(convert(lists[what], { from: 'anthropic-messages', to }).output)).toContain('Wpk9');
  });

  test('a result beside its call in one answer comes after it', () => {
    const answer = say({ ...asked, input: {} }, output, 'Done.');
    const made = convert([user, answer, user], { from: 'anthropic-messages', to: 'bedrock-converse' });
    expect(made.losses).toEqual([]);
    expect((made.output as { role: string }[]).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
  });

  test('a result of a provider is told to the user interface as text where no call of its own takes it', () => {
    const part = { tool_name: 'web', tool_call_id: 'c3', provider_name: 'anthropic' };
    const found = (content: string): object => ({ ...part, part_kind: 'builtin-tool-return', content });
    const called = { ...part, part_kind: 'builtin-tool-call', args: {} };
    const from = 'pydantic-ai';
    const alone = convert([pydantic.say(found('Wpk9'))], { from, to: 'ai-sdk-ui' });
    expect(alone.losses.map(({ kind, became }) => [kind, became])).toContainEqual(['result', 'text']);
    expect(JSON.stringify(alone.output)).toContain('[tool output] Wpk9');
    const twice = convert([pydantic.say(found('one'), called, found('two'))], { from, to: 'ai-sdk-ui' });
    expect(JSON.stringify(twice.output).match(/one|two/g)).toEqual(['one', 'two']);
  });
});

describe('ids', () => {
  test('that the target does not take are spelled out, and read back', () => {
    const messages = [chatWords.user('a'), call('functions.read:0'), tool('functions.read:0')];
    const there = convert(messages, { to: 'anthropic-messages' });
    expect(new Set(idsIn(there.output))).toEqual(new Set(['rt_functions_x2e_read_x3a_0']));
    expect(there.losses).toEqual([]);
    expect(convert(there.output, { from: 'anthropic-messages', to: 'openai-chat' }).output).toEqual(messages);
  });

  test('that look spelled out and are not keep apart from those that are', () => {
    const ids = ['a:1', 'rt_a_x3a_1', 'a_x3a_1', '_x:', 'rt_zz', 'rt__x110000_'];
    const messages = [chatWords.user('a'), ...ids.flatMap((id) => [call(id), tool(id)])];
    const { output } = convert(messages, { to: 'anthropic-messages' });
    const made = idsIn(output);
    expect(new Set(made).size).toBe(ids.length);
    for (let i = 0; i < ids.length; i += 1) expect(made[2 * i]).toBe(made[2 * i + 1]);
    expect(made.every((id) => /^[a-zA-Z0-9_-]+$/.test(id))).toBe(true);
  });

  test('that had to be made anew are a loss, at the call', () => {
    const messages = [chatWords.user('a'), call('call_1'), tool('call_1'), chatWords.user('b')];
    const { output, losses } = convert(messages, { to: 'mistral-chat' });
    const [made, again] = idsIn(output);
    expect(made).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(again).toBe(made);
    expect(losses).toEqual([
      {
        at: { message: 1, part: 0, pointer: '/1/tool_calls/0' },
        kind: 'id',
        what: 'call_1',
        became: 'other',
        why: 'the target takes no id of this form, and the new one cannot be read back',
      },
    ]);
  });

  test('that are not there are made from the place, and go again', () => {
    const step = [
      geminiWords.say(geminiWords.call('read'), geminiWords.call('read')),
      geminiWords.user(geminiWords.result('read', 'one'), geminiWords.result('read', 'two')),
    ];
    const contents = [geminiWords.user('a'), ...step];
    const there = convert(contents, { to: 'openai-chat' });
    expect(idsIn(there.output)).toEqual(['noid_1_0', 'noid_1_1', 'noid_1_0', 'noid_1_1']);
    const back = convert(there.output, { to: 'gemini', model: 'gemini-2.5-flash' });
    expect([back.output, there.losses, back.losses]).toEqual([contents, [], []]);
  });

  test('are never made like one that is there, and one that had to be changed is a loss', () => {
    const step = (...ids: readonly (string | undefined)[]): object[] => [
      geminiWords.user('a'),
      { role: 'model', parts: ids.map((id) => ({ functionCall: { name: 'read', args: {}, ...(id && { id }) } })) },
      {
        role: 'user',
        parts: ids.map((id) => ({ functionResponse: { name: 'read', response: { result: 'x' }, ...(id && { id }) } })),
      },
    ];
    const beside = convert(step(undefined, 'noid_1_0'), { from: 'gemini', to: 'openai-chat' });
    expect([idsIn(beside.output), beside.losses]).toEqual([['noid_1_0_', 'noid_1_0', 'noid_1_0_', 'noid_1_0'], []]);
    const twice = convert(step('c', 'c'), { from: 'gemini', to: 'openai-chat' });
    expect(new Set(idsIn(twice.output)).size).toBe(2);
    expect(twice.losses).toMatchObject([{ kind: 'id', became: 'other', at: { pointer: '/1/parts/1' } }]);
  });

  test('of tools are those that the target lets be declared', () => {
    const body = { contents: [geminiWords.user('a')], tools: [{ functionDeclarations: [{ name: 'fs.read' }] }] };
    const { output, losses } = convert(body, { from: 'gemini', to: 'anthropic-messages' });
    expect(output).toMatchObject({ tools: [{ name: 'fs_read' }] });
    expect(losses).toMatchObject([{ kind: 'name', what: 'fs.read', became: 'other' }]);
  });

  test('are made for the predecessor of tool calls, which has none', () => {
    const messages = [
      chatWords.user('a'),
      { role: 'assistant', content: null, function_call: { name: 'read', arguments: '{}' } },
      { role: 'function', name: 'read', content: 'ok' },
    ];
    const { output } = convert(messages, { to: 'anthropic-messages' });
    expect(new Set(idsIn(output))).toEqual(new Set(['noid_1_0']));
  });
});

describe('calls and results', () => {
  test('numbers that no reader can hold are a loss', () => {
    const messages = [chatWords.user('a'), call('c1', '{"id": 12345678901234567890}'), tool('c1')];
    const { losses } = convert(messages, { to: 'anthropic-messages' });
    expect(losses.map(({ kind, what, at }) => [kind, what, at.pointer])).toEqual([
      ['call', 'digits of a number', '/1/tool_calls/0'],
    ]);
    expect(convert(messages, { to: 'openai-responses' }).losses).toEqual([]);
    const exact = [chatWords.user('a'), call('c1', '{"id": 1234567890123456}'), tool('c1')];
    expect(convert(exact, { to: 'anthropic-messages' }).losses).toEqual([]);
    const text = [chatWords.user('a'), call('c1', '{"id": "12345678901234567890"}'), tool('c1')];
    expect(convert(text, { to: 'anthropic-messages' }).losses).toEqual([]);
  });

  test('free text for a tool becomes JSON where tools take nothing else', () => {
    const items = [
      chatWords.user('a'),
      { type: 'custom_tool_call', call_id: 'c1', name: 'run', input: 'ls -l' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'x' },
    ];
    const { output, losses } = convert(items, { from: 'openai-responses', to: 'anthropic-messages' });
    expect(JSON.stringify(output)).toContain('"input":{"input":"ls -l"}');
    expect(losses.map(({ kind, became }) => [kind, became])).toEqual([['call', 'other']]);
    const there = convert(items, { from: 'openai-responses', to: 'openai-chat' });
    expect(there.losses).toEqual([]);
    expect(convert(there.output, { from: 'openai-chat', to: 'openai-responses' }).output).toEqual(items);
  });

  test('how a call ended is a loss where results do not say it', () => {
    const messages = [
      chatWords.user('a'),
      anthropic.say(anthropic.call('t1')),
      anthropic.user({ type: 'tool_result', tool_use_id: 't1', content: 'no such file', is_error: true }),
    ];
    expect(convert(messages, { to: 'openai-chat' }).losses.map(({ kind, what }) => [kind, what])).toEqual([
      ['outcome', 'that it ended as error'],
    ]);
    const gemini = convert(messages, { to: 'gemini' });
    expect(JSON.stringify(gemini.output)).toContain('"response":{"error":"no such file"}');
    expect(gemini.losses).toEqual([]);
  });

  test('a result that is JSON in one dialect is the same value in the other', () => {
    for (const text of ['{"a":1}', '{"result":"x"}', '{ "a": 1 }', 'plain', '[1]']) {
      const messages = [chatWords.user('a'), call('c1'), { ...tool('c1'), content: text }];
      const there = convert(messages, { to: 'gemini' });
      const back = convert(there.output, { from: 'gemini', to: 'openai-chat' });
      expect((back.output as unknown[])[2]).toEqual(messages[2]);
    }
  });

  test('names that the target does not take are changed everywhere alike', () => {
    const long = 'x'.repeat(70);
    const names = ['fs.read', 'fs/read', 'fs_read', long];
    const body = {
      tools: names.map((name) => ({ name, description: 'reads', input_schema: { type: 'object' } })),
      messages: [
        chatWords.user('a'),
        { role: 'assistant', content: names.map((name, i) => anthropic.call(`t${i}`, name)) },
        { role: 'user', content: names.map((_, i) => anthropic.result(`t${i}`, 'ok')) },
      ],
    };
    const { output, losses } = convert(body, { from: 'anthropic-messages', to: 'openai-chat' });
    const { tools, messages } = output as {
      tools: { function: { name: string } }[];
      messages: { tool_calls?: { function: { name: string } }[] }[];
    };
    const declared = tools.map((each) => each.function.name);
    expect(messages[1]?.tool_calls?.map((each) => each.function.name)).toEqual(declared);
    expect(new Set(declared).size).toBe(4);
    expect(declared.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect(losses.filter(({ kind }) => kind === 'name').map(({ what }) => what)).toContain('fs.read');
  });
});

test('what cannot be read is named, and what can be is told', () => {
  const messages = [chatWords.user('a'), null, { role: 'narrator', content: 'b' }];
  const { output, losses } = convert(messages, { from: 'openai-chat', to: 'anthropic-messages' });
  expect(JSON.stringify(output)).toContain('[unreadable message] b');
  expect(losses.map(({ kind, at }) => [kind, at.pointer])).toEqual([['message', '/1']]);
});

test('a message that throws when it is read is read from a copy', () => {
  const hostile = {
    role: 'user',
    get content(): string {
      throw new Error('no');
    },
  };
  const { output } = convert([chatWords.user('a'), hostile], { from: 'openai-chat', to: 'gemini' });
  expect(output).toEqual([geminiWords.user('a')]);
});

test('a target that nobody knows, or none, is told by its name and changes nothing', () => {
  const messages = [chatWords.user('a')];
  const asked: [unknown, string][] = [
    [{ to: 'claude' }, '"claude"'],
    [{ from: 'chat', to: 'gemini' }, '"chat"'],
    [{ to: Object.create(null) }, '"object"'],
    [{}, '"undefined"'],
    ['gemini', '"undefined"'],
    [undefined, '"undefined"'],
    [null, '"undefined"'],
  ];
  for (const [options, name] of asked) {
    const { output, report, losses } = convert(messages, options as Parameters<typeof convert>[1]);
    expect(output).toBe(messages);
    expect([report.verdict, losses]).toEqual(['broken', []]);
    expect(report.findings.map(({ explain }) => explain)).toEqual([
      expect.stringMatching(new RegExp(`^no dialect is called ${name}; there are anthropic-messages, `)),
    ]);
  }
  const reports = [check([], 'claude' as Dialect), repair([], { dialect: 'claude' as Dialect }).report];
  for (const { findings } of reports) expect(findings.map(({ rule }) => rule)).toEqual(['dialect-unknown']);
});
