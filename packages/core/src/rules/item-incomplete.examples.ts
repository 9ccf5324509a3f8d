import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['openai-responses'], ({ user, say, reference, thought }) => ({
    'a compaction as it came': { clean: [{ type: 'compaction', encrypted_content: 'gAAA' }, user('hi')] },
    'a compaction that was opened': {
      before: [{ type: 'compaction', summary: 'so far' }, user('hi')],
      after: [say('[compaction] {"type":"compaction","summary":"so far"}'), user('hi')],
    },
    'a program whose reasoning is gone': {
      before: [user('go'), { type: 'program', id: 'cm_1', call_id: 'p1', code: '1', fingerprint: 'f' }],
      after: [user('go'), say('[program] {"type":"program","id":"cm_1","call_id":"p1","code":"1","fingerprint":"f"}')],
    },
    'a program without an id': {
      before: [user('go'), { type: 'program', call_id: 'p1', code: '1', fingerprint: 'f' }],
      after: [user('go'), say('[program] {"type":"program","call_id":"p1","code":"1","fingerprint":"f"}')],
    },
    'a program without its fingerprint': {
      before: [user('go'), thought('rs_1'), { type: 'program', id: 'cm_1', call_id: 'p1', code: '1' }],
      after: [
        user('go'),
        say(`${TEXTS.reasoning}\nA greeting.`),
        say('[program] {"type":"program","id":"cm_1","call_id":"p1","code":"1"}'),
      ],
    },
    'a program with its output': {
      clean: [
        user('go'),
        thought('rs_1'),
        { type: 'program', id: 'cm_1', call_id: 'p1', code: '1', fingerprint: 'f' },
        { type: 'program_output', call_id: 'p1', result: 'ok' },
        user('and?'),
      ],
    },
    'the output of a program that the provider has kept': {
      clean: { previous_response_id: 'resp_1', input: [{ type: 'program_output', call_id: 'p1', result: 'ok' }] },
    },
    'the output of a program that may be what a reference refers to': {
      clean: [reference('cm_1'), { type: 'program_output', call_id: 'p1', result: 'ok' }, user('and?')],
    },
    'a program without its fingerprint, and its output': {
      before: [
        user('go'),
        { type: 'program', id: 'cm_1', call_id: 'p1', code: '1' },
        { type: 'program_output', call_id: 'p1', result: 'ok' },
        user('and?'),
      ],
      after: [
        user('go'),
        say('[program] {"type":"program","id":"cm_1","call_id":"p1","code":"1"}'),
        say('[program_output] {"type":"program_output","call_id":"p1","result":"ok"}'),
        user('and?'),
      ],
    },
    'the output of a program that is gone': {
      before: [
        user('go'),
        { type: 'program_output', call_id: 'p1', result: 'ok' },
        { type: 'program_output', result: 'ok' },
      ],
      after: [
        user('go'),
        say('[program_output] {"type":"program_output","call_id":"p1","result":"ok"}'),
        say('[program_output] {"type":"program_output","result":"ok"}'),
      ],
    },
    'a reference to nothing': {
      before: [user('hi'), { type: 'item_reference' }],
      after: [user('hi')],
    },
    'a search of the provider with a call id that nobody takes': {
      before: [user('hi'), { type: 'tool_search_call', call_id: 'x'.repeat(65), execution: 'server', arguments: {} }],
      after: [user('hi'), { type: 'tool_search_call', execution: 'server', arguments: {} }],
    },
  })),
  ...inDialects(['openai-agents'], ({ user, say }) => ({
    'what the framework can give back': {
      clean: [
        { type: 'compaction', encrypted_content: 'gAAA' },
        {
          type: 'hosted_tool_call',
          name: 'web_search_call',
          status: 'completed',
          providerData: { type: 'web_search' },
        },
        {
          type: 'hosted_tool_call',
          name: 'mcp_call',
          providerData: { name: 'ls', arguments: '{}', server_label: 's' },
        },
        { type: 'unknown', providerData: { type: 'agent_message' } },
        user('hi'),
      ],
    },
    'a compaction that was opened': {
      before: [user('go'), { type: 'compaction', summary: 'so far' }],
      after: [user('go'), say('[compaction] {"type":"compaction","summary":"so far"}')],
    },
    'a program without its fingerprint': {
      before: [user('go'), { type: 'program', callId: 'p1', code: '1' }],
      after: [user('go'), say('[program] {"type":"program","callId":"p1","code":"1"}')],
    },
    'the output of a program that is gone': {
      before: [user('go'), { type: 'program_output', callId: 'p1', result: 'ok', status: 'completed' }],
      after: [
        user('go'),
        say('[program_output] {"type":"program_output","callId":"p1","result":"ok","status":"completed"}'),
      ],
    },
    'a tool of the provider that the framework does not know': {
      before: [user('go'), { type: 'hosted_tool_call', name: 'sing_call' }],
      after: [user('go'), say('[hosted_tool_call] {"type":"hosted_tool_call","name":"sing_call"}')],
    },
    'an unknown thing without its data': {
      before: [user('go'), { type: 'unknown', providerData: {} }],
      after: [user('go'), say('[unknown] {"type":"unknown","providerData":{}}')],
    },
    'a search that found nothing to name': {
      before: [user('go'), { type: 'tool_search_output', execution: 'server' }],
      after: [user('go'), say('[tool_search_output] {"type":"tool_search_output","execution":"server"}')],
    },
    'an order for no command': {
      before: [user('go'), { type: 'shell_call', callId: 'c1', action: {} }],
      after: [user('go'), say('[shell_call] {"type":"shell_call","callId":"c1","action":{}}')],
    },
    'a patch that changes nothing': {
      before: [user('go'), { type: 'apply_patch_call', callId: 'c1' }],
      after: [user('go'), say('[apply_patch_call] {"type":"apply_patch_call","callId":"c1"}')],
    },
    'a hand that does nothing': {
      before: [user('go'), { type: 'computer_call', callId: 'c1', actions: [] }],
      after: [user('go'), say('[computer_call] {"type":"computer_call","callId":"c1","actions":[]}')],
    },
  })),
];
