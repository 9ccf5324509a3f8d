import type { Example } from '../model/rule.ts';
import { chatHostExamples } from './examples/chat-hosts.ts';

export const examples: readonly Example[] = chatHostExamples('reasoning-field-missing');
