import { fingerprint } from '../../model/call-id.ts';
import type { Example } from '../../model/rule.ts';
import { RESULT_TEXTS, TEXTS } from '../../model/synthetic.ts';
import { UNNAMED } from '../remedies/place.ts';
import { AGENT_PAIRS } from './openai-agents-pairs.ts';
import {
  answer,
  call,
  closed,
  output,
  part,
  quote,
  said,
  tell,
  thought,
  user,
  type Item,
  type Told,
} from './openai-agents-speech.ts';

const PICTURE = { type: 'input_image', image: 'https://example.com/1.png' };
const LONG = `call_${'0'.repeat(60)}`;
const SHORT = `call_${'0'.repeat(44)}_${fingerprint(LONG)}`;
const NAMELESS = `call_0_0_${fingerprint('call 0.0')}`;

/** An answer and a result as a chat has them. */
const chat = (said: unknown, id: string): object => ({
  role: 'assistant',
  content: said,
  tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{}' } }],
});
const told = (id: string): object => ({ role: 'tool', tool_call_id: id, content: 'A' });

const content = (): Readonly<Record<string, readonly Told[]>> => ({
  'value-unserialisable': [
    { name: 'a big integer beside a text', before: [user('hi', { at: 10n })], after: [user('hi', { at: '10' })] },
  ],
  'message-unreadable': [
    {
      name: 'a bare text among the items',
      before: [user('hi'), 'the build is red'],
      after: [user('hi'), user(`${TEXTS.unreadable} the build is red`)],
    },
  ],
  'role-foreign': [
    {
      name: 'an output in the spelling of the API, and a message of a chat',
      before: [
        call('c1'),
        { type: 'function_call_output', call_id: 'c1', output: 'A' },
        { role: 'ai', content: 'Done.' },
        { role: 'developer', content: 'Be brief.' },
      ],
      after: [call('c1'), output('c1'), answer('Done.'), { role: 'system', content: 'Be brief.' }],
    },
    {
      name: 'calls beside other content',
      before: [
        { role: 'ai', content: 'Looking.', tool_calls: [{ id: 'a', function: { name: 'ls', arguments: '{}' } }] },
      ],
      after: [
        answer('Looking.'),
        call('a', { name: 'ls' }),
        output('a', RESULT_TEXTS.unknown, { name: 'ls', status: 'incomplete' }),
      ],
    },
  ],
  'content-unreadable': [
    {
      name: 'calls beside the content, as in a chat',
      before: [chat(null, 'c1'), told('c1'), chat('Again.', 'c2'), told('c2'), chat([part('Once more.')], 'c3')],
      after: [
        call('c1'),
        output('c1'),
        { role: 'assistant', content: [part('Again.')] },
        call('c2'),
        output('c2'),
        { role: 'assistant', content: [part('Once more.')] },
        call('c3'),
        closed('c3'),
      ],
    },
    {
      name: 'an answer that is a bare text, a number, and one piece alone',
      before: [
        { type: 'message', role: 'assistant', content: 'Hello' },
        user(7),
        user(part('hi', 'input_text')),
        { role: 'system', content: ['Be', 'brief.'] },
      ],
      after: [
        { type: 'message', role: 'assistant', content: [part('Hello')] },
        user([part('7', 'input_text')]),
        user([part('hi', 'input_text')]),
        { role: 'system', content: 'Be\nbrief.' },
      ],
    },
    {
      name: 'nothing said, and reasoning in the spelling of the API',
      before: [
        user(null),
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'A greeting.' }] },
        said('msg_1'),
      ],
      after: [
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'A greeting.' }],
          content: [part('A greeting.', 'input_text')],
        },
        said('msg_1'),
      ],
    },
  ],
  'part-unreadable': [
    { name: 'a piece that lost its type', before: [user([{ text: 'hi' }])], after: [user([part('hi', 'input_text')])] },
  ],
  'part-mistagged': [
    {
      name: 'texts with the type of the other side',
      before: [user([part('hi')]), answer(part('Hello', 'input_text'), { type: 'refusal', refusal: 'No.' })],
      after: [user([part('hi', 'input_text')]), answer('Hello', { type: 'refusal', refusal: 'No.' })],
    },
    {
      name: 'pictures and files in the keys of the APIs',
      before: [
        user([
          { type: 'input_image', image_url: 'https://example.com/1.png' },
          { type: 'image_url', image_url: { url: 'https://example.com/1.png' } },
          { type: 'image', image: 'https://example.com/1.png' },
          { type: 'input_file', file_id: 'file_1' },
          { type: 'input_file', file_url: 'https://example.com/a.pdf' },
          { type: 'file', file: { file_data: 'data:text/plain;base64,QQ==', filename: 'a.txt' } },
          { type: 'input_file', file: 'file-1' },
          { type: 'input_file', file: 'example.com/a.pdf' },
        ]),
      ],
      after: [
        user([
          PICTURE,
          PICTURE,
          PICTURE,
          { type: 'input_file', file: { id: 'file_1' } },
          { type: 'input_file', file: { url: 'https://example.com/a.pdf' } },
          { filename: 'a.txt', type: 'input_file', file: 'data:text/plain;base64,QQ==' },
          { type: 'input_file', file: { id: 'file-1' } },
          { type: 'input_file', file: { url: 'example.com/a.pdf' } },
        ]),
      ],
    },
    {
      name: 'a picture that is nowhere, and one in an answer',
      before: [user([{ type: 'input_image' }]), answer('Here.', PICTURE)],
      after: [user([part('{"type":"input_image"}', 'input_text')]), answer('Here.'), user([PICTURE])],
    },
  ],
  'lone-surrogate': [
    { name: 'a text cut inside an emoji', before: [user('smile \ud83d')], after: [user('smile \ufffd')] },
  ],
  'extra-key': [
    { name: 'a phase that models have', clean: [{ ...answer('Hello'), phase: 'commentary' }] },
    { name: 'a phase that no model has', before: [{ ...answer('Hello'), phase: 'soon' }], after: [answer('Hello')] },
  ],
  'empty-message': [
    { name: 'an empty text', clean: [user('')] },
    { name: 'a message without a piece', before: [user('hi'), answer(), user([])], after: [user('hi')] },
  ],
});

