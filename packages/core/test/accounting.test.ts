import { describe, expect, test } from 'vitest';
import { repair } from '../src/index.ts';

describe('what a change costs', () => {
  const pressed = (content: unknown): unknown[] => [
    { role: 'user', content: 'press' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c1', name: 'press', input: {}, toolset_name: 'computer' }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content }] },
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

  test('does not count a place to cache', () => {
    const given = [{ role: 'request', content: [{}, { cachePoint: { type: 'default' } }] }];
    const { report } = repair(given, { dialect: 'bedrock-converse', model: 'moonshot.kimi-k2-thinking' });
    expect(report.preserved).toEqual({ charactersIn: 0, charactersOut: 0, ratio: 1 });
  });
});
