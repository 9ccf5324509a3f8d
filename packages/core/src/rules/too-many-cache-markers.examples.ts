import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, call, marked, markedTool, result, text, thought, tool }) => ({
    'a marker on every tool': {
      before: {
        tools: ['a', 'b', 'c', 'd', 'e'].map(markedTool),
        system: [marked('Be brief.')],
        messages: [user(marked('hi'))],
      },
      after: {
        tools: [tool('a'), tool('b'), ...['c', 'd', 'e'].map(markedTool)],
        system: [marked('Be brief.')],
        messages: [user(text('hi'))],
      },
    },
    'four markers': { clean: [user(marked('a'), marked('b'), marked('c'), marked('d'))] },
    'a marker on each part': {
      before: [user(marked('a'), marked('b'), marked('c'), marked('d'), marked('e'))],
      after: [user('a', marked('b'), marked('c'), marked('d'), marked('e'))],
    },
    'markers inside a result': {
      before: [
        user('read'),
        say(call('toolu_1')),
        user(result('toolu_1', [marked('1'), marked('2')]), marked('a'), marked('b'), marked('c')),
      ],
      after: [
        user('read'),
        say(call('toolu_1')),
        user(result('toolu_1', [text('1'), marked('2')]), marked('a'), marked('b'), marked('c')),
      ],
    },
    'markers inside and on a result': {
      before: [
        user('read'),
        say(call('toolu_1')),
        user(
          { ...result('toolu_1', [marked('1'), marked('2'), text('3')]), cache_control: { type: 'ephemeral' } },
          marked('a'),
          marked('b'),
          marked('c'),
          marked('d'),
        ),
      ],
      after: [
        user('read'),
        say(call('toolu_1')),
        user(result('toolu_1', [text('1'), text('2'), text('3')]), marked('a'), marked('b'), marked('c'), marked('d')),
      ],
    },
    'reasoning bound to what stands before it, which markers are no part of': {
      profile: { reasoningBound: true },
      before: [
        user(marked('a'), marked('b'), marked('c'), marked('d'), marked('e')),
        say(thought('Five letters.'), 'Five.'),
      ],
      after: [user('a', marked('b'), marked('c'), marked('d'), marked('e')), say(thought('Five letters.'), 'Five.')],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, cachePoint, text, tool }) => ({
    'a place to cache behind each part': {
      before: [user('a', cachePoint, 'b', cachePoint, 'c', cachePoint, 'd', cachePoint, 'e', cachePoint)],
      after: [user('a', 'b', cachePoint, 'c', cachePoint, 'd', cachePoint, 'e', cachePoint)],
    },
    'too many around the list': {
      before: {
        toolConfig: { tools: [tool('read'), cachePoint, cachePoint, cachePoint] },
        system: [text('Be brief.'), cachePoint, cachePoint],
        messages: [user('hi', cachePoint)],
      },
      after: {
        toolConfig: { tools: [tool('read'), cachePoint, cachePoint] },
        system: [text('Be brief.'), cachePoint, cachePoint],
        messages: [user('hi')],
      },
    },
  })),
];
