import type { Example } from '../../model/rule.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { answer, call, closed, output, pair, said, show, thought, user } from './openai-responses-speech.ts';

const reference = (id?: string): object => ({ type: 'item_reference', ...(id === undefined ? {} : { id }) });
const GREETING = `${TEXTS.reasoning}\nA greeting.`;
const program = (more: object = {}): object => ({ type: 'program', id: 'cm_1', call_id: 'p1', code: '1', ...more });
const printed = (id?: string): object => ({
  type: 'program_output',
  ...(id === undefined ? {} : { call_id: id }),
  result: 'ok',
});
const PRINTED = '[program_output] {"type":"program_output","call_id":"p1","result":"ok"}';
const SOUND = { type: 'input_file', filename: 'a.mp3', file_data: 'data:audio/mpeg;base64,SUQz' };
const SOUND_NAMED = '[a.mp3: a file of type audio/mpeg cannot be sent]';
const PICTURE = { type: 'input_image', image_url: 'https://example.com/1.png' };
const shell = (): object => ({
  type: 'local_shell_call',
  call_id: 'c1',
  action: { type: 'exec', command: ['ls'], env: {} },
});
const listed = (key: string, output: string): object => ({ type: 'local_shell_call_output', [key]: 'c1', output });
const text = (said: string, type = 'input_text'): object => ({ type, text: said });

