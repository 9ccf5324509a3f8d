import { describe, expect, test } from 'vitest';
import type { Dialect } from '../../src/model/dialect.ts';
import { cutsInside } from '../../src/compaction/cuts.ts';
import { outline } from '../../src/compaction/outline.ts';
import { cuts, decode, turns, type History } from '../../src/index.ts';
import { openInput } from '../../src/open-input.ts';
import { aiSdkModel, chat, responses } from '../words.ts';

const { say, user } = chat;

type Wire = object;

describe('places inside a turn', () => {
  const inside = (list: readonly unknown[], dialect: Dialect): number[] => {
    const held = openInput(list, dialect);
    if (held === undefined) throw new Error('the dialect is known');
    return cutsInside(outline(held.list, held));
  };
  const call = (id: string): Wire => responses.call(id);
  const output = (id: string): Wire => responses.result(id, 'x');
  const thought = (id: string): Wire => ({ type: 'reasoning', id, summary: [], encrypted_content: 'gAAA' });

  test('are behind closed pairs, before the next step, and never in a batch or a run of reasoning', () => {
    const list = [
      user('go'),
      thought('rs_1'),
      call('c1'),
      call('c2'),
      output('c2'),
      output('c1'),
      thought('rs_2'),
      call('c3'),
      output('c3'),
      say('done'),
    ];
    expect(inside(list, 'openai-responses')).toEqual([6, 9]);
  });

  test('are not behind a call that still waits, nor between what the provider runs itself and its result', () => {
    expect(inside([user('go'), call('c1'), call('c2'), output('c1')], 'openai-responses')).toEqual([]);
    const server = { type: 'tool-call', toolCallId: 's1', toolName: 'web', input: {}, providerExecuted: true };
    const own = aiSdkModel.call('c1');
    const result = (toolCallId: string): Wire => aiSdkModel.returned(toolCallId, 'x');
    const list = [
      user('go'),
      say(server, own),
      aiSdkModel.results(result('c1')),
      say(result('s1'), { ...own, toolCallId: 'c2' }),
      aiSdkModel.results(result('c2')),
      say('done'),
    ];
    expect(inside(list, 'ai-sdk-model')).toEqual([5]);
  });
});

describe('who speaks in the name of the user', () => {
  const first = (content: unknown): string | undefined =>
    turns([say('hi'), { role: 'user', content }], 'openai-chat')[1]?.kind;

  test.each([
    ['a picture', [{ type: 'image_url', image_url: { url: 'https://example.org' } }], 'user'],
    ['something unknown and a text', [{ type: 'future' }, chat.text('hi')], 'user'],
    ['something unknown alone', [{ type: 'future' }], undefined],
    ['instructions of a project', '# AGENTS.md instructions for here\n\n<INSTRUCTIONS>x</INSTRUCTIONS>', undefined],
    ['an output that was quoted', '[tool output] x', undefined],
    ['a reminder with a name', '  <system-reminder kind="x">y</system-reminder>\n', undefined],
    ['two reminders', [text('<turn_aborted>x</turn_aborted>'), text('<turn_aborted>y</turn_aborted>')], undefined],
    ['a note on an abort', '[Request interrupted by user]', undefined],
    ['a note on an abort in a call', [text('[Request interrupted by user for tool use]')], undefined],
    ['words that begin like such a note', '[Request interrupted by user] why?', 'user'],
    ['a word that begins like one', '<turn_abortedly>x</turn_aborted>', 'user'],
    ['an unclosed reminder', '<turn_aborted>x', 'user'],
    [
      'a summary and a reminder',
      [text('[Summary of the earlier conversation]'), text('<turn_aborted></turn_aborted>')],
      'summary',
    ],
  ])('%s', (_, content, expected) => {
    expect(first(content)).toBe(expected);
  });

  function text(said: string): Wire {
    return { type: 'text', text: said };
  }
});

describe('turns', () => {
  test('what programs put in goes with the words behind it, however many messages that are', () => {
    const said = (content: string): Wire => ({ role: 'user', content });
    const aside = said('<turn_aborted>x</turn_aborted>');
    const list = [said('one'), say('hi'), aside, aside, said('two')];
    expect(turns(list, 'openai-chat').map(({ from, to }) => [from, to])).toEqual([
      [0, 2],
      [2, 5],
    ]);
  });

  test('a result without an id belongs to the step before it', () => {
    const list = [
      user('look'),
      { type: 'function_call', name: 'read', arguments: '{}' },
      user('hurry'),
      { type: 'function_call_output', output: 'x' },
      user('thanks'),
    ];
    expect(turns(list, 'openai-responses').map(({ from }) => from)).toEqual([0, 4]);
  });
});

describe('a history', () => {
  const list = [user('hi'), say('hello')];

  test('in a dialect that is not known is read in the one that is asked for, or not at all', () => {
    const history: History = { ...(decode(list, 'openai-chat') as History), dialect: 'something' };
    expect(turns(history, 'openai-chat')).toHaveLength(1);
    expect(turns(history, { dialect: 'openai-chat', model: 'gpt-5' })).toHaveLength(1);
    expect(turns(history)).toEqual([]);
  });
});

describe('many calls at once', () => {
  const ask = user('go');
  const batch = (count: number, prefix: string): Wire[] => {
    const ids = Array.from({ length: count }, (_, n) => `${prefix}${n}`);
    const calls = ids.map((id) => chat.call(id));
    const results = ids.map((id) => chat.result(id, 'x'));
    return [{ role: 'assistant', content: null, tool_calls: calls }, ...results.toReversed()];
  };

  test('are one batch, however many they are, and the next step begins anew', () => {
    const list = [ask, ...batch(40, 'a'), ...batch(2, 'b'), ask, ...batch(40, 'a'), ask];
    expect(cuts(list, 'openai-chat')).toEqual([0, 45, 87, 88]);
  });

  test('of which some are never answered stay open, and later ones are still matched', () => {
    const [calls, ...results] = batch(40, 'a') as [Wire, ...Wire[]];
    const list = [ask, calls, ...results.slice(1), ...batch(2, 'b')];
    expect(cuts(list, 'openai-chat')).toEqual([0]);
    expect(cuts([...list, ask], 'openai-chat')).toEqual([0, 44, 45]);
  });

  test('a result that comes twice, or that names nothing, hangs on what is there', () => {
    const [calls, result] = batch(1, 'a') as [Wire, Wire];
    const nameless = { role: 'tool', content: 'x' };
    expect(cuts([ask, calls, result, result, ask], 'openai-chat')).toEqual([0, 4, 5]);
    expect(cuts([ask, calls, result, nameless, ask], 'openai-chat')).toEqual([0, 4, 5]);
    expect(cuts([nameless, ask], 'openai-chat')).toEqual([1, 2]);
  });

  test('what the provider runs itself does not keep the end of a list from being a cut', () => {
    const server = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
    const list = [ask, say(server)];
    expect(cuts(list, 'anthropic-messages')).toEqual([0, 2]);
  });
});
