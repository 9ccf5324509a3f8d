import type { Example } from '../model/rule.ts';
import { chainExamples } from './examples/langchain.ts';
import { chatHostExamples } from './examples/chat-hosts.ts';

export const examples: readonly Example[] = [
  ...chatHostExamples('system-not-alone'),
  ...chainExamples('system-not-alone'),
];
