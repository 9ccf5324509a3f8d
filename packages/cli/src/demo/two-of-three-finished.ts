import type { DemoSession } from './session.ts';

const read = (id: string, path: string): object => ({ type: 'tool_use', id, name: 'read_file', input: { path } });

export const twoOfThreeFinished: DemoSession = {
  title: 'Two of three parallel calls finished',
  story: 'Three files were being read at once when the user pressed Esc; one result never came.',
  dialect: 'anthropic-messages',
  history: [
    { role: 'user', content: 'Compare the three configuration files.' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Reading all three.' },
        read('toolu_a', 'dev.toml'),
        read('toolu_b', 'test.toml'),
        read('toolu_c', 'live.toml'),
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_a', content: 'port = 3000' },
        { type: 'tool_result', tool_use_id: 'toolu_c', content: 'port = 443' },
        { type: 'text', text: 'That is enough, what do you see so far?' },
      ],
    },
  ],
};
