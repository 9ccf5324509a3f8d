import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';

export const examples: readonly Example[] = [
  {
    name: 'a message that only sets options',
    dialect: 'anthropic-messages',
    clean: [
      { role: 'user', content: 'hi' },
      { role: 'system', content: [], output_config: { effort: 'low' } },
    ],
  },
  {
    name: 'nothing in it',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'system', content: [] },
    ],
    after: [{ role: 'user', content: 'hi' }],
  },
  ...converseExamples('system-empty'),
  {
    name: 'nothing in it',
    dialect: 'gemini',
    before: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'system', parts: [] },
    ],
    after: [{ role: 'user', parts: [{ text: 'hi' }] }],
  },
  ...interfaceExamples('system-empty'),
];
