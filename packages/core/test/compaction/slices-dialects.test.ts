import { describe, expect, test } from 'vitest';
import {
  before,
  cuts,
  decode,
  lastTurns,
  splitHead,
  turns,
  type Dialect,
  type History,
  type Message,
} from '../../src/index.ts';
import { WRITTEN, type Writer } from '../conversation.ts';
import { aiSdkModel, aiSdkUi, anthropic, pydantic, responses } from '../words.ts';

const idOf = (n: number, at: string): string => `call000${String(n)}${at}`;

/** A turn of words, a batch of calls with results, and an answer. */
const turnOf = ({ user, say, calls, results }: Writer, n: number): object[] => [
  user('look'),
  ...calls({ id: idOf(n, 'a') }, { id: idOf(n, 'b') }),
  ...results({ id: idOf(n, 'a'), text: 'a' }, { id: idOf(n, 'b'), text: 'b' }),
  say('done'),
];

const { say, user } = anthropic;

/** Turns with what only these dialects have: calls that the provider runs, sealed reasoning, approvals. */
const OWN: readonly [Dialect, (n: number) => object[]][] = [
  [
    'anthropic-messages',
    (n) => [
      user('look'),
      say(
        anthropic.thought('so'),
        anthropic.search(`srvtoolu_${n}`),
        anthropic.found(`srvtoolu_${n}`),
        anthropic.call(`a${n}`),
        anthropic.call(`b${n}`),
      ),
      user(anthropic.result(`a${n}`, 'a')),
      user(anthropic.result(`b${n}`, 'b'), 'by the way'),
      say('done'),
    ],
  ],
  [
    'openai-responses',
    (n) => [
      user('look'),
      responses.thought(`rs_${n}`, ''),
      { ...responses.call(`a${n}`), id: `fc_${n}a` },
      responses.custom(`b${n}`),
      responses.result(`a${n}`, 'a'),
      responses.customResult(`b${n}`, 'b'),
      { type: 'mcp_approval_request', id: `mcpr_${n}`, name: 'ask', server_label: 's', arguments: '{}' },
      { type: 'mcp_approval_response', approval_request_id: `mcpr_${n}`, approve: true },
      responses.say(responses.outputText('done')),
    ],
  ],
  [
    'ai-sdk-model',
    (n) => [
      aiSdkModel.user('look'),
      aiSdkModel.say({ ...aiSdkModel.call(`srv_${n}`, 'web'), providerExecuted: true }, aiSdkModel.call(`call_${n}`)),
      aiSdkModel.result(`call_${n}`, 'a'),
      aiSdkModel.say(aiSdkModel.returned(`srv_${n}`, 'a'), 'done'),
    ],
  ],
  ['ai-sdk-ui', (n) => [aiSdkUi.user('look'), aiSdkUi.say(aiSdkUi.done(`call_${n}`), 'done')]],
  [
    'pydantic-ai',
    (n) => [
      pydantic.user('look'),
      pydantic.say(pydantic.call(`c${n}`)),
      pydantic.user(pydantic.result(`c${n}`, 'a'), 'by the way'),
      pydantic.say('done'),
    ],
  ],
];

/** The same conversation twice over. */
const conversations = [
  ...WRITTEN.map(([dialect, writer]) => [dialect, (n: number): object[] => turnOf(writer, n)] as const),
  ...OWN,
].map(([dialect, turn]) => [dialect, [...turn(1), ...turn(2)], turn(1).length] as const);

describe.each(conversations)('%s', (dialect, list, second) => {
  const target = { dialect };

  test('two turns have one cut between them', () => {
    expect(cuts(list, target)).toEqual([0, second, list.length]);
    expect(turns(list, target).map(({ kind }) => kind)).toEqual(['user', 'user']);
    expect(lastTurns(list, 1, target)).toEqual(list.slice(second));
    expect(before(list, list[second + 1] as object, target)).toEqual(list.slice(0, second));
  });

  test('a history that was read gives a history of the same messages', () => {
    const history = decode(list, dialect) as History;
    const { head, tail } = splitHead(history, { minKeepTail: 1 });
    expect(head).toEqual({ dialect, messages: history.messages.slice(0, second) });
    expect(tail.messages.every((message, index) => message === history.messages[second + index])).toBe(true);
    expect(lastTurns(history, 9)).toBe(history);
    const message = history.messages[second] as Message;
    expect(before(history, message)).toEqual(head);
    expect(before(history, (each) => each === message)).toEqual(head);
    expect(turns(history)[1]?.messages[0]).toBe(message);
  });
});
