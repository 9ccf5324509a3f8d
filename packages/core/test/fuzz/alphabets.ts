import type { Dialect } from '../../src/index.ts';
import {
  agents,
  aiSdkModel,
  aiSdkUi,
  anthropic,
  bedrock,
  chat,
  gemini,
  langchain,
  mistral,
  pydantic,
  responses,
} from '../words.ts';
import { deepFreeze } from './reading.ts';

/** Messages that each stand for a class of messages, by the name of the class. */
type Alphabet = Readonly<Record<string, object>>;

type Words = {
  readonly user: (...said: (string | object)[]) => object;
  readonly say: (...said: (string | object)[]) => object;
  readonly call: (id: string) => object;
  readonly result: (id: string, output: string) => object;
};

/** For dialects whose results are parts of a user's message. */
function lettersOfParts({ user, say, call, result }: Words, thought: object): Alphabet {
  const [first, second] = [result('A', 'output A'), result('B', 'output B')];
  return {
    'user text': user('question'),
    'assistant text': say('answer'),
    'two-call batch': say(call('A'), call('B')),
    'result of the first': user(first),
    'result of the second, with text': user(second, 'and'),
    'both results': user(second, first),
    'call re-using the first id': say('again', call('A')),
    'signed thinking and a call': say(thought, call('B')),
    'empty assistant': say(),
  };
}

/** For dialects whose results are messages. */
const lettersOfMessages = ({ user, say, call, result }: Words): Alphabet => ({
  'user text': user('question'),
  'assistant text': say('answer'),
  'two-call batch': say(call('A'), call('B')),
  'result of the first': result('A', 'output A'),
  'result of the second': result('B', 'output B'),
  'other result of the first': result('A', 'other output A'),
  'call re-using the first id': say('again', call('A')),
  'empty assistant': say(),
});

/** For dialects in which calls and results are items of their own. */
const lettersOfItems = ({ user, say, call, result }: Words): Alphabet => ({
  'user text': user('question'),
  'assistant text': say('answer'),
  call: call('A'),
  'call that the provider knows': { ...call('B'), id: 'fc_b' },
  'result of the first': result('A', 'output A'),
  'result of the second': result('B', 'output B'),
  'other result of the first': result('A', 'other output A'),
});

const { call: geminiCall, result: geminiResult, say: geminiSay, signed, user: geminiUser } = gemini;
const { call: uiCall, done, say: uiSay, step, thought: uiThought, user: uiUser } = aiSdkUi;
const [chainThought, modelThought] = [
  langchain.thought('why'),
  { type: 'reasoning', text: 'why', providerOptions: { anthropic: { signature: 'sig' } } },
];
const nine = (id: string): string => `call0000${id}`;

/** Ten letters a dialect; a letter is one frozen object that all histories share. */
const alphabets: Readonly<Record<Dialect, Alphabet>> = deepFreeze({
  'anthropic-messages': {
    ...lettersOfParts(anthropic, anthropic.thought('why')),
    'blank text': anthropic.user(anthropic.text(' \n')),
  },
  'bedrock-converse': { ...lettersOfParts(bedrock, bedrock.thought('why')), 'blank text': bedrock.user(' \n') },
  'pydantic-ai': {
    ...lettersOfParts(pydantic, { part_kind: 'thinking', content: 'why', signature: 'sig' }),
    'retry for the first': pydantic.user(pydantic.retry('A', 'try again')),
  },
  'openai-chat': {
    ...lettersOfMessages(chat),
    'reasoning and a call': { ...chat.say('', chat.call('B')), reasoning_content: 'why' },
    'blank text': chat.user(' '),
  },
  'mistral-chat': {
    ...lettersOfMessages({
      ...mistral,
      call: (id) => mistral.call(nine(id)),
      result: (id, output) => mistral.result(nine(id), output),
    }),
    'reasoning to be continued': { ...mistral.say(mistral.thought), prefix: true },
    'system text': mistral.system('rule'),
  },
  langchain: {
    ...lettersOfMessages(langchain),
    'call re-using the first id': langchain.say('again', langchain.anthropicCall('A'), langchain.call('A')),
    'reasoning and a call': langchain.say(chainThought, langchain.call('B')),
    'reasoning alone': langchain.say(chainThought, ''),
  },
  'ai-sdk-model': {
    ...lettersOfMessages(aiSdkModel),
    'result of the second': aiSdkModel.results(
      aiSdkModel.returned('B', 'output B'),
      aiSdkModel.returned('A', 'output A'),
    ),
    'reasoning and a call': aiSdkModel.say(modelThought, aiSdkModel.call('B')),
    'reasoning alone': aiSdkModel.say(modelThought),
    'empty assistant': aiSdkModel.say(''),
  },
  'openai-agents': {
    ...lettersOfItems(agents),
    'shell under the first id': { ...agents.shell, callId: 'A' },
    'shell output': { ...agents.shellResult('listed', '', { type: 'timeout' }), callId: 'A' },
    reasoning: agents.thought('rs_1'),
  },
  'openai-responses': {
    ...lettersOfItems(responses),
    'custom call under the first id': responses.custom('A'),
    'custom output': responses.customResult('A', 'listed'),
    reasoning: responses.thought('rs_1', 'why'),
  },
  gemini: {
    'user text': geminiUser('question'),
    'model text': geminiSay('answer'),
    'two-call batch': geminiSay(signed(geminiCall('read', {}, 'A')), geminiCall('read', {}, 'B')),
    'result of the first': geminiUser(geminiResult('read', 'output A', 'A')),
    'result of the second, with text': geminiUser(geminiResult('read', 'output B', 'B'), 'and'),
    'both results': geminiUser(geminiResult('read', 'output B', 'B'), geminiResult('read', 'output A', 'A')),
    'call without an id or a signature': geminiSay(geminiCall('list')),
    'result without an id': geminiUser(geminiResult('list', 'output list')),
    'call re-using the first id': geminiSay('again', signed(geminiCall('list', {}, 'A'))),
    'empty model': geminiSay(),
  },
  'ai-sdk-ui': {
    'user text': uiUser('question'),
    'assistant text': uiSay('answer'),
    'two closed calls': uiSay(done('A'), done('B')),
    'a closed call and an answer': uiSay(done('A'), step, 'so'),
    'open call': uiSay('again', uiCall('A', 'input-available'), done('B')),
    'asked about': uiSay({ ...uiCall('A', 'approval-requested'), approval: { id: 'x' } }),
    approved: uiSay(uiThought('why'), { ...uiCall('B', 'approval-responded'), approval: { id: 'y', approved: true } }),
    'reasoning alone': uiSay(step, uiThought('why')),
    'still streaming': uiSay(step, uiCall('A', 'input-streaming')),
    'one id twice': uiSay(done('A'), done('A')),
  },
});

export const alphabetOf = (dialect: Dialect): readonly object[] => Object.values(alphabets[dialect]);
