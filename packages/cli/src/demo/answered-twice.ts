import type { DemoSession } from './session.ts';

export const answeredTwice: DemoSession = {
  title: 'One call answered twice',
  story: 'A retry wrote the result of a call a second time, with newer content.',
  dialect: 'anthropic-messages',
  history: [
    { role: 'user', content: 'Is the server up?' },
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'toolu_ping', name: 'http_get', input: { url: 'http://localhost:8080/health' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_ping', content: 'connection refused', is_error: true },
        { type: 'tool_result', tool_use_id: 'toolu_ping', content: '200 ok' },
      ],
    },
    { role: 'assistant', content: 'It is up now.' },
  ],
};
