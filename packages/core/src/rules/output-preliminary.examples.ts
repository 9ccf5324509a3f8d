import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

const built = (outcome: object): unknown[] => [
  { id: 'm1', role: 'assistant', parts: [{ type: 'tool-build', toolCallId: 'c1', input: {}, ...outcome }] },
];

export const examples: readonly Example[] = inDialects(['ai-sdk-ui'], () => ({
  'a result after its preliminary outputs': {
    clean: built({ state: 'output-available', output: 'done', preliminary: false }),
  },
  'stopped while the tool was running': {
    before: built({ state: 'output-available', output: { percent: 40 }, preliminary: true }),
    after: built({ state: 'output-error', errorText: `${TEXTS.preliminary}\n{"percent":40}` }),
  },
}));
