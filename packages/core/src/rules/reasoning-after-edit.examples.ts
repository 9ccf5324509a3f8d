import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, call, closed, text }) => ({
    'a call before the reasoning had to be closed': {
      model: 'claude-fable-5-1',
      before: [
        user('list'),
        say({ type: 'thinking', thinking: 'ls will do', signature: 'sig1' }, call('toolu_1', 'ls')),
        user('well?'),
        say({ type: 'thinking', thinking: 'no result came', signature: 'sig2' }, 'It was interrupted.'),
      ],
      after: [
        user('list'),
        say({ type: 'thinking', thinking: 'ls will do', signature: 'sig1' }, call('toolu_1', 'ls')),
        user(closed('toolu_1'), 'well?'),
        say(text('It was interrupted.')),
      ],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, closed, thought }) => ({
    'a call before the reasoning had to be closed': {
      before: [user('read a'), say(call('tooluse_1')), user('well?'), say(thought('No result.'), 'Sorry.')],
      after: [
        user('read a'),
        say(call('tooluse_1')),
        user(closed('tooluse_1')),
        say(TEXTS.separator),
        user('well?'),
        say('Sorry.'),
      ],
    },
  })),
];
