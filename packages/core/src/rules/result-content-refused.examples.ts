import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, call, image, result, text }) => ({
    'no content, an empty string, and text with an image': {
      clean: [
        user('look'),
        say(call('toolu_1', 'look'), call('toolu_2', 'look'), call('toolu_3', 'look')),
        user(result('toolu_1'), result('toolu_2', ''), result('toolu_3', [text('a'), image])),
      ],
    },
    'an empty list': {
      before: [user('look'), say(call('toolu_1', 'look')), user(result('toolu_1', []))],
      after: [user('look'), say(call('toolu_1', 'look')), user(result('toolu_1'))],
    },
    'blank texts': {
      before: [user('look'), say(call('toolu_1', 'look')), user(result('toolu_1', [text(''), text('a'), text(' ')]))],
      after: [user('look'), say(call('toolu_1', 'look')), user(result('toolu_1', [text('a')]))],
    },
    'an object in the place of text': {
      before: [user('look'), say(call('toolu_1', 'look')), user(result('toolu_1', { lines: 3 }))],
      after: [user('look'), say(call('toolu_1', 'look')), user(result('toolu_1', [text('{"lines":3}')]))],
    },
    'pieces that are not parts, and a call': {
      before: [user('look'), say(call('toolu_1', 'look')), user(result('toolu_1', ['a', null, 3, call('n', 'n')]))],
      after: [
        user('look'),
        say(call('toolu_1', 'look')),
        user(result('toolu_1', [text('a'), text('3'), text('{"type":"tool_use","id":"n","name":"n","input":{}}')])),
      ],
    },
    'texts that are not texts, beside an image': {
      before: [
        user('look'),
        say(call('toolu_1', 'look')),
        user(result('toolu_1', [{ type: 'text', text: 5 }, { type: 'text' }, { text: 'a' }, image])),
      ],
      after: [user('look'), say(call('toolu_1', 'look')), user(result('toolu_1', [text('5'), text('a'), image]))],
    },
    'a failed call that had taken a picture': {
      before: [
        user('look'),
        say(call('toolu_1', 'look')),
        user({ ...result('toolu_1'), is_error: true, content: [text('the page crashed'), image] }),
      ],
      after: [
        user('look'),
        say(call('toolu_1', 'look')),
        user({ ...result('toolu_1'), is_error: true, content: [text('the page crashed')] }, image),
      ],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, result, text }) => ({
    'a text that is not in a list': {
      before: [user('read a'), say(call('tooluse_1')), user({ toolResult: { toolUseId: 'tooluse_1', content: 'A' } })],
      after: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', 'A'))],
    },
    'an error that says nothing': {
      before: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', [], { status: 'error' }))],
      after: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', TEXTS.separator, { status: 'error' }))],
    },
    'an error that says an empty text': {
      before: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', '', { status: 'error' }))],
      after: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', TEXTS.separator, { status: 'error' }))],
    },
    'blank texts, a call, and no list': {
      model: 'us.meta.llama4-maverick-17b-instruct-v1:0',
      before: [
        user('read a'),
        say(call('tooluse_1')),
        user(result('tooluse_1', [text(' '), { json: { a: 1 } }, call('t'), null, {}])),
      ],
      after: [
        user('read a'),
        say(call('tooluse_1')),
        user(result('tooluse_1', [{ json: { a: 1 } }, text('{"toolUse":{"toolUseId":"t","name":"read","input":{}}}')])),
      ],
    },
    'a picture of what failed': {
      model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      before: [
        user('read a'),
        say(call('tooluse_1')),
        user(result('tooluse_1', [text('no'), { image: { format: 'png' } }], { status: 'error' })),
      ],
      after: [
        user('read a'),
        say(call('tooluse_1')),
        user(result('tooluse_1', 'no', { status: 'error' }), { image: { format: 'png' } }),
      ],
    },
  })),
];