const items = (): Readonly<Record<string, readonly Told[]>> => ({
  'item-id-malformed': [
    {
      name: 'ids that stand in for ids, as often as they like',
      clean: [user('hi'), said('FAKE_ID'), user('and?'), said('FAKE_ID'), call('c1', { id: 'FAKE_ID' }), output('c1')],
    },
    {
      name: 'the id of a call in the place of its own, and that of a chat',
      before: [call('c1', { id: 'c1' }), output('c1'), said('chatcmpl-1')],
      after: [call('c1'), output('c1'), answer('Hello')],
    },
    {
      name: 'reasoning of another provider',
      before: [user('hi'), thought('think-1'), said('msg_1')],
      after: [user('hi'), answer(`${TEXTS.reasoning}\nA greeting.`), answer('Hello')],
    },
  ],
  'item-id-again': [
    {
      name: 'two parts of one answer stored as two',
      before: [user('hi'), said('msg_1'), said('msg_1')],
      after: [user('hi'), said('msg_1'), answer('Hello')],
    },
  ],
  'item-incomplete': [
    {
      name: 'what the framework can give back',
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
    ...LOST.map(([name, item]): Told => ({ name, before: [user('go'), item], after: [user('go'), quote(item)] })),
  ],
  'call-id-malformed': [
    {
      name: 'an id of 65 characters, and ids in the spelling of the API',
      before: [
        call(LONG),
        output(LONG),
        { ...call(undefined), call_id: 'c2' },
        { ...output(undefined), call_id: 'c2' },
      ],
      after: [call(SHORT), output(SHORT), { ...call('c2'), call_id: 'c2' }, { ...output('c2'), call_id: 'c2' }],
    },
    {
      name: 'a call without an id',
      before: [call(undefined), output('c1')],
      after: [call(NAMELESS), output(NAMELESS)],
    },
  ],
  'call-name-malformed': [
    {
      name: 'stopped before the name',
      before: [call('c1', { name: '' }), output('c1')],
      after: [call('c1', { name: UNNAMED }), output('c1')],
    },
  ],
  'call-input-malformed': [
    {
      name: 'arguments that were parsed',
      before: [call('c1', { arguments: { path: 'a' } }), output('c1')],
      after: [call('c1', { arguments: '{"path":"a"}' }), output('c1')],
    },
  ],
  'trailing-request': [
    {
      name: 'stopped before the answer, about to write again',
      options: { policy: 'discard', next: 'user' },
      before: [user('one'), answer('One.'), user('two')],
      after: [user('one'), answer('One.')],
    },
  ],
  'no-messages': [
    { name: 'a bare text', clean: { input: 'hi' } },
    { name: 'an empty request', before: { input: [] }, after: { input: [user(TEXTS.resumed)] } },
  ],
  'reasoning-unfollowed': [
    {
      name: 'a call that was stored without its id',
      clean: [user('hi'), thought('rs_1'), call('c1'), output('c1')],
    },
    {
      name: 'stopped between the reasoning and the answer',
      before: [user('hi'), thought('rs_1'), user('are you there?')],
      after: [user('hi'), answer(`${TEXTS.reasoning}\nA greeting.`), user('are you there?')],
    },
  ],
});

/** Things that lost what they need, by what they are. */
const LOST: readonly (readonly [name: string, item: Item])[] = [
  ['a compaction that was opened', { type: 'compaction', summary: 'so far' }],
  ['a program without its fingerprint', { type: 'program', callId: 'p1', code: '1' }],
  ['the output of a program that is gone', { type: 'program_output', callId: 'p1', result: 'ok', status: 'completed' }],
  ['a tool of the provider that the framework does not know', { type: 'hosted_tool_call', name: 'sing_call' }],
  ['an unknown thing without its data', { type: 'unknown', providerData: {} }],
  ['a search that found nothing to name', { type: 'tool_search_output', execution: 'server' }],
  ['an order for no command', { type: 'shell_call', callId: 'c1', action: {} }],
  ['a patch that changes nothing', { type: 'apply_patch_call', callId: 'c1' }],
  ['a hand that does nothing', { type: 'computer_call', callId: 'c1', actions: [] }],
];

/** The examples of a rule in items of the OpenAI Agents SDK. */
export function agentExamples(rule: string): Example[] {
  return tell([content(), items(), AGENT_PAIRS()].flatMap((group) => group[rule] ?? []));
}
