import { expect, test } from 'vitest';
import { repair, type Dialect } from '../../src/index.ts';

const calls = [{ id: 'c1', function: { name: 'read', arguments: '{"path":"path 4"}' }, args: { path: 'path 4' } }];

test.each<[Dialect, object]>([
  ['pydantic-ai', { parts: [], tool_calls: calls }],
  ['pydantic-ai', { kind: 'telegram', parts: [], tool_calls: calls }],
  ['openai-chat', { content: '', tool_calls: calls }],
  ['openai-chat', { content: 'reading', tool_calls: calls }],
  ['anthropic-messages', { content: [], tool_calls: calls }],
  ['pydantic-ai', { kind: 'request', tool_calls: calls }],
  ['pydantic-ai', { kind: 'request', content: '', tool_calls: calls }],
  ['anthropic-messages', { role: 'user', tool_calls: calls }],
  ['ai-sdk-model', { role: 'user', tool_calls: calls }],
  ['bedrock-converse', { role: 'user', tool_calls: calls }],
  ['openai-responses', { role: 'user', type: 'human', tool_calls: calls }],
])(
  '%s: calls of a message that does not say who speaks, or whose author cannot call, are quoted: %j',
  (dialect, message) => {
    const { output, report } = repair([message], dialect);
    expect(JSON.stringify(output)).toContain('path 4');
    expect(report).toMatchObject({ verdict: 'repaired', preserved: { ratio: 1 } });
    expect(report.preserved.charactersIn).toBeGreaterThan(0);
  },
);