/** One history, or a few, for every rule that only this dialect has. */
export const ITEM_EXAMPLES: Readonly<Record<string, () => readonly Example[]>> = {
  'item-id-malformed': () => [
    show('ids as the provider gives them, and none', {
      clean: [user('hi'), said('msg_1'), user('read a'), ...pair('c1')],
    }),
    show('the id of a call in the place of its own', {
      before: [user('read a'), call('call_1', { id: 'call_1' }), output('call_1')],
      after: pair('call_1'),
    }),
    show('an id of a store', {
      before: [user('hi'), { ...answer('Hello'), id: 'msg:1' }, { ...answer('And?'), id: 7 }],
      after: [user('hi'), answer('Hello'), answer('And?')],
    }),
    show('an id of 65 characters', {
      before: [{ ...answer('Hello'), id: `msg_${'x'.repeat(61)}` }],
      after: [answer('Hello')],
    }),
    show('reasoning of another provider, and a reference to nowhere', {
      before: [user('hi'), thought('think-1'), said('msg_1'), reference('a b')],
      after: [user('hi'), answer(GREETING), { type: 'message', role: 'assistant', content: 'Hello' }],
    }),
  ],
  'item-id-again': () => [
    show('two parts of one answer stored as two', {
      before: [user('hi'), said('msg_1'), said('msg_1')],
      after: [user('hi'), said('msg_1'), { type: 'message', role: 'assistant', content: 'Hello' }],
    }),
    show('references to one thing', {
      before: { model: 'gpt-5.6', input: [reference('msg_1'), { id: 'msg_1' }, user('and?')] },
      after: { model: 'gpt-5.6', input: [reference('msg_1'), user('and?')] },
    }),
    show('a response stored twice', {
      before: [user('hi'), thought('rs_1'), said('msg_1'), thought('rs_1'), said('msg_2')],
      after: [user('hi'), thought('rs_1'), said('msg_1'), said('msg_2')],
    }),
    show('other reasoning under the same id', {
      before: [user('hi'), thought('rs_1'), said('msg_1'), thought('rs_1', 'A farewell.'), said('msg_2')],
      after: [
        user('hi'),
        thought('rs_1'),
        said('msg_1'),
        answer(`${TEXTS.reasoning}\nA farewell.`),
        { type: 'message', role: 'assistant', content: 'Hello' },
      ],
    }),
    show('outputs of a local shell whose calls share an id', {
      before: [
        user('go'),
        shell(),
        listed('id', 'a.txt'),
        user('and?'),
        shell(),
        { ...listed('id', 'b.txt'), call_id: null },
      ],
      after: [user('go'), shell(), listed('id', 'a.txt'), user('and?'), shell(), listed('call_id', 'b.txt')],
    }),
  ],
  'item-incomplete': () => [
    show('a compaction as it came', { clean: [{ type: 'compaction', encrypted_content: 'gAAA' }, user('hi')] }),
    show('a compaction that was opened', {
      before: [{ type: 'compaction', summary: 'so far' }, user('hi')],
      after: [answer('[compaction] {"type":"compaction","summary":"so far"}'), user('hi')],
    }),
    show('a program whose reasoning is gone', {
      before: [user('go'), program({ fingerprint: 'f' })],
      after: [
        user('go'),
        answer('[program] {"type":"program","id":"cm_1","call_id":"p1","code":"1","fingerprint":"f"}'),
      ],
    }),
    show('a program without an id', {
      before: [user('go'), { type: 'program', call_id: 'p1', code: '1', fingerprint: 'f' }],
      after: [user('go'), answer('[program] {"type":"program","call_id":"p1","code":"1","fingerprint":"f"}')],
    }),
    show('a program without its fingerprint', {
      before: [user('go'), thought('rs_1'), program()],
      after: [
        user('go'),
        answer(GREETING),
        answer('[program] {"type":"program","id":"cm_1","call_id":"p1","code":"1"}'),
      ],
    }),
    show('a program with its output', {
      clean: [user('go'), thought('rs_1'), program({ fingerprint: 'f' }), printed('p1'), user('and?')],
    }),
    show('the output of a program that the provider has kept', {
      clean: { previous_response_id: 'resp_1', input: [printed('p1')] },
    }),
    show('the output of a program that may be what a reference refers to', {
      clean: [reference('cm_1'), printed('p1'), user('and?')],
    }),
    show('a program without its fingerprint, and its output', {
      before: [user('go'), program(), printed('p1'), user('and?')],
      after: [
        user('go'),
        answer('[program] {"type":"program","id":"cm_1","call_id":"p1","code":"1"}'),
        answer(PRINTED),
        user('and?'),
      ],
    }),
    show('the output of a program that is gone', {
      before: [user('go'), printed('p1'), printed()],
      after: [user('go'), answer(PRINTED), answer('[program_output] {"type":"program_output","result":"ok"}')],
    }),
    show('a reference to nothing', { before: [user('hi'), reference()], after: [user('hi')] }),
    show('a search of the provider with a call id that nobody takes', {
      before: [user('hi'), { type: 'tool_search_call', call_id: 'x'.repeat(65), execution: 'server', arguments: {} }],
      after: [user('hi'), { type: 'tool_search_call', execution: 'server', arguments: {} }],
    }),
  ],
  'item-lost': () => [
    show('a reference where things are kept', {
      clean: { model: 'gpt-5.6', input: [reference('msg_1'), user('and?')] },
    }),
    show('a reference where nothing is kept', {
      before: { model: 'gpt-5.6', store: false, input: [reference('msg_1'), user('and?')] },
      after: { model: 'gpt-5.6', store: false, input: [user('and?')] },
    }),
    show('reasoning without its sealed content where nothing is kept', {
      before: {
        store: false,
        input: [user('hi'), thought('rs_1', 'A greeting.', { encrypted_content: null }), said('msg_1')],
      },
      after: {
        store: false,
        input: [user('hi'), answer(GREETING), { type: 'message', role: 'assistant', content: 'Hello' }],
      },
    }),
    show('calls that came of reasoning which is not kept', {
      before: {
        store: false,
        input: [
          user('hi'),
          { type: 'reasoning', id: 'rs_2', summary: [] },
          call('c1', { id: 'fc_1' }),
          output('c1'),
          thought('rs_3'),
          call('c2', { id: 'fc_2' }),
          output('c2'),
        ],
      },
      after: {
        store: false,
        input: [user('hi'), call('c1'), output('c1'), thought('rs_3'), call('c2', { id: 'fc_2' }), output('c2')],
      },
    }),
  ],
  'reasoning-unfollowed': () => [
    show('reasoning before what came of it', {
      clean: [user('hi'), thought('rs_1'), said('msg_1'), thought('rs_2'), call('c1', { id: 'fc_1' }), output('c1')],
    }),
    show('reasoning that the provider does not know', {
      clean: [user('hi'), { type: 'reasoning', summary: [] }, answer('Hello')],
    }),
    show('sealed reasoning and its answer, where the provider keeps neither', {
      clean: { store: false, input: [user('hi'), thought('rs_1'), answer('Hello')] },
    }),
    show('stopped after the reasoning', {
      before: [user('hi'), thought('rs_1'), thought('rs_2', '')],
      after: [user('hi'), answer(GREETING)],
    }),
    show('a reference to reasoning that nothing follows', {
      before: [user('hi'), reference('rs_1'), user('and?')],
      after: [user('hi'), user('and?')],
    }),
    show('before an answer that was rewritten and lost its id', {
      before: [user('hi'), thought('rs_1', ''), answer('Hello'), user('and?')],
      after: [user('hi'), answer('Hello'), user('and?')],
    }),
  ],
  'reasoning-malformed': () => [
    show('reasoning of an open model', {
      model: 'openai/gpt-oss-20b',
      clean: [thought('rs_1', '', { content: [text('So.', 'reasoning_text')] }), said('msg_1')],
    }),
    show('reasoning with its text', {
      before: [
        { type: 'reasoning', id: 'rs_1', summary: [], content: [text('A greeting.', 'reasoning_text')] },
        said('msg_1'),
      ],
      after: [{ type: 'reasoning', id: 'rs_1', summary: [text('A greeting.', 'summary_text')] }, said('msg_1')],
    }),
    show('text beside sealed reasoning', {
      before: [thought('rs_1', '', { content: [text('A greeting.', 'reasoning_text')] }), said('msg_1')],
      after: [thought('rs_1', ''), said('msg_1')],
    }),
    show('a summary that is a text, and a seal that is none', {
      before: [{ type: 'reasoning', id: 'rs_1', summary: 'A greeting.', encrypted_content: 7 }, said('msg_1')],
      after: [{ type: 'reasoning', id: 'rs_1', summary: [text('A greeting.', 'summary_text')] }, said('msg_1')],
    }),
    show('reasoning of an open model without a summary', {
      model: 'gpt-oss-20b',
      before: [{ type: 'reasoning', id: 'rs_1', content: [text('So.', 'reasoning_text')] }, said('msg_1')],
      after: [{ type: 'reasoning', id: 'rs_1', content: [text('So.', 'reasoning_text')], summary: [] }, said('msg_1')],
    }),
  ],
  'part-mistagged': () => [
    show('types that came later', { clean: [user([{ type: 'input_text', text: 'hi', beam: 'blue' }])] }),
    show('texts with the type of the other side', {
      before: [user([text('hi', 'output_text')]), answer([text('Hello'), { type: 'refusal', refusal: 'No.' }])],
      after: [user([text('hi')]), answer([text('Hello', 'output_text'), { type: 'refusal', refusal: 'No.' }])],
    }),
    show('pictures and files of other APIs', {
      before: [
        user([
          { type: 'image_url', image_url: { url: 'https://example.com/1.png' } },
          { type: 'image_url', image_url: 'https://example.com/1.png' },
          { type: 'image', source: { type: 'url', url: 'https://example.com/1.png' } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'file', file: { file_id: 'file_1' } },
        ]),
      ],
      after: [
        user([
          PICTURE,
          PICTURE,
          PICTURE,
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
          { type: 'input_file', file_id: 'file_1' },
        ]),
      ],
    }),
    show('what has no type here', {
      before: [
        user([
          { type: 'image_url', image_url: 7 },
          { type: 'image', source: { type: 'base64' } },
          { type: 'refusal', refusal: 'No.' },
        ]),
        answer([{ type: 'hologram', beam: 'blue' }]),
      ],
      after: [
        user([
          text('{"type":"image_url","image_url":7}'),
          text('{"type":"image","source":{"type":"base64"}}'),
          text('No.'),
        ]),
        answer([text('{"type":"hologram","beam":"blue"}', 'output_text')]),
      ],
    }),
    show('a picture in an answer', {
      before: [answer([text('Here.', 'output_text'), PICTURE])],
      after: [answer([text('Here.', 'output_text')]), user([PICTURE])],
    }),
    show('sounds sent as files', {
      before: [user([SOUND, { type: 'input_file', file_data: SOUND.file_data }])],
      after: [user([text(SOUND_NAMED), text('[file: a file of type audio/mpeg cannot be sent]')])],
    }),
  ],
  'output-malformed': () => [
    show('a text, and a list of pieces', { clean: [call('c1'), output('c1', [text('A'), PICTURE])] }),
    show('a tool that returned nothing', {
      before: [call('c1'), output('c1', null)],
      after: [call('c1'), output('c1', '')],
    }),
    show('values that are no text', {
      before: [call('c1'), output('c1', { a: 1 }), call('c2'), output('c2', { type: 'text', text: 'A' })],
      after: [call('c1'), output('c1', '{"a":1}'), call('c2'), output('c2', [text('A')])],
    }),
    show('pieces of another API', {
      before: [call('c1'), output('c1', ['A', null, text('B', 'text'), PICTURE, { type: 'input_text', text: 7 }])],
      after: [
        call('c1'),
        output('c1', [text('A'), text(''), text('B'), PICTURE, text('{"type":"input_text","text":7}')]),
      ],
    }),
    show('a sound sent as a file', {
      before: [call('c1'), output('c1', [text('Listen:'), SOUND])],
      after: [call('c1'), output('c1', [text('Listen:'), text(SOUND_NAMED)])],
    }),
  ],
  'trigger-not-last': () => [
    show('a wish at the end', { clean: [user('hi'), { type: 'compaction_trigger' }] }),
    show('a wish that was stored', {
      before: [user('hi'), { type: 'compaction_trigger' }, user('more')],
      after: [user('hi'), user('more')],
    }),
  ],
  'call-answered-by-another': () => [
    show('an id used again for another pair', { clean: [call('c1'), output('c1'), call('c1'), output('c1', 'B')] }),
    show('an id used again, and interrupted', {
      before: [call('c1'), output('c1'), user('again'), call('c1'), user('are you there?')],
      after: [call('c1'), output('c1'), user('again'), call('c1'), closed('c1'), user('are you there?')],
    }),
    show('interrupted, and the id used again', {
      before: [call('c1'), user('again'), call('c1'), output('c1')],
      after: [call('c1'), closed('c1'), user('again'), call('c1'), output('c1')],
    }),
  ],
  'result-before-call': () => [
    show('written down in the wrong order', {
      before: [user('read a'), output('c1'), call('c1'), answer('Done.')],
      after: [user('read a'), call('c1'), answer('Done.'), output('c1')],
    }),
    show('written down in the wrong order, around an answer', {
      before: [user('read a'), output('c1'), answer('Reading.'), call('c1')],
      after: [user('read a'), answer('Reading.'), call('c1'), output('c1')],
    }),
    show('the call was cut away, and its id used again', {
      before: [output('c1'), user('and b'), call('c1'), output('c1', 'B')],
      after: [user(`${TEXTS.orphan} A`), user('and b'), call('c1'), output('c1', 'B')],
    }),
    show('the call was cut away, and its id used again for a call that was interrupted', {
      before: [output('c1'), user('and b'), call('c1')],
      after: [user(`${TEXTS.orphan} A`), user('and b'), call('c1'), closed('c1')],
    }),
  ],
};
