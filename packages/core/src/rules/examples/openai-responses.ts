import { fingerprint } from '../../model/call-id.ts';
import type { Example } from '../../model/rule.ts';
import { RESULT_TEXTS, TEXTS } from '../../model/synthetic.ts';
import { ITEM_EXAMPLES } from './openai-responses-items.ts';
import { answer, call, closed, custom, output, pair, show, user } from './openai-responses-speech.ts';

const LONG = `call_${'0'.repeat(60)}`;
const SHORT = `call_${'0'.repeat(44)}_${fingerprint(LONG)}`;
const UNNAMED = `call_1_0_${fingerprint('call 1.0')}`;

/** An answer and a result as a chat has them. */
const chat = (content: unknown, ...ids: readonly string[]): object => ({
  role: 'assistant',
  content,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })),
});
const told = (id: string): object => ({ role: 'tool', tool_call_id: id, content: 'A' });

/** One history, or a few, for every rule that this dialect shares with others. */
const SHARED: Readonly<Record<string, () => readonly Example[]>> = {
  'value-unserialisable': () => [
    show('a big integer in a piece', {
      before: [user([{ type: 'input_file', file_id: 10n }])],
      after: [user([{ type: 'input_file', file_id: '10' }])],
    }),
  ],
  'message-unreadable': () => [
    show('a bare text among the items', {
      before: [user('hi'), 'the build is red', answer('Hello')],
      after: [user('hi'), user(`${TEXTS.unreadable} the build is red`), answer('Hello')],
    }),
    show('a message that lost its role', {
      before: [user('hi'), { type: 'message', content: 'the build is red' }],
      after: [user('hi'), user(`${TEXTS.unreadable} the build is red`)],
    }),
  ],
  'role-foreign': () => [
    show('messages of another API', {
      before: [user('list'), call('c1'), { role: 'tool', tool_call_id: 'c1', content: 'a.txt' }],
      after: [user('list'), call('c1'), output('c1', 'a.txt')],
    }),
    show('a result of another API', {
      before: [user('list'), call('c1'), { type: 'tool_result', tool_use_id: 'c1', content: 'a.txt' }],
      after: [user('list'), call('c1'), output('c1', 'a.txt')],
    }),
    show('text beside calls', {
      before: [
        { role: 'ai', content: 'Looking.', tool_calls: [{ id: 'a', function: { name: 'ls', arguments: '{}' } }] },
      ],
      after: [answer('Looking.'), call('a', { name: 'ls' }), closed('a')],
    }),
  ],
  'content-unreadable': () => [
    show('calls beside the content, as in a chat', {
      before: [user('read a'), chat(null, 'c1'), told('c1'), chat('Again.', 'c2', 'c3'), told('c2'), told('c3')],
      after: [
        user('read a'),
        call('c1'),
        output('c1'),
        answer('Again.'),
        call('c2'),
        call('c3'),
        output('c2'),
        output('c3'),
      ],
    }),
    show('discard: calls beside the content are read all the same', {
      options: { policy: 'discard' },
      before: [
        user('read a'),
        chat([{ type: 'output_text', text: 'Again.' }], 'c1'),
        told('c1'),
        chat(7, 'c2'),
        told('c2'),
      ],
      after: [
        user('read a'),
        answer([{ type: 'output_text', text: 'Again.' }]),
        call('c1'),
        output('c1'),
        answer('7'),
        call('c2'),
        output('c2'),
      ],
    }),
    show('content that is an object', { before: [user({ text: 'hi' })], after: [user('hi')] }),
    show('one piece without a list around it', {
      before: [user({ type: 'input_text', text: 'hi' })],
      after: [user([{ type: 'input_text', text: 'hi' }])],
    }),
  ],
  'part-unreadable': () => [
    show('a piece that lost its type', {
      before: [answer([{ text: 'Hello' }, { type: 'output_text' }])],
      after: [answer([{ type: 'output_text', text: 'Hello' }])],
    }),
  ],
  'lone-surrogate': () => [
    show('a text cut inside an emoji', { before: [user('smile \ud83d')], after: [user('smile \ufffd')] }),
    show('arguments cut inside an emoji', {
      before: [call('c1', { arguments: '{"a":"\ud83d' }), output('c1')],
      after: [call('c1', { arguments: '{"a":"\ufffd' }), output('c1')],
    }),
    show('a key cut inside an emoji', {
      before: [{ ...user('hi'), 'k\ud83d': 1 }],
      after: [{ ...user('hi'), 'k\ufffd': 1 }],
    }),
  ],
  'extra-key': () => [
    show('a phase that models have', { clean: [{ ...answer('Hello'), phase: 'final_answer' }] }),
    show('a phase that no model has', {
      before: [{ ...answer('Hello'), phase: 'thinking' }],
      after: [answer('Hello')],
    }),
  ],
  'empty-message': () => [
    show('an empty text, and an empty list', { clean: [user(''), answer([])] }),
    show('a message without content', { before: [user('hi'), { role: 'assistant' }], after: [user('hi')] }),
  ],
  'call-id-malformed': () => [
    show('an id of 65 characters', { before: pair(LONG), after: pair(SHORT) }),
    show('a call without an id', {
      before: [user('read a'), call(undefined), output('c1')],
      after: [user('read a'), call(UNNAMED), output(UNNAMED)],
    }),
    show('an output for a call that the provider has kept', {
      before: { previous_response_id: 'resp_1', input: [output(LONG)] },
      after: { previous_response_id: 'resp_1', input: [output(SHORT)] },
    }),
  ],
  'call-name-malformed': () => [
    show('a name of 128 characters with a dot', { clean: pair('c1', { name: `fs.${'n'.repeat(125)}` }) }),
    show('stopped before the name', { before: pair('c1', { name: '' }), after: pair('c1', { name: 'unknown_tool' }) }),
    show('a name of 129 characters', {
      before: pair('c1', { name: 'n'.repeat(129) }),
      after: pair('c1', { name: `${'n'.repeat(113)}_${fingerprint('n'.repeat(129))}` }),
    }),
  ],
  'call-input-malformed': () => [
    show('half a text', { clean: pair('c1', { arguments: '{"a' }) }),
    show('arguments that were parsed', {
      before: pair('c1', { arguments: { path: 'a' } }),
      after: pair('c1', { arguments: '{"path":"a"}' }),
    }),
    show('no arguments', { before: pair('c1', { arguments: null }), after: pair('c1', { arguments: '{}' }) }),
    show('a custom tool without input', {
      before: [custom('c1', { input: null }), closed('c1', 'custom_tool_call_output')],
      after: [custom('c1', { input: '' }), closed('c1', 'custom_tool_call_output')],
    }),
  ],
  'duplicate-call-id': () => [
    show('a model that counts its calls from zero', {
      before: [call('c0'), call('c0'), output('c0', 'A'), output('c0', 'B')],
      after: [call('c0'), call('c0_2'), output('c0', 'A'), output('c0_2', 'B')],
    }),
  ],
  'late-result': () => [
    show('the tool answered after the session had been resumed', {
      before: [call('c1'), closed('c1'), user('still there?'), output('c1', 'built')],
      after: [call('c1'), output('c1', 'built'), user('still there?')],
    }),
  ],
  'duplicate-result': () => [
    show('stored twice by a retry', {
      before: [call('c1'), output('c1'), output('c1')],
      after: [call('c1'), output('c1')],
    }),
  ],
  'result-misnamed': () => [
    show('ids rewritten on one side', {
      before: [user('read a'), call('c1'), output('toolu_1')],
      after: [user('read a'), call('c1'), output('c1')],
    }),
    show('an output of the wrong kind', {
      before: [custom('c1'), user('and?'), output('c1')],
      after: [custom('c1'), { ...output('c1'), type: 'custom_tool_call_output' }, user('and?')],
    }),
    show('an output of a kind that has nothing in common with the call', {
      before: [{ type: 'apply_patch_call', call_id: 'c1' }, output('c1')],
      after: [
        { type: 'apply_patch_call', call_id: 'c1' },
        { type: 'apply_patch_call_output', call_id: 'c1', status: 'failed', output: RESULT_TEXTS.unknown },
        user(`${TEXTS.orphan} A`),
      ],
    }),
    show('an output without an id, behind a call of another kind', {
      before: [
        { type: 'shell_call', call_id: 'c1' },
        { type: 'shell_call_output', output: [] },
      ],
      after: [
        { type: 'shell_call', call_id: 'c1' },
        { type: 'shell_call_output', call_id: 'c1', output: [] },
      ],
    }),
  ],
  'result-without-call': () => [
    show('an output of a call that the provider has kept', {
      clean: { previous_response_id: 'resp_1', input: [output('c9')] },
    }),
    show('an output that names no call, on a model that takes it', { model: 'gpt-5.6', clean: [output(undefined)] }),
    show('outputs of calls that are sent as references, as they are unless a function was called', {
      clean: [
        user('ls'),
        { type: 'item_reference', id: 'sh_1' },
        { type: 'item_reference', id: 'ctc_1' },
        { type: 'shell_call_output', call_id: 'c1', output: [] },
        { type: 'custom_tool_call_output', call_id: 'c2', output: 'A' },
      ],
    }),
    show('one output more than there are references', {
      before: [
        { type: 'item_reference', id: 'sh_1' },
        { type: 'shell_call', call_id: 'c1' },
        { type: 'shell_call_output', call_id: 'c1', output: [] },
        { type: 'shell_call_output', call_id: 'c2', output: [] },
        { type: 'apply_patch_call_output', call_id: 'c3', status: 'completed', output: 'A' },
      ],
      after: [
        { type: 'item_reference', id: 'sh_1' },
        { type: 'shell_call', call_id: 'c1' },
        { type: 'shell_call_output', call_id: 'c1', output: [] },
        { type: 'shell_call_output', call_id: 'c2', output: [] },
        user(`${TEXTS.orphan} A`),
      ],
    }),
    show('a function whose call is sent as a reference', {
      before: [user('ls'), { type: 'item_reference', id: 'fc_1' }, output('c1'), answer('One file.')],
      after: [user('ls'), { type: 'item_reference', id: 'fc_1' }, user(`${TEXTS.orphan} A`), answer('One file.')],
    }),
    show('front of the history cut away', {
      before: [output('c9'), answer('One file.')],
      after: [user(`${TEXTS.orphan} A`), answer('One file.')],
    }),
    show('an output that names no call', {
      before: [user('hi'), output(null)],
      after: [user('hi'), user(`${TEXTS.orphan} A`)],
    }),
  ],
  'call-without-result': () => [
    show('outputs far from their calls, in another order', {
      clean: [call('c1'), call('c2'), user('so?'), output('c2'), answer('Wait.'), output('c1')],
    }),
    show('killed between call and output, then the user wrote again', {
      before: [user('list'), call('c1'), user('are you there?')],
      after: [user('list'), call('c1'), closed('c1'), user('are you there?')],
    }),
    show('one of two parallel calls answered', {
      before: [call('c1'), call('c2'), output('c2')],
      after: [call('c1'), call('c2'), output('c2'), closed('c1')],
    }),
    ...OTHER_TOOLS.map(([name, made, answered]) =>
      show(`an open call of the kind ${name}`, { before: [user('go'), made], after: [user('go'), ...answered] }),
    ),
  ],
  'trailing-request': () => [
    show('stopped before the answer, about to write again', {
      options: { policy: 'discard', next: 'user' },
      before: [user('one'), answer('One.'), user('two')],
      after: [user('one'), answer('One.')],
    }),
  ],
  'no-messages': () => [
    show('goes on from what the provider has kept', { clean: { input: [], conversation: { id: 'conv_1' } } }),
    show('goes on from a prompt', { clean: { input: [], prompt: { id: 'pmpt_1' } } }),
    show('a bare text', { clean: { model: 'gpt-5.6', input: 'hi' } }),
    show('an empty request', { before: { input: [] }, after: { input: [user(TEXTS.resumed)] } }),
    show('an empty text', { before: { input: '' }, after: { input: [user(TEXTS.resumed)] } }),
  ],
};

