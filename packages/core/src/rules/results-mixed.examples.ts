import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';

function called(): unknown[] {
  return [
    { role: 'user', content: [{ text: 'list the files' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'ls', input: {} } }] },
  ];
}

function result(): unknown {
  return { toolResult: { toolUseId: 'tooluse_1', content: [{ text: 'a.txt' }], status: 'success' } };
}

export const examples: readonly Example[] = [
  {
    name: 'a family that takes them together',
    dialect: 'bedrock-converse',
    model: 'us.amazon.nova-pro-v1:0',
    clean: [...called(), { role: 'user', content: [result(), { text: 'and then?' }] }],
  },
  {
    name: 'a result beside a place to cache',
    dialect: 'bedrock-converse',
    clean: [...called(), { role: 'user', content: [result(), { cachePoint: { type: 'default' } }] }],
  },
  {
    name: 'the user wrote while the tool was running',
    dialect: 'bedrock-converse',
    before: [...called(), { role: 'user', content: [result(), { text: 'and then?' }] }],
    after: [
      ...called(),
      { role: 'user', content: [result()] },
      { role: 'assistant', content: [{ text: TEXTS.separator }] },
      { role: 'user', content: [{ text: 'and then?' }] },
    ],
  },
];
