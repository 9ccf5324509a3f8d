import { load } from '@langchain/core/load';
import {
  AIMessage,
  BaseMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  SystemMessage,
  ToolMessage,
  trimMessages,
  type StoredMessage,
} from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { examplesOf } from '../../src/examples.ts';
import { contractOf } from '../../src/target.ts';
import { check, detectDialect, repair, RESULT_TEXTS } from '../../src/index.ts';
import { healthy, plant } from '../fuzz/histories.ts';
import { messagesIn } from '../fuzz/reading.ts';
import { seedAt, startRandom } from '../fuzz/random.ts';
import { coerced, converters, refusalsBy } from '../langchain-request.ts';

const seed = 8;
const histories = 400;
const DIALECT = 'langchain';

/** What is stored or serialised is made into objects by functions of its own, so it is left out here. */
const isWrapped = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && ('data' in message || 'lc' in message);

const isThought = (message: unknown): boolean => {
  const { content } = message as { content: unknown };
  return (
    Array.isArray(content) && content.every(({ type }: { type?: string }) => /^t(hinking|ool_use)$/.test(String(type)))
  );
};

/** Messages with up to four defects in them. */
function broken(index: number): readonly unknown[] {
  const random = startRandom(seedAt(seed, index));
  const draft = healthy(DIALECT, random);
  plant(draft, random);
  return draft.messages.filter((message) => !isWrapped(message));
}

/** True where the framework itself takes every message, and a fake model answers them. */
async function takes(messages: readonly unknown[]): Promise<boolean> {
  const model = new FakeListChatModel({ responses: ['yes'] });
  const answer = await model.invoke(coerced(messages));
  return answer.content === 'yes';
}

const called = new AIMessage({
  content: 'Looking.',
  id: 'run-1',
  tool_calls: [{ name: 'read', args: { path: 'a' }, id: 'c1', type: 'tool_call' }],
});

const examples = contractOf(DIALECT).rules.flatMap((rule) =>
  examplesOf(rule.id).flatMap((example) => {
    if (example.dialect !== DIALECT || !('before' in example) || !('after' in example)) return [];
    return [{ title: `${rule.id}: ${example.name}`, before: example.before }];
  }),
);

// The framework warns of calls in an older form, which some histories have on purpose.
beforeAll(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));
afterAll(() => vi.restoreAllMocks());

describe('LangChain itself', () => {
  test.each(examples)('takes what is repaired of $title', async ({ before }) => {
    const list = messagesIn(repair({ messages: messagesIn(before) }, DIALECT).output);
    // What is stored is made into objects by a function of its own.
    const stored = list.some((message) => typeof message === 'object' && message !== null && 'data' in message);
    const objects = stored ? mapStoredMessagesToChatMessages(structuredClone(list) as StoredMessage[]) : list;
    expect(await takes(objects)).toBe(true);
  });

  test(`takes every repaired history (seed ${seed})`, async () => {
    for (let index = 0; index < histories; index += 1) {
      const list = messagesIn(repair({ messages: broken(index) }, DIALECT).output);
      expect(await takes(list), `history ${index}`).toBe(true);
    }
  });
});

describe.each(converters)('the request that the framework makes for $name', (converter) => {
  const { model } = converter;

  test(`is valid for every repaired history, and for many it is not before (seed ${seed})`, async () => {
    let refused = 0;
    for (let index = 0; index < histories; index += 1) {
      const input = { messages: broken(index), model };
      const list = messagesIn(repair(input, DIALECT).output);
      expect(await refusalsBy(converter, list), `history ${index}: ${JSON.stringify(list)}`).toEqual([]);
      if ((await refusalsBy(converter, input.messages)).length > 0) refused += 1;
    }
    expect(refused).toBeGreaterThan(histories / 5);
  });

  test(`is valid where no model is named, too (seed ${seed})`, async () => {
    for (let index = 0; index < histories; index += 1) {
      const list = messagesIn(repair({ messages: broken(index) }, DIALECT).output);
      // Reasoning before calls and not a word is what one provider gives every day, and what another cannot be sent.
      if (converter.judged === 'openai-chat' && list.some(isThought)) continue;
      expect(await refusalsBy(converter, list), `history ${index}: ${JSON.stringify(list)}`).toEqual([]);
    }
  });
});

