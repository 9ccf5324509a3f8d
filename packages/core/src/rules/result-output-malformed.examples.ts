import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(
  ['ai-sdk-model'],
  ({ say, call, result, results, returned, text }) => ({
    'an output that says what it is': {
      clean: [say(call('c1')), result('c1', { type: 'content', value: [text('A')] })],
    },
    'a result of an earlier version': {
      before: [
        say(call('c1')),
        results({ type: 'tool-result', toolCallId: 'c1', toolName: 'read', result: { lines: 3 } }),
      ],
      after: [say(call('c1')), result('c1', { type: 'json', value: { lines: 3 } })],
    },
    'a bare text, and nothing at all': {
      before: [
        say(call('c1')),
        results({ ...returned('c1', text('A')), output: 'A' }),
        say(call('c1')),
        results({ type: 'tool-result', toolCallId: 'c1', toolName: 'read' }),
      ],
      after: [say(call('c1')), result('c1', 'A'), say(call('c1')), result('c1', '')],
    },
    'a text that is none': {
      before: [say(call('c1')), result('c1', { type: 'text', value: 7 })],
      after: [say(call('c1')), result('c1', { type: 'json', value: 7 })],
    },
    'an empty object': {
      before: [say(call('c1')), result('c1', { type: 'text' })],
      after: [say(call('c1')), result('c1', '')],
    },
  }),
);
