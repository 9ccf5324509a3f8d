import type { Example } from '../model/rule.ts';

function exchange(status: object): unknown[] {
  return [
    { role: 'user', content: [{ text: 'list the files' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'ls', input: {} } }] },
    {
      role: 'user',
      content: [{ toolResult: { toolUseId: 'tooluse_1', content: [{ text: 'a.txt' }], ...status } }],
    },
  ];
}

export const examples: readonly Example[] = [
  {
    name: 'a model that takes it',
    dialect: 'bedrock-converse',
    model: 'us.meta.llama4-maverick-17b-instruct-v1:0',
    clean: exchange({ status: 'success' }),
  },
  {
    name: 'a model that does not',
    dialect: 'bedrock-converse',
    model: 'us.writer.palmyra-x4-v1:0',
    before: exchange({ status: 'success' }),
    after: exchange({}),
  },
];
