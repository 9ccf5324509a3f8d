import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages', 'gemini', 'bedrock-converse'], ({ user, system }) => ({
    'nothing in it': {
      before: [user('hi'), system()],
      after: [user('hi')],
    },
  })),
  ...inDialects(['anthropic-messages'], ({ user, system }) => ({
    'a message that only sets options': { clean: [user('hi'), { ...system(), output_config: { effort: 'low' } }] },
  })),
  ...inDialects(['ai-sdk-ui'], ({ user, system }) => ({
    'nothing in it': {
      before: [system(), user('hi')],
      after: [user('hi')],
    },
  })),
];
