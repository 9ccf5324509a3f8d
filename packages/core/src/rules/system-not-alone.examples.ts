import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['openai-chat'], ({ user, system, developer, text }) => ({
    'one is fine': {
      model: 'qwen3.5-27b',
      clean: [system('Be kind.'), user('hi')],
    },
    'three at the start': {
      model: 'qwen3.5-27b',
      before: [system('Be kind.'), developer('Be brief.'), system(text('Be quick.')), user('hi')],
      after: [system('Be kind.\n\nBe brief.\n\nBe quick.'), user('hi')],
    },
    'pieces that are no texts': {
      model: 'qwen3.5-27b',
      before: [system('Be kind.'), system({ type: 'hologram' })],
      after: [system('Be kind.\n\n{"type":"hologram"}')],
    },
  })),
  ...inDialects(['langchain'], ({ user, system }) => ({
    'a model that takes several': {
      model: 'gpt-5',
      clean: [system('Be kind.'), system('Be brief.'), user('hi')],
    },
    'instructions of two programs': {
      before: [system('Be kind.'), system('Be brief.'), user('hi')],
      after: [system('Be kind.\n\nBe brief.'), user('hi')],
    },
  })),
];
