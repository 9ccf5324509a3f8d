import { describe, expect, test } from 'vitest';
import { repair } from '../../src/index.ts';
import { SPEAKERS } from '../speakers.ts';

const discard = { policy: 'discard' } as const;

describe('a batch of which some calls have no result goes as a whole', () => {
  const user = { role: 'user', content: 'q' };
  const call = (id: string): object => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' });
  const output = { type: 'function_call_output', call_id: 'b', output: 'x' };
  const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'and' }] };

  test('also where words stand between its calls', () => {
    const { output: list, report } = repair([user, call('a'), said, call('b'), output], 'openai-responses', discard);
    expect(list).toEqual([user, said]);
    expect(report.repairs.map(({ note }) => note)).toEqual([
      'removed the whole batch of 2 calls, of which some have no result',
    ]);
  });

  test('and takes nothing of the step beside it', () => {
    const chat = (id: string): object => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
    const asks = (...ids: string[]): object => ({ role: 'assistant', content: null, tool_calls: ids.map(chat) });
    const told = (id: string): object => ({ role: 'tool', tool_call_id: id, content: id });
    const list = [user, asks('a'), asks('b', 'c'), told('b'), told('a')];
    expect(repair(list, 'openai-chat', discard).output).toEqual([user, asks('a'), told('a')]);
  });

  const ids = Array.from({ length: 20_000 }, (_, i) => `c${String(i)}`);

  // Gone over for each of its open calls, it would take longer than a test may.
  test.for(SPEAKERS)('however long it is: %s', ([, { dialect, user: asks, say, results }]) => {
    const list = [asks('q'), say('t', ...ids), ...results(...ids.filter((_, i) => i % 2 === 0)), say('k'), asks('n')];
    expect(repair(list, dialect, discard).output).toEqual([asks('q'), say('t'), say('k'), asks('n')]);
  });

  test('however long it is, where calls carry their results', () => {
    const asked = { id: '1', role: 'user', parts: [{ type: 'text', text: 'q' }] };
    const told = { state: 'output-available', output: 'x' };
    const parts = ids.map((toolCallId, i) => ({
      type: 'tool-f',
      toolCallId,
      input: {},
      ...(i % 2 === 0 ? told : { state: 'input-available' }),
    }));
    const words = { type: 'text', text: 't' };
    const list = [asked, { id: '2', role: 'assistant', parts: [words, ...parts] }, { ...asked, id: '3' }];
    const whole = [asked, { id: '2', role: 'assistant', parts: [words] }, { ...asked, id: '3' }];
    expect(repair(list, 'ai-sdk-ui', discard).output).toEqual(whole);
  });
});
