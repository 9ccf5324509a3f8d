import { describe, expect, test } from 'vitest';
import { convert, type Converted } from '../../src/index.ts';
import { anthropic, chat as chatWords, gemini, responses as responsesWords } from '../words.ts';

const { call, result, say, user } = anthropic;

const signed = { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' };
const thought = [user('a'), say(signed, 'b'), user('c')];

describe('reasoning', () => {
  test('is kept where its maker is asked, by whichever way', () => {
    const there = convert(thought, { from: 'anthropic-messages', to: 'bedrock-converse' });
    expect(JSON.stringify(there.output)).toContain('"reasoningText":{"text":"Let me see.","signature":"c2ln"}');
    expect(there.losses).toEqual([]);
    const nova = convert(thought, {
      from: 'anthropic-messages',
      to: 'bedrock-converse',
      model: 'amazon.nova-pro-v1:0',
    });
    expect(nova.losses.map(({ kind, became }) => [kind, became])).toEqual([['reasoning', 'text']]);
  });

  test.each(['pydantic-ai', 'ai-sdk-model', 'ai-sdk-ui', 'langchain'] as const)(
    'is carried by %s to its maker',
    (by) => {
      const there = convert(thought, { from: 'anthropic-messages', to: by });
      const back = convert(there.output, { from: by, to: 'anthropic-messages' });
      expect(back.output).toEqual(thought);
    },
  );

  test('becomes text where nobody takes it, and says so', () => {
    const { output, losses } = convert(thought, { from: 'anthropic-messages', to: 'openai-chat' });
    expect(output).toEqual([user('a'), say('[reasoning]\nLet me see.', 'b'), user('c')]);
    expect(losses).toEqual([
      {
        at: { message: 1, part: 0, pointer: '/1/content/0' },
        kind: 'reasoning',
        what: 'reasoning sealed by anthropic',
        became: 'text',
        why: 'it is valid only at the provider that made it',
      },
    ]);
  });

  test('goes where there is nothing to read in it', () => {
    const sealed = [thought[0], say({ type: 'redacted_thinking', data: 'x' }, 'b'), thought[2]];
    const { output, losses } = convert(sealed, { from: 'anthropic-messages', to: 'openai-chat' });
    expect(output).toEqual([user('a'), say('b'), user('c')]);
    expect(losses.map(({ kind, became }) => [kind, became])).toEqual([['reasoning', 'nothing']]);
  });

  test('goes into the field of a host that wants it back', () => {
    const { output } = convert(thought, { from: 'anthropic-messages', to: 'openai-chat', model: 'deepseek-v4' });
    expect((output as unknown[])[1]).toEqual({ role: 'assistant', content: 'b', reasoning_content: 'Let me see.' });
  });

  test('that a signature on a call stands for crosses to the layer that knows it', () => {
    const signature = 'AAAA';
    const contents = [
      gemini.user('a'),
      gemini.say(gemini.signed(gemini.call('read', {}, 'c1'), signature)),
      gemini.user(gemini.result('read', 'ok', 'c1')),
    ];
    const there = convert(contents, { to: 'openai-chat' });
    expect(JSON.stringify(there.output)).toContain('"extra_content":{"google":{"thought_signature":"AAAA"}}');
    expect(convert(there.output, { from: 'openai-chat', to: 'gemini' }).output).toEqual(contents);
    const lost = convert(contents, { to: 'anthropic-messages' }).losses;
    expect(lost.map(({ kind, at }) => [kind, at.pointer])).toEqual([['reasoning', '/1/parts/0/thoughtSignature']]);
  });
});

const png = 'iVBORw0KGgo=';

describe('media', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } };
  const lost = ({ losses }: Converted): unknown[] => losses.map(({ what, became, at }) => [what, became, at.pointer]);

  test('crosses as bytes, and as an address that anybody can open', () => {
    const messages = [user(image, { type: 'image', source: { type: 'url', url: 'https://e.org/a.png' } })];
    const { output, losses } = convert(messages, { to: 'openai-chat' });
    expect(output).toEqual([
      user(
        { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
        { type: 'image_url', image_url: { url: 'https://e.org/a.png' } },
      ),
    ]);
    expect(losses).toEqual([]);
    const closed = convert(messages, { to: 'bedrock-converse' });
    expect(lost(closed)).toEqual([['image https://e.org/a.png', 'nothing', '/0/content/1']]);
  });

  test('that only its provider keeps cannot cross', () => {
    const file = { type: 'document', source: { type: 'file', file_id: 'file_1' }, title: 'notes' };
    const there = convert([user('a', file)], { to: 'gemini' });
    expect(lost(there)).toEqual([['document notes', 'nothing', '/0/content/1']]);
  });

  test('that Mistral keeps is no file of another provider, and is told once', () => {
    const kept = { type: 'file', file_id: '11111111-2222' };
    const messages = [user(kept, 'b')];
    for (const to of ['openai-chat', 'openai-responses', 'openai-agents', 'anthropic-messages'] as const) {
      const there = convert(messages, { from: 'mistral-chat', to });
      expect(JSON.stringify(there.output)).not.toContain('11111111-2222');
      expect(lost(there)).toEqual([['document 11111111-2222', 'nothing', '/0/content/0']]);
    }
  });

  test.each(['pydantic-ai', 'ai-sdk-model', 'ai-sdk-ui', 'openai-agents'] as const)(
    'that the system has shown is a loss in %s, where it only says texts',
    (to) => {
      const style = [
        responsesWords.text('Draw like this.'),
        { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
      ];
      const input = [{ role: 'system', content: style }, user('a')];
      for (const given of [input, { model: 'gpt-5', input }]) {
        const losses = convert(given, { from: 'openai-responses', to }).losses.filter(({ kind }) => kind !== 'key');
        expect(losses.map(({ at, kind, became }) => [at.message, at.part, kind, became])).toEqual([
          [0, 1, 'media', 'nothing'],
        ]);
      }
    },
  );

  test('that a tool has shown is shown by the user where results are text', () => {
    const messages = [user('a'), say(call('t1', 'look')), user(result('t1', [anthropic.text('here'), image]))];
    const there = convert(messages, { to: 'openai-chat' });
    expect((there.output as unknown[]).slice(2)).toEqual([
      chatWords.result('t1', 'here'),
      user({ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }),
    ]);
    expect(lost(there)).toEqual([['image/png', 'other', '/2/content/0/content/1']]);
  });

  test.each(['ai-sdk-model', 'ai-sdk-ui'] as const)('in an error, which %s tells as text, is a loss', (to) => {
    const failed = { ...result('t1', [anthropic.text('here'), image]), is_error: true };
    const there = convert([user('a'), say(call('t1', 'look')), user(failed)], { from: 'anthropic-messages', to });
    expect(lost(there)).toEqual([['image/png', 'nothing', '/2/content/0/content/1']]);
  });

  test('a document that is nothing but text stays readable on both sides', () => {
    const note = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'Grüße, 世界 🌍' },
      title: 'note',
    };
    const messages = [user(note, 'sum up')];
    for (const to of ['gemini', 'bedrock-converse', 'pydantic-ai', 'ai-sdk-model'] as const) {
      const there = convert(messages, { from: 'anthropic-messages', to });
      expect(convert(there.output, { from: to, to: 'anthropic-messages' }).output).toEqual(messages);
    }
  });

  test('bytes held in memory are written out', () => {
    const messages = [user({ type: 'file', mediaType: 'image/png', data: Uint8Array.from([137, 80, 78, 71, 13]) })];
    const { output } = convert(messages, { from: 'ai-sdk-model', to: 'openai-chat' });
    expect(JSON.stringify(output)).toContain('data:image/png;base64,iVBORw0=');
  });
});

