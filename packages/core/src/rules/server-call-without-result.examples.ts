import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, search, text }) => ({
    'a paused turn may be sent back as it is': { clean: [user('search'), say(search('srvtoolu_1'))] },
    'the user wrote while the turn was paused': {
      before: [user('search'), say('Searching.', search('srvtoolu_1')), user('never mind')],
      after: [user('search'), say(text('Searching.')), user('never mind')],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ user, say }) => ({
    'a built-in tool was cut off': {
      before: [
        user('search'),
        say('Searching.', { part_kind: 'builtin-tool-call', tool_name: 'web_search', args: {}, tool_call_id: 'b1' }),
        user('never mind'),
      ],
      after: [user('search'), say('Searching.'), user('never mind')],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ say, asked, call, result, returned, userText }) => {
    const search = { ...call('s1', 'search'), providerExecuted: true };
    return {
      'the provider answered in a later message': {
        clean: [
          say(search, { ...call('c1', 'search'), providerExecuted: false }),
          result('c1', { type: 'json', value: [] }, 'search'),
          say(returned('s1', { type: 'json', value: [] }, 'search')),
          userText('thanks'),
        ],
      },
      'a call that a person was asked about': {
        clean: [say(search, asked('a1', 's1')), userText('no')],
      },
      'the user wrote while the provider was searching': {
        before: [say('Searching.', search), userText('never mind')],
        after: [say('Searching.'), userText('never mind')],
      },
    };
  }),
  ...inDialects(['ai-sdk-ui'], ({ user, say, call }) => {
    const search = (state: string): object => ({ ...call('s1', state, 'search'), input: {}, providerExecuted: true });
    return {
      'a turn that the provider paused': {
        clean: [user('hi'), say(search('input-available'))],
      },
      'a call that a person was asked about, which the provider keeps itself': {
        clean: [say({ ...search('approval-requested'), approval: { id: 'a1' } }), user('hi')],
      },
      'the user wrote while the provider was searching': {
        before: [say('Searching.', search('input-available')), user('hi')],
        after: [say('Searching.'), user('hi')],
      },
    };
  }),
];
