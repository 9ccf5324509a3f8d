import type { Example } from '../model/rule.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';

export const examples: readonly Example[] = [...itemExamples('item-id-again'), ...agentExamples('item-id-again')];
