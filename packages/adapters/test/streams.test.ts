import { describe, expect, test } from 'vitest';

import { createAccumulator, settle, type Accumulator } from '../src/loop.ts';

/** Takes events one after the other. */
const after = <M>(accumulator: Accumulator<M>, ...events: unknown[]): Accumulator<M> => {
  for (const event of events) accumulator.push(event);
  return accumulator;
};

describe.each(['anthropic-messages', 'openai-chat', 'gemini'] as const)('a stream of %s', (dialect) => {
  test('that has not begun, or holds what no provider sends, has nothing to store', () => {
    const strange = [undefined, null, 7, 'data', [], {}, { type: 'ping' }, { choices: 1 }, { candidates: [null] }];
    const accumulator = after(createAccumulator(dialect), ...strange, { choices: [{ delta: null }] });
    expect(accumulator.message()).toBeUndefined();
    expect([accumulator.unfinished(), accumulator.complete]).toEqual([[], false]);
  });
});

describe('Anthropic messages', () => {
  const begin = (index: number, content_block: object): object => ({
    type: 'content_block_start',
    index,
    content_block,
  });
  const delta = (index: number, delta: object): object => ({ type: 'content_block_delta', index, delta });
  const stop = (index: number): object => ({ type: 'content_block_stop', index });
  const stopped = (stop_reason: string): object => ({ type: 'message_delta', delta: { stop_reason } });
  const call = begin(0, { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} });
  const json = (partial_json: string): object => delta(0, { type: 'input_json_delta', partial_json });
  const half = { type: 'tool_use', id: 'toolu_1', name: 'read', input: '{"path":"a' };
  const accumulator = (): Accumulator => createAccumulator('anthropic-messages');

  test('a half call is not stored, and can be seen', () => {
    const stream = after(accumulator(), call, json('{"path":'), json('"a'));
    expect([stream.message(), stream.unfinished()]).toEqual([undefined, [half]]);
  });

  test('a call that the limit of tokens has cut off is half, although its block was closed', () => {
    const stream = after(accumulator(), call, json('{"path":"a'), stop(0), stopped('max_tokens'));
    expect([stream.message(), stream.unfinished()]).toEqual([undefined, [half]]);
  });

  test('a call whose input is no JSON by the model’s own will is kept, and settled', () => {
    const stream = after(accumulator(), call, json('{"path":"a'), stop(0), stopped('tool_use'));
    expect(stream.message()).toEqual({ role: 'assistant', content: [half] });
    const { report } = settle([{ role: 'user', content: 'hi' }, stream.message()]);
    expect(report.findings.map(({ rule }) => rule)).toContain('call-input-malformed');
  });

  test('a call without input is whole when its block is closed', () => {
    const stream = after(accumulator(), call);
    expect(stream.message()).toBeUndefined();
    after(stream, stop(0));
    expect(stream.message()).toEqual({
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }],
    });
  });

  test('a partial message has all that was shown, and no half call that could be taken for one that may run', () => {
    const words = [begin(1, { type: 'text', text: '' }), delta(1, { type: 'text_delta', text: 'Reading.' })];
    const said = { type: 'text', text: 'Reading.' };
    const cut = after(accumulator(), call, json('{"path":"a'), ...words);
    expect(cut.partial()).toEqual({ role: 'assistant', content: [half, said] });
    const unclosed = after(accumulator(), call, json('{}'), ...words);
    expect(unclosed.partial()?.['content']).toEqual([{ ...half, input: '{}' }, said]);
    expect(after(accumulator(), call).partial()?.['content']).toEqual([{ ...half, input: '' }]);
    expect(after(accumulator(), call, json('{}'), stop(0)).partial()?.['content']).toEqual([{ ...half, input: {} }]);
    expect(accumulator().partial()).toBeUndefined();
  });

  test('citations are collected, and a delta of a new kind is added by its fields', () => {
    const stream = after(
      accumulator(),
      begin(0, { type: 'text', text: '', citations: null }),
      delta(0, { type: 'text_delta', text: 'It says ' }),
      delta(0, { type: 'citations_delta', citation: { cited_text: 'a' } }),
      delta(0, { type: 'citations_delta', citation: { cited_text: 'b' } }),
      delta(0, { type: 'text_delta', text: 'hello.' }),
      begin(1, { type: 'compaction', content: null }),
      delta(1, { type: 'compaction_delta', content: 'Once upon' }),
      delta(1, { type: 'compaction_delta', content: ' a time', rank: 1 }),
      delta(7, { type: 'text_delta', text: 'nowhere' }),
      stop(1),
    );
    expect(stream.message()?.['content']).toEqual([
      { type: 'text', text: 'It says hello.', citations: [{ cited_text: 'a' }, { cited_text: 'b' }] },
      { type: 'compaction', content: 'Once upon a time', rank: 1 },
    ]);
  });

  test('what was given out does not change with what comes later', () => {
    const stream = after(accumulator(), begin(0, { type: 'text', text: 'a' }));
    const first = stream.message();
    after(stream, delta(0, { type: 'text_delta', text: 'b' }));
    expect([first, stream.message()]).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'ab' }] },
    ]);
  });
});

