import type { Example } from '../model/rule.ts';
import { chainExamples } from './examples/langchain.ts';
import { TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';
import { chatHostExamples } from './examples/chat-hosts.ts';

export const examples: readonly Example[] = [
  {
    name: 'a model that takes it',
    dialect: 'anthropic-messages',
    model: 'claude-opus-4-8',
    clean: [
      { role: 'user', content: 'hi' },
      { role: 'system', content: 'Be brief.' },
      { role: 'assistant', content: 'Hi.' },
    ],
  },
  {
    name: 'a model that does not',
    dialect: 'anthropic-messages',
    model: 'claude-sonnet-5',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'system', content: 'Be brief.' },
      { role: 'assistant', content: 'Hi.' },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'user', content: [{ type: 'text', text: `${TEXTS.system} Be brief.` }] },
      { role: 'assistant', content: 'Hi.' },
    ],
  },
  ...converseExamples('system-in-conversation'),
  {
    name: 'a framework that takes instructions elsewhere',
    dialect: 'ai-sdk-model',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'system', content: 'Be brief.' },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'user', content: [{ type: 'text', text: `${TEXTS.system} Be brief.` }] },
    ],
  },
  {
    name: 'a reminder in the middle',
    dialect: 'gemini',
    before: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'system', parts: [{ text: 'Be brief.' }] },
      { role: 'model', parts: [{ text: 'Hi.' }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'user', parts: [{ text: `${TEXTS.system} Be brief.` }] },
      { role: 'model', parts: [{ text: 'Hi.' }] },
    ],
  },
  ...interfaceExamples('system-in-conversation'),
  ...chatHostExamples('system-in-conversation'),
  ...chainExamples('system-in-conversation'),
];
