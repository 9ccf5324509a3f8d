import { describe, expect, test } from 'vitest';

import { judge } from '../../../simulator/src/judges/judge.ts';
import { check, repair, type Dialect, type Repaired } from '../../src/index.ts';
import { WRITTEN } from '../conversation.ts';
import { aiSdkUi, anthropic, chat, gemini, langchain } from '../words.ts';

const { text } = aiSdkUi;
const { call, result, say, user } = chat;

/** The same short session in the form of every dialect; each word stands in it once. */
const WORDS = ['Quokka', 'Lookup', 'Gamma', 'Delta', 'Epsilon', 'Zeta', 'Theta'] as const;
const id = 'call1abcd';
const input = { key: 'Gamma' };
const FORMS: Readonly<Record<string, readonly object[]>> = {
  ...Object.fromEntries(
    WRITTEN.map(([dialect, writer]) => [
      dialect,
      [
        writer.user('Quokka'),
        ...writer.answer('Epsilon', { id, tool: 'Lookup', input }),
        ...writer.results({ id, text: 'Delta', tool: 'Lookup' }),
        writer.say('Zeta'),
        writer.user('Theta'),
      ],
    ]),
  ),
  'ai-sdk-ui': [
    aiSdkUi.user('Quokka'),
    aiSdkUi.say('Epsilon', { ...aiSdkUi.done(id, 'Delta'), type: 'tool-Lookup', input }, aiSdkUi.step, 'Zeta'),
    aiSdkUi.user('Theta'),
  ],
};
const formOf = (dialect: Dialect): readonly object[] => FORMS[dialect] ?? [];

const dialects = Object.keys(FORMS) as Dialect[];
const matrix = dialects.flatMap((from) => dialects.filter((to) => to !== from).map((to) => ({ from, to })));

const json = (repaired: Repaired<unknown>): string => JSON.stringify(repaired.output);

/** What went must be told, and be counted. */
const accounts = ({ report }: Repaired<unknown>): boolean =>
  report.preserved.ratio < 1 && report.repairs.some(({ loss }) => loss === 'lossy');

describe('a message in the form of another dialect', () => {
  test.each(matrix)('keeps every word of $from in $to', ({ from, to }) => {
    const repaired = repair(formOf(from), to);
    expect(WORDS.filter((word) => !json(repaired).includes(word))).toEqual([]);
    expect(repaired.report.preserved.ratio).toBe(1);
    expect(judge(to, repaired.output, {})).toEqual([]);
    expect(check(repaired.output, to).verdict).toBe('clean');
  });

  test.each(matrix)('keeps or counts every word of each message of $from alone in $to', ({ from, to }) => {
    for (const message of formOf(from)) {
      const said = JSON.stringify(message);
      // The name of a tool is content of its call, and not of what the tool returned.
      const words = WORDS.filter((word) => said.includes(word) && (word !== 'Lookup' || said.includes('Gamma')));
      for (const policy of ['preserve', 'discard'] as const) {
        const repaired = repair([message], to, { policy });
        const kept = words.every((word) => json(repaired).includes(word));
        expect({ message, policy, told: kept || accounts(repaired) }).toEqual({ message, policy, told: true });
      }
    }
  });

  test.each(matrix.filter(({ to }) => to !== 'ai-sdk-ui'))('restores the pair of $from in $to', ({ from, to }) => {
    const told = json(repair(formOf(from), to));
    expect(told).not.toContain('no result was recorded');
    expect(told).not.toContain('[unreadable message]');
    expect(told).not.toContain('[tool output]');
  });
});

const roleDialects = dialects.filter((dialect) => dialect !== 'pydantic-ai');

const custom = (name: string, input: string): object => ({ id: 'c9', type: 'custom', custom: { name, input } });