describe('OpenAI chat', () => {
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  const calling = (index: number | undefined, call: object): object =>
    chunk({ tool_calls: [{ ...(index !== undefined && { index }), ...call }] });
  const accumulator = (): Accumulator => createAccumulator('openai-chat');

  test('calls are put together by their index; a half one is left out', () => {
    const stream = after(
      accumulator(),
      chunk({ role: 'assistant', content: null }),
      calling(0, { id: 'call_1', type: 'function', function: { name: 'read', arguments: '' } }),
      calling(0, { function: { arguments: '{"path":' } }),
      calling(1, { id: 'call_2', function: { name: 'read', arguments: '{"pa' } }),
      calling(0, { id: '', function: { name: 'read', arguments: '"a"}' } }),
      { choices: [], usage: {} },
    );
    const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } };
    expect(stream.message()).toEqual({ role: 'assistant', content: null, tool_calls: [call] });
    expect(stream.unfinished()).toMatchObject([{ id: 'call_2', function: { arguments: '{"pa' } }]);
    expect(stream.partial()?.['tool_calls']).toMatchObject([call, { id: 'call_2', function: { arguments: '{"pa' } }]);
  });

  test('a call without a name or an id is half, also at the end', () => {
    const stream = after(accumulator(), calling(undefined, { function: { arguments: '{}' } }), chunk({}, 'tool_calls'));
    expect([stream.complete, stream.message(), stream.unfinished().length]).toEqual([true, undefined, 1]);
    expect(stream.partial()).toBeUndefined();
  });

  test.each([
    ['tool_calls', 1],
    ['length', 0],
  ])('arguments that are no JSON are kept after %s: %i', (finish, kept) => {
    const call = { id: 'call_1', function: { name: 'read', arguments: '{"pa' } };
    const stream = after(accumulator(), chunk({ content: 'a' }), calling(0, call), chunk({}, finish));
    expect(stream.message()?.['tool_calls'] ?? []).toHaveLength(kept);
  });

  test('custom calls, refusals, reasoning and lists of other hosts grow too', () => {
    const stream = after(
      accumulator(),
      chunk({ reasoning_content: 'Only the ', reasoning_details: [{ text: 'a' }] }),
      chunk({ reasoning_content: 'file.', reasoning_details: [{ text: 'b' }], extra: { a: 1 } }),
      chunk({ refusal: 'I ' }),
      chunk({ refusal: 'cannot.', function_call: { name: 'read', arguments: '{' } }),
      chunk({ function_call: { arguments: '}' } }),
      calling(0, { id: 'call_1', type: 'custom', custom: { name: 'write', input: 'on' } }),
      calling(0, { custom: { input: 'ce' } }),
      chunk({}, 'stop'),
    );
    expect(stream.message()).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: 'Only the file.',
      reasoning_details: [{ text: 'a' }, { text: 'b' }],
      extra: { a: 1 },
      refusal: 'I cannot.',
      function_call: { name: 'read', arguments: '{}' },
      tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'write', input: 'once' } }],
    });
  });

  test('a host that gives every call the same index loses none of them', () => {
    const called = (id: string, path: string): object => ({
      id,
      type: 'function',
      function: { name: 'read', arguments: `{"path":"${path}"}` },
    });
    const stream = after(
      accumulator(),
      calling(0, called('call_1', 'a')),
      calling(0, called('call_2', 'b')),
      calling(undefined, { id: 'call_3', function: { name: 'read', arguments: '{"path"' } }),
      calling(undefined, { id: 'call_3', function: { name: 'read', arguments: ':"c"}' } }),
      chunk({}, 'tool_calls'),
    );
    const calls = [called('call_1', 'a'), called('call_2', 'b'), called('call_3', 'c')];
    expect(stream.message()?.['tool_calls']).toEqual(calls);
  });

  test('an id that changes in the middle of a call makes no other call of it', () => {
    const stream = after(
      accumulator(),
      calling(0, { id: 'call_1', function: { name: 'read', arguments: '{"path":' } }),
      calling(0, { id: 'call_2', function: { name: 'read', arguments: '"a"}' } }),
    );
    expect(stream.message()?.['tool_calls']).toMatchObject([{ function: { arguments: '{"path":"a"}' } }]);
  });

  test('spoken answers keep the id by which they are sent again', () => {
    const stream = after(
      accumulator(),
      chunk({ role: 'assistant', audio: { id: 'audio_1', transcript: 'It ' } }),
      chunk({ audio: { data: 'UklG', transcript: 'says' } }),
      chunk({ audio: { data: 'Rg==' } }),
      chunk({ audio: { expires_at: 1_700_000_000 } }, 'stop'),
    );
    const audio = { id: 'audio_1', transcript: 'It says', data: 'UklGRg==', expires_at: 1_700_000_000 };
    expect(stream.message()).toEqual({ role: 'assistant', content: '', audio });
  });

  test('content that comes as texts and as lists is kept in its order', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] };
    const stream = after(
      accumulator(),
      chunk({ content: 'So: ' }),
      chunk({ content: [thinking] }),
      chunk({ content: 'It ' }),
      chunk({ content: 'says' }),
    );
    const content = [{ type: 'text', text: 'So: ' }, thinking, { type: 'text', text: 'It says' }];
    expect(stream.message()).toEqual({ role: 'assistant', content });
  });

  test('reasoning alone is worth storing, and of several answers the first counts', () => {
    const second = { choices: [{ index: 1, delta: { content: 'b' } }] };
    const stream = after(accumulator(), second, chunk({ reasoning_content: 'Only' }), second);
    expect(stream.message()).toEqual({ role: 'assistant', content: '', reasoning_content: 'Only' });
  });
});

