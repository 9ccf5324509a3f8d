import type { Example } from '../model/rule.ts';
import { RESULT_TEXTS, TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

/** A LangChain message as `toJSON` writes it, and what is in a result that a repair adds to such messages. */
const serialised = (name: string, kwargs: object): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs,
});
const closedInside = {
  content: RESULT_TEXTS.unknown,
  tool_call_id: 'c1',
  name: 'read',
  status: 'error',
  additional_kwargs: {},
  response_metadata: {},
};

/** A call or a result of the Responses API's own tools. */
const item = (type: string, more: object = {}): object => ({ type, call_id: 'c1', ...more });

export const examples: readonly Example[] = [
  ...inDialects(['ai-sdk-model', 'langchain'], ({ user, say, call, closed }) => ({
    'killed between call and result, then the user wrote again': {
      before: [say(call('c1')), user('are you there?')],
      after: [say(call('c1')), closed('c1'), user('are you there?')],
    },
  })),
  ...inDialects(['openai-responses', 'openai-agents'], ({ user, call, closed }) => ({
    'killed between call and result, then the user wrote again': {
      before: [user('list'), call('c1'), user('are you there?')],
      after: [user('list'), call('c1'), closed('c1'), user('are you there?')],
    },
  })),
  ...inDialects(['anthropic-messages'], ({ user, say, call, closed, result, text }) => ({
    'every call answered': {
      clean: [user('list the files'), say(call('toolu_1', 'ls')), user(result('toolu_1', 'a.txt'))],
    },
    'killed between call and result, then the user wrote again': {
      before: [user('list the files'), say(call('toolu_1', 'ls')), user('are you there?')],
      after: [user('list the files'), say(call('toolu_1', 'ls')), user(closed('toolu_1'), 'are you there?')],
    },
    'discard: the call goes, the text before it stays': {
      options: { policy: 'discard' },
      before: [user('list the files'), say('Looking.', call('toolu_1', 'ls'))],
      after: [user('list the files'), say(text('Looking.'))],
    },
  })),
  ...inDialects(['openai-chat'], ({ user, say, call, closed, result }) => ({
    'two of three parallel calls answered': {
      before: [
        user('read a, b and c'),
        say(
          call('call_a', 'read', { path: 'a' }),
          call('call_b', 'read', { path: 'b' }),
          call('call_c', 'read', { path: 'c' }),
        ),
        result('call_c', 'C'),
        result('call_a', 'A'),
      ],
      after: [
        user('read a, b and c'),
        say(
          call('call_a', 'read', { path: 'a' }),
          call('call_b', 'read', { path: 'b' }),
          call('call_c', 'read', { path: 'c' }),
        ),
        result('call_c', 'C'),
        result('call_a', 'A'),
        closed('call_b'),
      ],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say, call, closed }) => ({
    'killed between call and result': {
      before: [user('read a'), say(call('aB3dE6gH9'))],
      after: [user('read a'), say(call('aB3dE6gH9')), closed('aB3dE6gH9')],
    },
  })),
  ...inDialects(['gemini'], ({ user, say, call, closed, result }) => ({
    'killed between call and result, then the user wrote again': {
      model: 'gemini-2.5-flash',
      before: [user('list'), say(call('ls')), user('are you there?')],
      after: [user('list'), say(call('ls')), user(closed('ls'), 'are you there?')],
    },
    'one of two calls of one name answered': {
      model: 'gemini-2.5-flash',
      before: [
        user('read a and b'),
        say(call('read', { path: 'a' }), call('read', { path: 'b' })),
        user(result('read', 'A')),
      ],
      after: [
        user('read a and b'),
        say(call('read', { path: 'a' }), call('read', { path: 'b' })),
        user(result('read', 'A'), closed('read')),
      ],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ user, say, call, closed }) => ({
    'killed between call and return, then the user wrote again': {
      before: [say(call('c1', 'ls')), user('are you there?')],
      after: [say(call('c1', 'ls')), user(closed('c1', 'ls'), 'are you there?')],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, closed }) => ({
    'killed between call and result, then the user wrote again': {
      before: [user('read a'), say(call('tooluse_1')), user('well?')],
      after: [user('read a'), say(call('tooluse_1')), user(closed('tooluse_1')), say(TEXTS.separator), user('well?')],
    },
    'killed before the result': {
      before: [user('read a'), say(call('tooluse_1'))],
      after: [user('read a'), say(call('tooluse_1')), user(closed('tooluse_1'))],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ say, asked, call, closed, decided, results, userText }) => {
    const calls = say(...['c1', 'c2', 'c3'].flatMap((id) => [call(id, 'rm'), asked(`ask ${id}`, id)]));
    const decisions = results(decided('ask c2', false), decided('ask c3'));
    return {
      'calls that a person was asked about, before the user went on': {
        before: [calls, decisions, userText('never mind')],
        after: [
          calls,
          closed('c1', 'rm', RESULT_TEXTS['not-started']),
          closed('c2', 'rm', RESULT_TEXTS.denied),
          closed('c3', 'rm'),
          decisions,
          userText('never mind'),
        ],
      },
    };
  }),
  ...inDialects(['ai-sdk-ui'], ({ user, say, call, done, failed, step }) => ({
    'an approved call, about to be run, and one that was never finished': {
      clean: [
        user('hi'),
        say(
          'Then:',
          { ...call('c1', 'approval-responded'), approval: { id: 'a1', approved: true } },
          call('c2', 'input-streaming'),
        ),
      ],
    },
    'killed between call and result, then the user wrote again': {
      before: [say(call('c1', 'input-available'), done('c2')), user('hi')],
      after: [say(failed('c1'), done('c2')), user('hi')],
    },
    'a call that nobody decided on before the user went on, and one in a state of another version': {
      before: [
        say({ ...call('c1', 'approval-requested'), approval: { id: 'a1' } }, step, call('c2', 'call')),
        user('hi'),
      ],
      after: [say(failed('c1', RESULT_TEXTS['not-started']), step, failed('c2')), user('hi')],
    },
    'an approved call that was never run, because the model went on': {
      before: [
        say({ ...call('c1', 'approval-responded'), approval: { id: 'a1', approved: true } }, step, 'Never mind.'),
      ],
      after: [say({ ...failed('c1'), approval: { id: 'a1', approved: true } }, step, 'Never mind.')],
    },
    'discard: the call goes, the text before it stays': {
      options: { policy: 'discard' },
      before: [user('hi'), say('Looking.', call('c1', 'input-available'))],
      after: [user('hi'), say('Looking.')],
    },
    'discard: a batch that is not answered whole goes whole, and other steps stay': {
      options: { policy: 'discard' },
      before: [user('hi'), say(done('c1'), step, 'On.', call('c3', 'input-available'), done('c2'), step, 'Then.')],
      after: [user('hi'), say(done('c1'), step, 'On.', step, 'Then.')],
    },
  })),
  ...inDialects(['langchain'], ({ say, openaiCall, call, anthropicCall, text }) => ({
    'serialised messages': {
      before: [
        serialised('AIMessage', { content: '', tool_calls: [call('c1', 'read', { path: 'a' })] }),
        serialised('HumanMessage', { content: 'are you there?' }),
      ],
      after: [
        serialised('AIMessage', { content: '', tool_calls: [call('c1', 'read', { path: 'a' })] }),
        serialised('ToolMessage', closedInside),
        serialised('HumanMessage', { content: 'are you there?' }),
      ],
    },
    'stored messages, with the call only in the content': {
      model: 'claude-sonnet-4-5',
      before: [{ type: 'ai', data: { content: [anthropicCall('c1')] } }],
      after: [
        { type: 'ai', data: { content: [anthropicCall('c1')] } },
        {
          type: 'tool',
          data: closedInside,
        },
      ],
    },
    'messages with a role': {
      before: [{ role: 'assistant', content: '', tool_calls: [call('c1', 'read', { path: 'a' })] }],
      after: [
        { role: 'assistant', content: '', tool_calls: [call('c1', 'read', { path: 'a' })] },
        { role: 'tool', content: RESULT_TEXTS.unknown, tool_call_id: 'c1', name: 'read', status: 'error' },
      ],
    },
    'discard: the call goes from all three places': {
      options: { policy: 'discard' },
      before: [
        {
          ...say('Looking.', anthropicCall('c1'), call('c1', 'read', { path: 'a' })),
          additional_kwargs: { tool_calls: [openaiCall('c1')] },
        },
      ],
      after: [{ ...say(text('Looking.')), additional_kwargs: {} }],
    },
  })),
  ...inDialects(['openai-responses'], ({ user, say, call, closed, custom, customResult, result }) => ({
    'outputs far from their calls, in another order': {
      clean: [call('c1'), call('c2'), user('so?'), result('c2', 'A'), say('Wait.'), result('c1', 'A')],
    },
    'one of two parallel calls answered': {
      before: [call('c1'), call('c2'), result('c2', 'A')],
      after: [call('c1'), call('c2'), result('c2', 'A'), closed('c1')],
    },
    'an open call of the kind custom tool': {
      before: [user('go'), custom('c1')],
      after: [user('go'), custom('c1'), customResult('c1')],
    },
    'an open call of the kind patch': {
      before: [user('go'), item('apply_patch_call')],
      after: [
        user('go'),
        item('apply_patch_call'),
        item('apply_patch_call_output', { status: 'failed', output: RESULT_TEXTS.unknown }),
      ],
    },
    'an open call of the kind shell': {
      before: [user('go'), item('shell_call')],
      after: [
        user('go'),
        item('shell_call'),
        item('shell_call_output', {
          output: [{ stdout: '', stderr: RESULT_TEXTS.unknown, outcome: { type: 'timeout' } }],
        }),
      ],
    },
    'an open call of the kind local shell': {
      before: [user('go'), item('local_shell_call')],
      after: [
        user('go'),
        item('local_shell_call'),
        { type: 'local_shell_call_output', id: 'c1', output: RESULT_TEXTS.unknown },
      ],
    },
    'an open call of the kind local shell under a strange id': {
      before: [user('go'), { type: 'local_shell_call', call_id: 'c.1' }],
      after: [
        user('go'),
        { type: 'local_shell_call', call_id: 'c.1' },
        { type: 'local_shell_call_output', call_id: 'c.1', output: RESULT_TEXTS.unknown },
      ],
    },
    'an open call of the kind search for tools': {
      before: [user('go'), item('tool_search_call')],
      after: [
        user('go'),
        item('tool_search_call'),
        item('tool_search_output', { execution: 'client', status: 'incomplete', tools: [] }),
      ],
    },
    'an open call of the kind computer': {
      before: [user('go'), item('computer_call', { action: { type: 'screenshot' } })],
      after: [
        user('go'),
        say('[computer_call] {"type":"computer_call","call_id":"c1","action":{"type":"screenshot"}}'),
      ],
    },
  })),
  ...inDialects(
    ['openai-agents'],
    ({ user, say, call, closed, computer, patch, result, search, shell, shellResult }) => ({
      'results far from their calls, and one id for tools of two kinds': {
        clean: [call('c1'), shell, user('so?'), shellResult('a', '', { type: 'exit', exitCode: 0 }), result('c1', 'A')],
      },
      'one id for tools of two kinds, both stopped': {
        before: [call('c1'), shell, user('are you there?')],
        after: [
          call('c1'),
          shell,
          closed('c1'),
          shellResult('', RESULT_TEXTS.unknown, { type: 'timeout' }),
          user('are you there?'),
        ],
      },
      'an open patch': {
        before: [patch],
        after: [
          patch,
          { type: 'apply_patch_call_output', callId: 'c1', status: 'failed', output: RESULT_TEXTS.unknown },
        ],
      },
      'an open search': {
        before: [search],
        after: [
          search,
          { type: 'tool_search_output', call_id: 'c1', execution: 'client', status: 'incomplete', tools: [] },
        ],
      },
      'a hand that nobody watched': {
        before: [user('go'), computer],
        after: [
          user('go'),
          say('[computer_call] {"type":"computer_call","callId":"c1","action":{"type":"screenshot"}}'),
        ],
      },
    }),
  ),
];
