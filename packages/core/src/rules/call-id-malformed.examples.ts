import type { Example } from '../model/rule.ts';
import { fingerprint } from '../model/call-id.ts';
import { inDialects } from './examples/in-dialects.ts';

/** An id in the style of another provider, and what becomes of it. */
const FOREIGN = 'functions.read:0';
const RENAMED = `functions_read_0_${fingerprint(FOREIGN)}`;

/** Ids that are too long, and what becomes of them. */
const LONG_42 = 'call_0123456789012345678901234567890123456';
const SHORT_40 = `call_01234567890123456789_${fingerprint(LONG_42)}`;
const LONG_65 = `call_${'0'.repeat(60)}`;
const SHORT_64 = `call_${'0'.repeat(44)}_${fingerprint(LONG_65)}`;

/** Ids for calls that have none, by the place of the message. */
const NEW_ID_0 = `call_0_0_${fingerprint('call 0.0')}`;
const NEW_ID_1 = `call_1_0_${fingerprint('call 1.0')}`;

export const examples: readonly Example[] = [
  ...inDialects(['ai-sdk-model', 'langchain'], ({ say, call, result }) => ({
    'a call without an id': {
      before: [say(call('')), result('', 'A')],
      after: [say(call(NEW_ID_0)), result(NEW_ID_0, 'A')],
    },
  })),
  ...inDialects(['anthropic-messages'], ({ user, say, call, closed, result }) => ({
    'ids of another provider in legal characters': {
      clean: [user('read a'), say(call('call_1')), user(result('call_1', 'output 0'))],
    },
    'an id in the style of another provider': {
      before: [user('read a'), say(call(FOREIGN)), user(result(FOREIGN, 'output 0'))],
      after: [user('read a'), say(call(RENAMED)), user(result(RENAMED, 'output 0'))],
    },
    'one id for two calls': {
      before: [
        user('read a'),
        say(call(FOREIGN), call(FOREIGN)),
        user(result(FOREIGN, 'output 0'), result(FOREIGN, 'output 1')),
      ],
      after: [
        user('read a'),
        say(call(RENAMED), call(`${RENAMED}_2`)),
        user(result(RENAMED, 'output 0'), result(`${RENAMED}_2`, 'output 1')),
      ],
    },
    'one id in two messages of one turn, and a result too many': {
      before: [
        user('read a and b'),
        say(call(FOREIGN)),
        say(call(FOREIGN)),
        user(result(FOREIGN, 'A'), result(FOREIGN, 'B'), result(FOREIGN, 'B')),
      ],
      after: [
        user('read a and b'),
        say(call(RENAMED)),
        say(call(`${RENAMED}_2`)),
        user(result(RENAMED, 'A'), result(`${RENAMED}_2`, 'B')),
      ],
    },
    'a result that comes after the next answer': {
      before: [user('read a'), say(call(FOREIGN)), user('how long?'), say('A moment.'), user(result(FOREIGN, 'A'))],
      after: [user('read a'), say(call(RENAMED)), user(result(RENAMED, 'A'), 'how long?'), say('A moment.')],
    },
    'a call that was never answered, and its id again later': {
      before: [
        user('read a'),
        say(call(FOREIGN)),
        user('read a'),
        say(call(FOREIGN)),
        user(result(FOREIGN, 'output 0')),
      ],
      after: [
        user('read a'),
        say(call(RENAMED)),
        user(closed(RENAMED), 'read a'),
        say(call(RENAMED)),
        user(result(RENAMED, 'output 0')),
      ],
    },
    'a call without an id that was never answered': {
      before: [user('read a'), say(call(''))],
      after: [user('read a'), say(call(NEW_ID_1)), user(closed(NEW_ID_1))],
    },
  })),
  ...inDialects(['openai-chat'], ({ user, say, call, result }) => ({
    'a call that another answer passed over': {
      before: [user('read a'), say(call(LONG_42)), say('Done.'), result(LONG_42, 'A')],
      after: [user('read a'), say(call(SHORT_40)), result(SHORT_40, 'A'), say('Done.')],
    },
    'the second of two calls': {
      before: [user('read a'), say(call('call_1'), call(LONG_42)), result('call_1', 'A'), result(LONG_42, 'A')],
      after: [user('read a'), say(call('call_1'), call(SHORT_40)), result('call_1', 'A'), result(SHORT_40, 'A')],
    },
    'an id of 42 characters': {
      before: [user('read a'), say(call(LONG_42)), result(LONG_42, 'A')],
      after: [user('read a'), say(call(SHORT_40)), result(SHORT_40, 'A')],
    },
    'ids that a store kept as numbers, on one side and on both': {
      before: [
        user('read a'),
        say(call(7), call(8)),
        result(7, 'A'),
        result(8, 'A'),
        user('read a'),
        say(call('9')),
        result(9, 'B'),
      ],
      after: [
        user('read a'),
        say(call('7'), call('8')),
        result('7', 'A'),
        result('8', 'A'),
        user('read a'),
        say(call('9')),
        result('9', 'B'),
      ],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say, call, result }) => ({
    'an id that is not nine characters long': {
      before: [user('read a'), say(call('call_1')), result('call_1', 'A')],
      after: [user('read a'), say(call('470di3203')), result('470di3203', 'A')],
    },
    'a model that takes any id': {
      model: 'mistral-small-2603',
      clean: [user('read a'), say(call('call_1')), result('call_1', 'A')],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ user, say, call, result }) => ({
    'a call without an id': {
      before: [user('read a'), say(call('', 'read', '{}')), user(result('', 'A'))],
      after: [user('read a'), say(call(NEW_ID_1, 'read', '{}')), user(result(NEW_ID_1, 'A'))],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, result }) => ({
    'an id in the style of another provider': {
      before: [user('read a'), say(call(FOREIGN)), user(result(FOREIGN, 'A'))],
      after: [user('read a'), say(call(RENAMED)), user(result(RENAMED, 'A'))],
    },
    'a family that takes nine characters': {
      model: 'mistral.mistral-large-3-675b-instruct',
      before: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', 'A'))],
      after: [user('read a'), say(call('oz1ni6ddb')), user(result('oz1ni6ddb', 'A'))],
    },
    'a family that takes any id': {
      model: 'moonshot.kimi-k2',
      clean: [user('read a'), say(call(FOREIGN)), user(result(FOREIGN, 'A'))],
    },
  })),
  ...inDialects(['ai-sdk-ui'], ({ say, done }) => ({
    'a call without an id': {
      before: [say(done(''))],
      after: [say(done(NEW_ID_0))],
    },
  })),
  ...inDialects(['langchain'], ({ say, openaiCall, call, anthropicCall, result }) => ({
    'a call that stands in three places': {
      before: [
        {
          ...say(anthropicCall(''), call('', 'read', { path: 'a' })),
          additional_kwargs: { tool_calls: [openaiCall('')] },
        },
        result('', 'A'),
      ],
      after: [
        { ...say(call(NEW_ID_0, 'read', { path: 'a' })), additional_kwargs: { tool_calls: [openaiCall(NEW_ID_0)] } },
        result(NEW_ID_0, 'A'),
      ],
    },
  })),
  ...inDialects(['openai-responses'], ({ user, call, result }) => ({
    'an id of 65 characters': {
      before: [user('read a'), call(LONG_65), result(LONG_65, 'A')],
      after: [user('read a'), call(SHORT_64), result(SHORT_64, 'A')],
    },
    'a call without an id': {
      before: [user('read a'), call(undefined), result('c1', 'A')],
      after: [user('read a'), call(NEW_ID_1), result(NEW_ID_1, 'A')],
    },
    'an output for a call that the provider has kept': {
      before: { previous_response_id: 'resp_1', input: [result(LONG_65, 'A')] },
      after: { previous_response_id: 'resp_1', input: [result(SHORT_64, 'A')] },
    },
  })),
  ...inDialects(['openai-agents'], ({ call, result }) => ({
    'an id of 65 characters, and ids in the spelling of the API': {
      before: [
        call(LONG_65),
        result(LONG_65, 'A'),
        { ...call(), call_id: 'c2' },
        { ...result(undefined, 'A'), call_id: 'c2' },
      ],
      after: [
        call(SHORT_64),
        result(SHORT_64, 'A'),
        { ...call('c2'), call_id: 'c2' },
        { ...result('c2', 'A'), call_id: 'c2' },
      ],
    },
    'a call without an id': {
      before: [call(), result('c1', 'A')],
      after: [call(NEW_ID_0), result(NEW_ID_0, 'A')],
    },
  })),
];