describe('OpenAI responses', () => {
  const added = (output_index: number, item: object): object => ({
    type: 'response.output_item.added',
    output_index,
    item,
  });
  const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] };
  const accumulator = (): Accumulator<object[]> => createAccumulator('openai-responses');

  test('a half call is left out, and half a text is kept without the id that nobody may know', () => {
    const stream = after(
      accumulator(),
      added(0, message),
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'It ' },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'says' },
      added(1, {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'call_1',
        name: 'read',
        arguments: '',
        status: 'in_progress',
      }),
      { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"pa' },
      { type: 'response.output_text.delta', output_index: 9, content_index: 0, delta: 'nowhere' },
    );
    expect(stream.message()).toEqual([
      { type: 'message', role: 'assistant', status: 'incomplete', content: [{ type: 'output_text', text: 'It says' }] },
    ]);
    const half = { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"pa', status: 'incomplete' };
    expect(stream.unfinished()).toEqual([{ ...half, id: 'fc_1' }]);
    expect(stream.partial()).toEqual([...(stream.message() ?? []), half]);
  });

  test('the input of a custom call grows too, and what is no call and not whole is in no message', () => {
    const stream = after(
      accumulator(),
      added(0, { type: 'custom_tool_call', id: 'ct_1', call_id: 'call_1', name: 'write', input: '' }),
      { type: 'response.custom_tool_call_input.delta', output_index: 0, delta: 'on' },
      { type: 'response.custom_tool_call_input.delta', output_index: 0, delta: 'ce' },
      added(1, { type: 'web_search_call', id: 'ws_1', status: 'in_progress' }),
    );
    expect(stream.partial()).toMatchObject([{ type: 'custom_tool_call', input: 'once' }]);
    expect([stream.message(), stream.unfinished().length]).toEqual([undefined, 2]);
  });

  test('what the provider says at the end is the answer', () => {
    const done = { ...message, status: 'completed', content: [{ type: 'output_text', text: 'It says hello.' }] };
    const half = {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'read',
      arguments: '{"pa',
      status: 'incomplete',
    };
    const stream = after(accumulator(), added(0, message), {
      type: 'response.incomplete',
      response: { output: [done, half] },
    });
    expect([stream.complete, stream.message(), stream.unfinished()]).toEqual([true, [done], [half]]);
    const empty = after(accumulator(), { type: 'response.completed', response: null });
    expect([empty.complete, empty.message()]).toEqual([true, undefined]);
  });

  test('refusals and reasoning in the open grow in their places', () => {
    const stream = after(
      accumulator(),
      added(0, { type: 'reasoning', id: 'rs_1', summary: [] }),
      { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'Only' },
      added(1, message),
      { type: 'response.refusal.delta', output_index: 1, content_index: 0, delta: 'No.' },
      {
        type: 'response.content_part.done',
        output_index: 1,
        content_index: 0,
        part: { type: 'refusal', refusal: 'No!' },
      },
      { type: 'response.unheard-of', output_index: 1 },
    );
    expect(stream.message()).toEqual([
      { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'Only' }] },
      { type: 'message', role: 'assistant', status: 'incomplete', content: [{ type: 'refusal', refusal: 'No!' }] },
    ]);
  });
});

