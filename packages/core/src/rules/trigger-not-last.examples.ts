import type { Example } from '../model/rule.ts';
import { itemExamples } from './examples/openai-responses.ts';

export const examples: readonly Example[] = itemExamples('trigger-not-last');
