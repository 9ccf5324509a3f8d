import { describe, expect, test } from 'vitest';
import { repair } from '../../src/index.ts';

const claude = { dialect: 'anthropic-messages', model: 'claude-opus-4-5' } as const;

describe('a list that was refused for how it ends', () => {
  const list = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'Hello.' },
  ];
  const refusal =
    'This model does not support assistant message prefill. The conversation must end with a user message.';

  test('was sent as a request, so it is given another end', () => {
    const { output, report } = repair(list, claude, { refusal });
    expect(output).toEqual([...list, { role: 'user', content: [{ type: 'text', text: 'Continue.' }] }]);
    expect(report.refusal).toMatchObject({ rule: 'ends-with-assistant', note: 'what it names was mended' });
  });

  test('is left alone where the caller says that it is a history', () => {
    expect(repair(list, { ...claude, purpose: 'history' }, { refusal }).output).toBe(list);
  });

  test('is left alone where the refusal is about something else', () => {
    const other = "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'";
    expect(repair(list, claude, { refusal: other }).output).toBe(list);
  });

  test('is given a message where it has none', () => {
    const { output } = repair<unknown[]>([], claude, { refusal: 'messages: at least one message is required' });
    expect(output).toHaveLength(1);
  });
});
