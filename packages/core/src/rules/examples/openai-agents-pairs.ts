import { RESULT_TEXTS, TEXTS } from '../../model/synthetic.ts';
import { answer, call, closed, output, part, quote, user, type Told } from './openai-agents-speech.ts';

const shell = { type: 'shell_call', callId: 'c1', action: { commands: ['ls'] } };
const patch = { type: 'apply_patch_call', callId: 'c1', operation: { type: 'delete_file', path: 'a' } };
const hand = { type: 'computer_call', callId: 'c1', action: { type: 'screenshot' } };
const search = { type: 'tool_search_call', call_id: 'c1', execution: 'client', arguments: {} };

const shellOutput = (stdout: string, stderr: string, outcome: object): object => ({
  type: 'shell_call_output',
  callId: 'c1',
  output: [{ stdout, stderr, outcome }],
});
const shellClosed = shellOutput('', RESULT_TEXTS.unknown, { type: 'timeout' });
const patchClosed = {
  type: 'apply_patch_call_output',
  callId: 'c1',
  status: 'failed',
  output: RESULT_TEXTS.unknown,
};
const searchClosed = {
  type: 'tool_search_output',
  call_id: 'c1',
  execution: 'client',
  status: 'incomplete',
  tools: [],
};

/** Examples of the rules on calls and what answers them. */
export const AGENT_PAIRS = (): Readonly<Record<string, readonly Told[]>> => ({
  'output-malformed': [
    {
      name: 'the forms of the framework',
      clean: [
        call('c1'),
        output('c1', [part('A', 'input_text')]),
        call('c2'),
        output('c2', 'A'),
        call('c3'),
        { ...output('c3'), output: 'A' },
        call('c4'),
        output('c4', { type: 'image', image: 'https://example.com/1.png' }),
      ],
    },
    {
      name: 'a function that returned nothing, an object, or pieces of another API',
      before: [
        call('c1'),
        output('c1', null),
        call('c2'),
        output('c2', { a: 1 }),
        call('c3'),
        output('c3', [part('A', 'input_text'), { type: 'text', text: 'B' }, 'C']),
        call('c4'),
        output('c4', { type: 'input_text', text: 'A' }),
      ],
      after: [
        call('c1'),
        { ...output('c1'), output: '' },
        call('c2'),
        { ...output('c2'), output: '{"a":1}' },
        call('c3'),
        output(
          'c3',
          ['A', 'B', 'C'].map((text) => part(text, 'input_text')),
        ),
        call('c4'),
        output('c4', [part('A', 'input_text')]),
      ],
    },
    {
      name: 'a shell, a patch and a search that returned something else',
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
        shellOutput('a.txt', '', { type: 'exit', exitCode: null }),
        patch,
        { type: 'apply_patch_call_output', callId: 'c1', status: 'completed', output: '{"ok":true}' },
        search,
        { type: 'tool_search_output', call_id: 'c1', tools: [] },
      ],
    },
    {
      name: 'a hand that returned no picture',
      before: [hand, { type: 'computer_call_result', callId: 'c1', output: 'done' }],
      after: [quote(hand), user(`${TEXTS.orphan} done`)],
    },
  ],
  'duplicate-call-id': [
    {
      name: 'a model that counts its calls from zero',
      before: [call('c0'), call('c0'), output('c0', 'A'), output('c0', 'B')],
      after: [call('c0'), call('c0_2'), output('c0', 'A'), output('c0_2', 'B')],
    },
  ],
  'late-result': [
    {
      name: 'the tool answered after the session had been resumed',
      before: [call('c1'), closed('c1'), user('still there?'), output('c1', 'built')],
      after: [call('c1'), output('c1', 'built'), user('still there?')],
    },
  ],
  'duplicate-result': [
    {
      name: 'stored twice by a retry',
      before: [call('c1'), output('c1'), output('c1')],
      after: [call('c1'), output('c1')],
    },
  ],
  'result-misnamed': [
    {
      name: 'ids rewritten on one side',
      before: [call('c1'), output('toolu_1')],
      after: [call('c1'), output('c1')],
    },
    {
      name: 'a result of the wrong kind',
      before: [shell, output('c1', 'A', { name: '' })],
      after: [shell, shellClosed, user(`${TEXTS.orphan} A`)],
    },
  ],
  'result-without-call': [
    {
      name: 'front of the history cut away',
      before: [output('c9'), answer('One file.')],
      after: [user(`${TEXTS.orphan} A`), answer('One file.')],
    },
  ],
  'result-before-call': [
    {
      name: 'written down in the wrong order',
      before: [user('read a'), output('c1'), call('c1')],
      after: [user('read a'), call('c1'), output('c1')],
    },
  ],
  'call-without-result': [
    {
      name: 'results far from their calls, and one id for tools of two kinds',
      clean: [call('c1'), shell, user('so?'), shellOutput('a', '', { type: 'exit', exitCode: 0 }), output('c1')],
    },
    {
      name: 'killed between call and result, then the user wrote again',
      before: [user('list'), call('c1'), user('are you there?')],
      after: [user('list'), call('c1'), closed('c1'), user('are you there?')],
    },
    {
      name: 'one id for tools of two kinds, both stopped',
      before: [call('c1'), shell, user('are you there?')],
      after: [call('c1'), shell, closed('c1'), shellClosed, user('are you there?')],
    },
    { name: 'an open patch', before: [patch], after: [patch, patchClosed] },
    { name: 'an open search', before: [search], after: [search, searchClosed] },
    { name: 'a hand that nobody watched', before: [user('go'), hand], after: [user('go'), quote(hand)] },
  ],
  'call-answered-by-another': [
    {
      name: 'an id used again, and interrupted',
      before: [call('c1'), output('c1'), user('again'), call('c1'), user('are you there?')],
      after: [call('c1'), output('c1'), user('again'), call('c1'), closed('c1'), user('are you there?')],
    },
  ],
});
