import type { Example } from '../model/rule.ts';
import { chainExamples } from './examples/langchain.ts';

export const examples: readonly Example[] = chainExamples('content-hollow');