describe('how closely to look at an image', () => {
  const url = 'https://example.org/a.png';
  const chat = (image: object): object[] => [user('see', { type: 'image_url', image_url: image })];
  const responses = (image: object): object[] => [responsesWords.user('see', { type: 'input_image', ...image })];

  test.each(['auto', 'low', 'high'])('%s is said in both APIs of its maker', (detail) => {
    const [one, two] = [chat({ url, detail }), responses({ image_url: url, detail })];
    expect(convert(one, { from: 'openai-chat', to: 'openai-responses' })).toMatchObject({ output: two, losses: [] });
    expect(convert(two, { from: 'openai-responses', to: 'openai-chat' })).toMatchObject({ output: one, losses: [] });
  });

  test('also in a file that is kept there, and in a result', () => {
    const output = [{ type: 'input_image', image_url: url, detail: 'low' }];
    const called = [responsesWords.call('call_1', 'look'), responsesWords.result('call_1', output)];
    const { output: told } = convert(called, { from: 'openai-responses', to: 'openai-chat' });
    expect(told).toContainEqual(user({ type: 'image_url', image_url: { url, detail: 'low' } }));
    const kept = convert(responses({ file_id: 'file-1', detail: 'low' }), {
      from: 'openai-responses',
      to: 'anthropic-messages',
    });
    expect(kept.losses.map(({ kind }) => kind)).toEqual(['media']);
  });

  test('is a loss where there is no place for it, or where it is no word that is taken', () => {
    const lost = (input: object[], to: 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'mistral-chat') => {
      const from = input === original ? 'openai-responses' : 'openai-chat';
      return convert(input, { from, to }).losses.map(({ at, what }) => [at.pointer, what]);
    };
    const original = responses({ image_url: url, detail: 'original' });
    const place = '/0/content/1/image_url/detail';
    expect(lost(chat({ url, detail: 'high' }), 'anthropic-messages')).toEqual([[place, 'detail: "high"']]);
    expect(lost(chat({ url, detail: 'high' }), 'mistral-chat')).toEqual([[place, 'detail: "high"']]);
    expect(lost(chat({ url, detail: 3 }), 'openai-responses')).toEqual([[place, 'detail: 3']]);
    expect(lost(original, 'openai-chat')).toEqual([['/0/content/1/detail', 'detail: "original"']]);
  });
});

