import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['anthropic-messages'], () => ({
  'a single number': {
    before: 42,
    found: true,
  },
}));