const asked = (type: string, more: object = {}): object => ({ type, call_id: 'c1', ...more });

/** Tools whose calls are answered in ways of their own. */
const OTHER_TOOLS: readonly (readonly [name: string, made: object, after: readonly object[]])[] = [
  ['custom tool', custom('c1'), [custom('c1'), closed('c1', 'custom_tool_call_output')]],
  [
    'patch',
    asked('apply_patch_call'),
    [asked('apply_patch_call'), asked('apply_patch_call_output', { status: 'failed', output: RESULT_TEXTS.unknown })],
  ],
  [
    'shell',
    asked('shell_call'),
    [
      asked('shell_call'),
      asked('shell_call_output', {
        output: [{ stdout: '', stderr: RESULT_TEXTS.unknown, outcome: { type: 'timeout' } }],
      }),
    ],
  ],
  [
    'local shell',
    asked('local_shell_call'),
    [asked('local_shell_call'), { type: 'local_shell_call_output', id: 'c1', output: RESULT_TEXTS.unknown }],
  ],
  [
    'local shell under a strange id',
    { ...asked('local_shell_call'), call_id: 'c.1' },
    [
      { ...asked('local_shell_call'), call_id: 'c.1' },
      { type: 'local_shell_call_output', call_id: 'c.1', output: RESULT_TEXTS.unknown },
    ],
  ],
  [
    'search for tools',
    asked('tool_search_call'),
    [asked('tool_search_call'), asked('tool_search_output', { execution: 'client', status: 'incomplete', tools: [] })],
  ],
  [
    'computer',
    asked('computer_call', { action: { type: 'screenshot' } }),
    [answer('[computer_call] {"type":"computer_call","call_id":"c1","action":{"type":"screenshot"}}')],
  ],
];

/** Examples of one rule in the items of the OpenAI Responses API. */
export function itemExamples(rule: string): readonly Example[] {
  return [SHARED[rule], ITEM_EXAMPLES[rule]].flatMap((make) => make?.() ?? []);
}
