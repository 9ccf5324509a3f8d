import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['gemini'], ({ user, system, request, text }) => ({
  'a plain text': {
    before: { systemInstruction: 'Be brief.', contents: [user('hi')] },
    after: { systemInstruction: { parts: [text('Be brief.')] }, contents: [user('hi')] },
  },
  'a list of texts and numbers': {
    before: { system_instruction: ['Be brief.', 7], contents: [user('hi')] },
    after: { system_instruction: { parts: [text('Be brief.'), text('7')] }, contents: [user('hi')] },
  },
  'an empty part beside a whole one': {
    before: { systemInstruction: system({}, 'Be brief.'), contents: [user('hi')] },
    after: { systemInstruction: system('Be brief.'), contents: [user('hi')] },
  },
  'nothing in it': {
    before: { systemInstruction: { parts: [null] }, contents: [user('hi')] },
    after: request(user('hi')),
  },
}));