describe('what a server of tools returned', () => {
  const called = { type: 'mcp_call', id: 'mcp_1', server_label: 's', name: 'echo', arguments: '{}' };
  const returned = (more: object): unknown => {
    const input = [user('a'), { ...called, ...more }, user('b')];
    return convert(input, { from: 'openai-responses', to: 'pydantic-ai' }).output;
  };

  test.each([{ error: '' }, { error: null }, {}])('is kept beside an error that says nothing: %j', (none) => {
    expect(JSON.stringify(returned({ output: 'hello', ...none }))).toContain('"content":"hello"');
  });

  test('is kept beside an error', () => {
    const told = JSON.stringify(returned({ output: 'half', error: 'cut off' }));
    expect(told).toContain('half');
    expect(told).toContain('cut off');
  });
});

describe('arguments that are no object of JSON', () => {
  const others = ['anthropic-messages', 'gemini', 'bedrock-converse', 'langchain', 'ai-sdk-model'] as const;
  const rows = others.flatMap((by) => ['{"path":', '["a"]', '"a"'].map((text) => [text, by] as const));

  test.each(rows)('%s comes back from %s as it was', (text, by) => {
    const called = chatWords.rawCall('call_1', 'read', text);
    const chat = [
      user('a'),
      { role: 'assistant', content: null, tool_calls: [called] },
      chatWords.result('call_1', 'b'),
    ];
    const there = convert(chat, { from: 'openai-chat', to: by });
    expect(there.report.verdict).not.toBe('broken');
    expect(convert(there.output, { from: by, to: 'openai-chat' }).output).toEqual(chat);
  });

  test.each([
    ['more than one key', { INVALID_JSON: '{"a":', b: 1 }],
    ['an object inside', { INVALID_JSON: '{"a":1}' }],
    ['something else inside', { INVALID_JSON: ['{'] }],
  ])('with %s they were arguments like any others', (_, input) => {
    const content = [call('toolu_1', 'read', input)];
    const { output } = convert([{ role: 'assistant', content }], {
      from: 'anthropic-messages',
      to: 'openai-responses',
    });
    expect(output).toContainEqual(expect.objectContaining({ arguments: JSON.stringify(input) }));
  });
});

describe('the predecessors of calls and results', () => {
  const legacy = [
    user('list'),
    { role: 'assistant', content: null, function_call: { name: 'ls', arguments: '{"path":"."}' } },
    { role: 'function', name: 'ls', content: 'a.txt' },
    user('and?'),
  ];

  test.each(['anthropic-messages', 'openai-responses', 'gemini', 'bedrock-converse', 'mistral-chat'] as const)(
    'cross to %s as a pair, and nothing of them is told as lost',
    (to) => {
      const { output, losses, report } = convert(legacy, { from: 'openai-chat', to });
      expect(losses).toEqual([]);
      expect(report.findings.map(({ rule }) => rule)).not.toContain('call-without-result');
      for (const word of ['ls', 'path', 'a.txt']) expect(JSON.stringify(output)).toContain(word);
    },
  );

  test('that their own dialect does not have are converted with their text, also where it is empty', () => {
    const list = [
      { role: 'function', content: '' },
      { role: 'tool', tool_call_id: 'c1', content: [] },
      { role: 'user', content: 'go on' },
    ];
    const { output } = convert(list, { from: 'mistral-chat', to: 'gemini' });
    expect(JSON.stringify(output)).toContain('{"text":"[tool output] "},{"text":"[tool output] {}"}');
  });
});
