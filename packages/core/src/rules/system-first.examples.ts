import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages', 'gemini'], ({ user, system }) => ({
    'in a bare list': {
      before: [system('Use tools.'), user('hi')],
      after: [user('hi')],
      lifted: [system('Use tools.')],
    },
  })),
  ...inDialects(['bedrock-converse', 'ai-sdk-ui'], ({ user, system }) => ({
    'a system message in front of a bare list': {
      before: [system('Be brief.'), user('hi')],
      after: [user('hi')],
      lifted: [system('Be brief.')],
    },
  })),
  ...inDialects(['anthropic-messages'], ({ user, system, text }) => ({
    'inside a request': {
      before: { system: 'Be brief.', messages: [system('Use tools.'), user('hi')] },
      after: { system: [text('Be brief.'), text('Use tools.')], messages: [user('hi')] },
    },
  })),
  ...inDialects(['gemini'], ({ user, system, text }) => ({
    'inside a request': {
      before: { systemInstruction: { parts: [text('Be brief.')] }, contents: [system('Use tools.'), user('hi')] },
      after: { systemInstruction: { parts: [text('Be brief.'), text('Use tools.')] }, contents: [user('hi')] },
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, system, text }) => ({
    'a history in the shape of another provider': {
      before: { system: [text('Be kind.')], messages: [system('Be brief.'), user('hi')] },
      after: { system: [text('Be kind.'), text('Be brief.')], messages: [user('hi')] },
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ system, userText }) => ({
    'a request that allows it': {
      clean: { allowSystemInMessages: true, messages: [system('Use tools.'), userText('hi')] },
    },
    'inside a request of a framework': {
      before: { instructions: 'Be brief.', messages: [system('Use tools.'), userText('hi')] },
      after: { instructions: [system('Be brief.'), system('Use tools.')], messages: [userText('hi')] },
    },
    'in a bare list of a framework': {
      before: [system('Use tools.'), userText('hi')],
      after: [userText('hi')],
      lifted: [system('Use tools.')],
    },
  })),
];
