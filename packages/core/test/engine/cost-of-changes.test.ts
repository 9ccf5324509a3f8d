import { describe, expect, test } from 'vitest';
import { repair } from '../../src/index.ts';
import { anthropic, responses } from '../words.ts';

const { result, say, system, text, user } = anthropic;

describe('what a change costs', () => {
  const pressed = (content: unknown): unknown[] => [
    user('press'),
    say({ type: 'tool_use', id: 'c1', name: 'press', input: {}, toolset_name: 'computer' }),
    user(result('c1', content)),
  ];

  test('is nothing for a piece that only has a type', () => {
    const { report } = repair(pressed([{ type: 'user', text: '' }]), 'anthropic-messages');
    expect(report.preserved.ratio).toBe(1);
  });

  test('is told where a blank piece goes', () => {
    const { report } = repair(pressed([{ type: 'user', text: ' ' }]), 'anthropic-messages');
    expect(report.preserved.ratio).toBeLessThan(1);
    expect(report.repairs.map(({ loss }) => loss)).toContain('lossy');
  });

  const chats = ['anthropic-messages', 'openai-chat', 'mistral-chat', 'langchain', 'ai-sdk-model'] as const;
  const hollow = [[{}, { type: 'text' }], [{ type: 'text' }, {}], [{ type: 'text' }]];

  test.each(chats)('is nothing in %s for a text without its text, whoever speaks', (dialect) => {
    for (const role of ['user', 'assistant', 'developer', 'bot'])
      for (const content of hollow) {
        const { report } = repair([{ role, content }], dialect);
        const losses = report.repairs.map(({ loss }) => loss);
        expect({ role, content, ...report.preserved }).toEqual({
          role,
          content,
          charactersIn: 0,
          charactersOut: 0,
          ratio: 1,
        });
        expect(losses).not.toContain('lossy');
      }
  });

  test.each([
    [
      'ai-sdk-ui',
      {
        id: 'm',
        role: 'assistant',
        parts: [{ type: 'text', text: null }, text('ok')],
      },
    ],
    [
      'openai-agents',
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: null }, responses.outputText('ok')],
      },
    ],
  ] as const)('is nothing in %s for a text whose text is gone, beside others', (dialect, message) => {
    const { preserved, repairs } = repair([message], dialect).report;
    expect([preserved, repairs.map(({ loss }) => loss)]).toEqual([
      { charactersIn: 2, charactersOut: 2, ratio: 1 },
      ['none'],
    ]);
  });

  const wires = [...chats, 'bedrock-converse', 'openai-responses', 'gemini', 'openai-agents', 'pydantic-ai'] as const;

  test.each(wires)('is told in %s of what no part of a message could be made of', (dialect) => {
    for (const piece of [
      { type: 'thinking', data: 'c2VhbGVk' },
      { part_kind: 'text', x: 'said' },
    ]) {
      const { report } = repair([{ role: 'bot', parts: [{}, piece] }], dialect);
      const told = report.preserved.ratio === 1 || report.repairs.some(({ loss }) => loss === 'lossy');
      expect({ piece, told }).toEqual({ piece, told: true });
    }
  });

  test('counts the blank text of a system message that was no text', () => {
    const { report, lifted } = repair([{ role: 'system', content: [' '] }], 'ai-sdk-model');
    expect([report.preserved.ratio, lifted]).toEqual([1, [system(' ')]]);
  });

  test('is nothing for results that are none, whatever stands beside them', () => {
    const history = [{ role: 'tool', content: [], saved: 'yes' }, user('go')];
    expect(repair(history, 'ai-sdk-model').output).toBe(history);
  });

  test('does not count a place to cache', () => {
    const given = [{ role: 'request', content: [{}, { cachePoint: { type: 'default' } }] }];
    const { report } = repair(given, { dialect: 'bedrock-converse', model: 'moonshot.kimi-k2-thinking' });
    expect(report.preserved).toEqual({ charactersIn: 0, charactersOut: 0, ratio: 1 });
  });
});
