import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['openai-responses'], ({ call, picture, result, text }) => ({
    'a text, and a list of pieces': { clean: [call('c1'), result('c1', [text('A'), picture])] },
    'a tool that returned nothing': {
      before: [call('c1'), result('c1', null)],
      after: [call('c1'), result('c1', '')],
    },
    'values that are no text': {
      before: [call('c1'), result('c1', { a: 1 }), call('c2'), result('c2', text('A', 'text'))],
      after: [call('c1'), result('c1', '{"a":1}'), call('c2'), result('c2', [text('A')])],
    },
    'pieces of another API': {
      before: [call('c1'), result('c1', ['A', null, text('B', 'text'), picture, { type: 'input_text', text: 7 }])],
      after: [
        call('c1'),
        result('c1', [text('A'), text(''), text('B'), picture, text('{"type":"input_text","text":7}')]),
      ],
    },
    'a sound sent as a file': {
      before: [
        call('c1'),
        result('c1', [
          text('Listen:'),
          { type: 'input_file', filename: 'a.mp3', file_data: 'data:audio/mpeg;base64,SUQz' },
        ]),
      ],
      after: [call('c1'), result('c1', [text('Listen:'), text('[a.mp3: a file of type audio/mpeg cannot be sent]')])],
    },
  })),
  ...inDialects(
    ['openai-agents'],
    ({ say, added, call, computer, patch, result, search, shell, shellResult, text }) => ({
      'the forms of the framework': {
        clean: [
          call('c1'),
          result('c1', [text('A')]),
          call('c2'),
          result('c2', 'A'),
          call('c3'),
          { ...result('c3', 'A'), output: 'A' },
          call('c4'),
          result('c4', { type: 'image', image: 'https://example.com/1.png' }),
        ],
      },
      'a function that returned nothing, an object, or pieces of another API': {
        before: [
          call('c1'),
          result('c1', null),
          call('c2'),
          result('c2', { a: 1 }),
          call('c3'),
          result('c3', [text('A'), { type: 'text', text: 'B' }, 'C']),
          call('c4'),
          result('c4', text('A')),
        ],
        after: [
          call('c1'),
          { ...result('c1', 'A'), output: '' },
          call('c2'),
          { ...result('c2', 'A'), output: '{"a":1}' },
          call('c3'),
          result('c3', [text('A'), text('B'), text('C')]),
          call('c4'),
          result('c4', [text('A')]),
        ],
      },
      'a shell, a patch and a search that returned something else': {
        before: [
          shell,
          { type: 'shell_call_output', callId: 'c1', output: 'a.txt' },
          patch,
          { type: 'apply_patch_call_output', callId: 'c1', status: 'completed', output: { ok: true } },
          search,
          { type: 'tool_search_output', call_id: 'c1', tools: 'none' },
        ],
        after: [
          shell,
          shellResult('a.txt', '', { type: 'exit', exitCode: null }),
          patch,
          { type: 'apply_patch_call_output', callId: 'c1', status: 'completed', output: '{"ok":true}' },
          search,
          { type: 'tool_search_output', call_id: 'c1', tools: [] },
        ],
      },
      'a hand that returned no picture': {
        before: [computer, { type: 'computer_call_result', callId: 'c1', output: 'done' }],
        after: [
          say('[computer_call] {"type":"computer_call","callId":"c1","action":{"type":"screenshot"}}'),
          added(`${TEXTS.orphan} done`),
        ],
      },
    }),
  ),
];