describe('objects of LangChain', () => {
  test('are known by one message, and clean ones come back as they are', () => {
    const messages = [new SystemMessage('Be brief.'), new HumanMessage('hi'), new AIMessage('Hello')];
    expect(detectDialect(messages[1])).toBe(DIALECT);
    expect(detectDialect([messages[1]])).toBe(DIALECT);
    expect(check(messages).verdict).toBe('clean');
    expect(repair(messages).output).toBe(messages);
  });

  test('keep their class, their id and what they are serialised to when they are edited', async () => {
    const answered = new ToolMessage({ content: 'A', tool_call_id: 'c0', name: 'read', artifact: { deep: 1n } });
    const first = new AIMessage({ content: '', tool_calls: [{ name: 'read', args: {}, id: 'c0', type: 'tool_call' }] });
    const { output } = repair([first, answered, called, new HumanMessage('are you there?')]);
    expect(output.map((message) => message.type)).toEqual(['ai', 'tool', 'ai', 'tool', 'human']);
    const closed = output[3];
    expect(closed).toBeInstanceOf(ToolMessage);
    expect(closed).toMatchObject({ content: RESULT_TEXTS.unknown, tool_call_id: 'c1', status: 'error' });
    expect(closed).not.toHaveProperty('artifact');
    expect(output[0]).toBe(first);
    const discarded = repair([called, new HumanMessage('so?')], DIALECT, { policy: 'discard' }).output[0];
    expect(discarded).toBeInstanceOf(AIMessage);
    expect(discarded).toMatchObject({ id: 'run-1', content: 'Looking.', tool_calls: [] });
    expect(called.tool_calls).toHaveLength(1);
    expect((await load<AIMessage>(JSON.stringify(discarded))).tool_calls).toEqual([]);
    expect((await load<ToolMessage>(JSON.stringify(closed))).tool_call_id).toBe('c1');
    expect(await takes(output)).toBe(true);
  });

  test('are answered by an object of a class beside theirs where there is none to copy', async () => {
    const input = [called, new HumanMessage('are you there?')];
    const { output } = repair<readonly BaseMessage[]>(input);
    const closed = output[1] as ToolMessage;
    expect(output.map((message) => message.getType())).toEqual(['ai', 'tool', 'human']);
    expect(output.every((message) => BaseMessage.isInstance(message))).toBe(true);
    expect(closed).toBeInstanceOf(ToolMessage);
    expect(closed).toMatchObject({ content: RESULT_TEXTS.unknown, tool_call_id: 'c1', name: 'read', status: 'error' });
    expect(closed.text).toBe(RESULT_TEXTS.unknown);
    const options = { maxTokens: 9, tokenCounter: (list: BaseMessage[]) => list.length, strategy: 'last' } as const;
    expect(await trimMessages([...output], options)).toHaveLength(3);
    expect((await load<ToolMessage>(JSON.stringify(closed))).tool_call_id).toBe('c1');
    expect(mapChatMessagesToStoredMessages([...output])[1]).toMatchObject({
      type: 'tool',
      data: { tool_call_id: 'c1' },
    });
    const Made = closed.constructor as typeof ToolMessage;
    expect(new Made({ content: 'B', tool_call_id: 'c2' })).toMatchObject({ type: 'tool', tool_call_id: 'c2' });
    expect(repair(output).output).toBe(output);
    const calls = ['c1', 'c2'].map((id) => ({ name: 'read', args: {}, id, type: 'tool_call' as const }));
    const [, first, second] = repair<readonly BaseMessage[]>([
      new AIMessage({ content: '', tool_calls: calls }),
    ]).output;
    expect([first?.constructor === second?.constructor, second?.getType()]).toEqual([true, 'tool']);
    expect(await takes(output)).toBe(true);
  });

  test('are answered by a plain message where they have no class to extend', () => {
    const fields = { content: '', tool_calls: called.tool_calls };
    const plain = Object.defineProperty({ ...fields }, 'getType', { value: () => 'ai' });
    const odd = Object.assign(Object.create({ constructor: 7, getType: () => 'ai' }) as object, fields);
    for (const message of [plain, odd]) {
      expect(repair<readonly unknown[]>([message], DIALECT).output[1]).toEqual({
        type: 'tool',
        content: RESULT_TEXTS.unknown,
        tool_call_id: 'c1',
        name: 'read',
        status: 'error',
      });
    }
  });

  test('that hold nothing but a call with broken arguments keep it', async () => {
    const failed = { name: 'rm', args: '{"path":"/important', id: 'c1', error: 'Malformed args.' };
    const silent = new AIMessage({ content: '', tool_calls: [], invalid_tool_calls: [failed] });
    const { output, report } = repair<readonly BaseMessage[]>([
      new HumanMessage('hi'),
      silent,
      new HumanMessage('so?'),
    ]);
    expect(output.map((message) => message.getType())).toEqual(['human', 'ai', 'tool', 'human']);
    expect(output[1]).toMatchObject({
      tool_calls: [{ name: 'rm', args: { INVALID_JSON: failed.args }, id: 'c1', type: 'tool_call' }],
      invalid_tool_calls: [],
    });
    expect(report.preserved).toMatchObject({ charactersIn: 2 + 2 + failed.args.length + 3, ratio: 1 });
    expect(await takes(output)).toBe(true);
  });

  test('keep their class when half a character is mended', () => {
    const [mended] = repair([new HumanMessage({ content: 'cut \ud83d', id: 'm1' })]).output;
    expect(mended).toBeInstanceOf(HumanMessage);
    expect(mended).toMatchObject({ content: 'cut \ufffd', id: 'm1' });
    expect(JSON.stringify(mended)).toContain('cut \ufffd');
  });

  test('that throw when they are read lose their class, and nothing else', () => {
    const hostile = new HumanMessage('cut \ud83d');
    Object.defineProperty(hostile, 'secret', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    const { output, report } = repair<readonly unknown[]>([hostile], DIALECT);
    expect(report.verdict).toBe('repaired');
    expect(JSON.stringify(output)).toContain('cut \ufffd');
  });

  test('can be stored, repaired as they are stored, and loaded again', async () => {
    const stored = mapChatMessagesToStoredMessages([called, new HumanMessage('are you there?')]);
    const repaired = repair(stored).output;
    const loaded = mapStoredMessagesToChatMessages(repaired);
    expect(loaded.map((message) => message.type)).toEqual(['ai', 'tool', 'human']);
    const serialised = JSON.parse(JSON.stringify([called, new HumanMessage('so?')])) as unknown[];
    expect(detectDialect(serialised)).toBe(DIALECT);
    const revived = await load<BaseMessage[]>(JSON.stringify(repair(serialised).output));
    expect(revived.map((message) => message.type)).toEqual(['ai', 'tool', 'human']);
    expect(revived[1]).toBeInstanceOf(ToolMessage);
  });
});