describe('Gemini', () => {
  const chunk = (...parts: object[]): object => ({ candidates: [{ content: { role: 'model', parts } }] });
  const accumulator = (): Accumulator => createAccumulator('gemini');

  test('pieces of one text are joined, and what is signed stays as it came', () => {
    const stream = after(
      accumulator(),
      chunk({ text: 'Only', thought: true }),
      chunk({ text: ' then.', thought: true }),
      chunk({ text: 'It ' }),
      chunk({ text: 'says' }, { text: '' }),
      chunk({ text: '', thoughtSignature: 'abc' }),
      chunk({ functionCall: { name: 'read', args: {} }, thoughtSignature: 'def' }),
    );
    expect(stream.message()).toEqual({
      role: 'model',
      parts: [
        { text: 'Only then.', thought: true },
        { text: 'It says' },
        { text: '', thoughtSignature: 'abc' },
        { functionCall: { name: 'read', args: {} }, thoughtSignature: 'def' },
      ],
    });
  });

  test('a call whose arguments come in pieces is half', () => {
    const stream = after(accumulator(), chunk({ functionCall: { name: 'read', willContinue: true } }));
    expect([stream.message(), stream.partial(), stream.unfinished().length]).toEqual([undefined, undefined, 1]);
  });

  test('an answer without content is no message', () => {
    const stream = after(accumulator(), { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] });
    expect([stream.message(), stream.complete]).toEqual([undefined, true]);
  });
});

describe('settle', () => {
  const open = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
  ];

  test('says of an open call what is known of it', () => {
    const { output, report } = settle(open, { toolu_1: 'aborted' });
    expect(JSON.stringify(output)).toContain('[aborted: this call was stopped by the user.');
    expect([report.verdict, open.length]).toEqual(['repaired', 2]);
    expect(JSON.stringify(settle(open).output)).toContain('[interrupted: no result was recorded for this call.');
  });

  test('takes the target, the policy and what comes next', () => {
    const choices = {
      target: { dialect: 'anthropic-messages', model: 'claude-sonnet-5' },
      policy: 'discard',
      next: 'user',
    } as const;
    expect(settle(open, undefined, choices).output).toEqual([]);
  });

  test('gives back a history in which nothing is open as it is', () => {
    const closed = open.slice(0, 1);
    expect(settle(closed).output).toBe(closed);
  });
});