describe('a message whose words stand under a key of their own', () => {
  const odd: readonly object[] = [
    { role: 'user', text: 'HELLO' },
    { role: 'user', message: 'HELLO' },
    { role: 'assistant', message: say('HELLO') },
    { role: 'assistant', content: null, refusal: 'HELLO' },
    { role: 'assistant', content: null, reasoning_content: 'HELLO' },
    { role: 'assistant', content: '', thinking_blocks: [{ type: 'thinking', thinking: 'HELLO', signature: 's' }] },
    { role: 'assistant', content: null, images: [{ type: 'image_url', image_url: { url: 'https://HELLO' } }] },
    { role: 'assistant', content: [], provider_specific_fields: { x: 'HELLO' } },
    { role: 'user', content: null, parts: [gemini.text('HELLO')] },
    { role: 'critic', content: null, refusal: 'HELLO' },
    { content: null, refusal: 'HELLO' },
    { role: 'model', content: null, tool_calls: [custom('patch', 'HELLO')] },
    { role: 'model', content: null, tool_calls: [custom('HELLO', 'x')] },
  ];
  test.each(roleDialects)('is never taken for empty in %s', (dialect) => {
    for (const message of odd) {
      const list = [formOf(dialect)[0], message, formOf(dialect).at(-1)];
      for (const policy of ['preserve', 'discard'] as const) {
        const repaired = repair(list, dialect, { policy });
        const kept = json(repaired).includes('HELLO');
        if (policy === 'preserve') expect({ message, kept }).toEqual({ message, kept: true });
        expect({ message, policy, told: kept || accounts(repaired) }).toEqual({ message, policy, told: true });
        expect(judge(dialect, repaired.output, {})).toEqual([]);
      }
    }
  });

  test.each(roleDialects)('has nothing where the words would be, and goes, in %s', (dialect) => {
    const list = [formOf(dialect)[0], { role: 'critic', content: null, id: 'x' }, formOf(dialect).at(-1)];
    expect(json(repair(list, dialect))).not.toContain('critic');
  });

  test('keeps the answer of a wrapped message', () => {
    const answer = { type: 'ai', message: say('the whole answer') };
    const list = [langchain.user('q'), answer, langchain.user('x')];
    expect(repair(list, 'langchain').output).toEqual([list[0], { type: 'ai', content: 'the whole answer' }, list[2]]);
  });

  test('is sent to a host that refuses empty texts with the key it came with', () => {
    const blocks = [{ type: 'thinking', thinking: 'TB', signature: 's' }];
    const list = [user('q'), { role: 'assistant', content: '', thinking_blocks: blocks }, user('x')];
    const { output } = repair(list, { dialect: 'openai-chat', model: 'kimi-k2' });
    expect(output[1]).toEqual({ role: 'assistant', content: '(no content)', thinking_blocks: blocks });
  });
});

describe('a role', () => {
  test.each(roleDialects)('is read in letters of any case in %s', (dialect) => {
    const upper = formOf(dialect).map((message) => {
      const wire = message as Record<string, unknown>;
      const key = wire['role'] === undefined && dialect === 'langchain' ? 'type' : 'role';
      const name = wire[key];
      return typeof name === 'string' ? { ...wire, [key]: name.slice(0, 1).toUpperCase() + name.slice(1) } : wire;
    });
    const { output, report } = repair(upper, dialect);
    expect(output).toEqual(formOf(dialect));
    expect(report.preserved.ratio).toBe(1);
    expect(report.repairs.every(({ loss }) => loss === 'none')).toBe(true);
  });
});

describe('a part of the interface with an outcome and no state that says so', () => {
  const open = { type: 'tool-f', toolCallId: 'c1', input: {} };
  const states: readonly [object, object][] = [
    [{ output: 'REAL' }, { state: 'output-available', output: 'REAL' }],
    [
      { output: 'REAL', state: 'completed' },
      { state: 'output-available', output: 'REAL' },
    ],
    [
      { output: 'REAL', state: 'input-available' },
      { state: 'output-available', output: 'REAL' },
    ],
    [
      { result: 'REAL', state: 'result' },
      { state: 'output-available', output: 'REAL' },
    ],
    [
      { output: 'REAL', state: 'partial-call' },
      { state: 'output-available', output: 'REAL' },
    ],
    [
      { errorText: 'BOOM', state: 'error' },
      { state: 'output-error', errorText: 'BOOM' },
    ],
  ];
  test.each(states)('keeps %j', (told, settled) => {
    const list = (part: object): object[] => [
      { id: 'u', role: 'user', parts: [text('q')] },
      { id: 'a', role: 'assistant', parts: [part] },
      { id: 'v', role: 'user', parts: [text('x')] },
    ];
    for (const policy of ['preserve', 'discard'] as const) {
      const { output, report } = repair(list({ ...open, ...told }), 'ai-sdk-ui', { policy });
      expect(output).toEqual(list({ ...open, ...settled }));
      expect(report.preserved.ratio).toBe(1);
    }
  });
});

describe('blocks of another API after a change of provider', () => {
  const list = [
    user('q'),
    anthropic.say(
      { type: 'thinking', thinking: 'Hmm', signature: 'SEALED' },
      anthropic.call('toolu_123', 'read', { path: 'a' }),
    ),
    anthropic.user(anthropic.result('toolu_123', 'A'), 'and now?'),
  ];
  test('become a pair and marked reasoning in a chat', () => {
    const { output, report } = repair(list, 'openai-chat');
    expect(output).toEqual([
      user('q'),
      say('[reasoning]\nHmm', call('toolu_123', 'read', '{"path":"a"}')),
      result('toolu_123', 'A'),
      user(text('and now?')),
    ]);
    expect(report.preserved.ratio).toBe(1);
  });

  test.each([
    'openai-responses',
    'openai-agents',
    'bedrock-converse',
    'mistral-chat',
    'ai-sdk-model',
    'gemini',
  ] as const)('never show their seal as text in %s', (dialect) => {
    expect(check(list, dialect).verdict).toBe('broken');
    const told = json(repair(list, dialect));
    expect(told).not.toContain('SEALED');
    expect(told).not.toContain('no result was recorded');
    expect(told).toContain('Hmm');
  });
});
