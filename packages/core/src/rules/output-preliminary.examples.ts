import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';

function answer(outcome: object): unknown[] {
  return [{ id: 'm1', role: 'assistant', parts: [{ type: 'tool-build', toolCallId: 'c1', input: {}, ...outcome }] }];
}

export const examples: readonly Example[] = [
  {
    name: 'a result after its preliminary outputs',
    dialect: 'ai-sdk-ui',
    clean: answer({ state: 'output-available', output: 'done', preliminary: false }),
  },
  {
    name: 'stopped while the tool was running',
    dialect: 'ai-sdk-ui',
    before: answer({ state: 'output-available', output: { percent: 40 }, preliminary: true }),
    after: answer({ state: 'output-error', errorText: `${TEXTS.preliminary}\n{"percent":40}` }),
  },
];
