import { describe, expect, test } from 'vitest';
import * as resume from '../../src/resume/index.ts';
import { chat, dicts, freeze, ModelMessage, objects } from '../speakers.ts';
import { empty, prompt, request, response, retry, text } from '../pydantic-wire.ts';

const {
  dropTrailingRequest,
  findDanglingToolCallIds,
  removeDanglingToolCalls,
  runCleanupLoop,
  sanitizeHistoryForResume,
  stripSystemPromptParts,
} = resume;

const { user, say } = dicts;

describe('runCleanupLoop', () => {
  test('the limit is reported, to the caller and to the logger, with what is still dangling', () => {
    const said: string[] = [];
    const logger = {
      info: (line: string) => void said.push(`info ${line}`),
      warn: (line: string) => void said.push(`warn ${line}`),
    };
    const messages = [user('one'), say('', 'a'), user('two')];
    expect(runCleanupLoop(messages, {}, { logger, maxIterations: 1 })).toMatchObject({
      iterations: 1,
      limitReached: true,
    });
    expect(said).toHaveLength(2);
    expect(said[0]).toMatch(/^info Cleaned the message history: removed call a to read.*Go on with/);
    expect(said[1]).toMatch(/^warn The message history still changed after 1 iteration\./);
    said.length = 0;
    const none = runCleanupLoop(messages, {}, { logger, maxIterations: 0 });
    expect(none).toMatchObject({
      changed: false,
      iterations: 0,
      limitReached: true,
      danglingToolCallIds: new Set(['a']),
    });
    expect(said).toEqual([
      'warn The message history still changed after 0 iterations. Check it again before it is sent.',
    ]);
  });

  test('a message that throws when it is read is no reason to throw', () => {
    const hostile = {
      kind: 'request',
      get parts(): unknown {
        throw new Error('no');
      },
    };
    const messages = [user('one'), hostile, say('', 'a')];
    expect(runCleanupLoop(messages).messages).toHaveLength(2);
    const alone = [hostile, hostile];
    expect(runCleanupLoop(alone).messages).toBe(alone);
    expect(findDanglingToolCallIds([hostile, say('', 'a'), hostile])).toEqual(new Set(['a']));
    const asked = [say('', 'a'), hostile, request(retry('a'))];
    expect(findDanglingToolCallIds(asked)).toEqual(new Set(['a']));
    expect(removeDanglingToolCalls(asked).messages).toHaveLength(1);
  });

  test('a list that throws where it is looked at is read from an inert copy', () => {
    const trap = [say('', 'a'), user('one'), request(retry('a')), user('two')];
    Object.defineProperty(trap, 1, {
      get: () => {
        throw new Error('no');
      },
    });
    expect(findDanglingToolCallIds(trap)).toEqual(new Set(['a']));
    expect(removeDanglingToolCalls(trap).messages).toHaveLength(2);
    expect(resume.removeEmptyResponses(trap).messages).toBe(trap);
  });
});

describe('dropTrailingRequest', () => {
  test('says what it did and how to go on', () => {
    const said: string[] = [];
    dropTrailingRequest([user('one'), say('', 'a'), user('two')], { logger: (line) => void said.push(line) });
    expect(said).toHaveLength(3);
    expect(said[0]).toMatch(/removed the unanswered user message.*Go on with the new user message/);
    expect(said[1]).toMatch(/removed call a/);
  });
});

describe('sanitizeHistoryForResume', () => {
  const system = { part_kind: 'system-prompt', content: 'Be brief.' };

  test('strips run ids, system prompts and the messages they leave empty, in a copy', () => {
    const messages = freeze([
      { ...request(system), run_id: 'r1' },
      { ...request(system, prompt('hi')), run_id: 'r1', instructions: 'x' },
      { ...response(text('Hello')), runId: 'r1' },
    ]);
    expect(sanitizeHistoryForResume(messages)).toEqual([
      { ...request(prompt('hi')), instructions: 'x' },
      response(text('Hello')),
    ]);
  });

  test('the copy is always a list of its own, of the same messages where nothing had to go', () => {
    const messages = [user('hi'), say('Hello')];
    const copy = sanitizeHistoryForResume(messages);
    expect(copy).not.toBe(messages);
    expect(copy[0]).toBe(messages[0]);
  });

  test('objects keep their class', () => {
    const message = new ModelMessage('request', [
      ...(objects.system('x') as ModelMessage).parts,
      ...(objects.user('hi') as ModelMessage).parts,
    ]);
    expect(sanitizeHistoryForResume([message])).toEqual([objects.user('hi')]);
    expect(sanitizeHistoryForResume([message])[0]).toBeInstanceOf(ModelMessage);
  });

  test('messages around one that has gone stay', () => {
    const messages = [user('one'), response({ partKind: 'system-prompt', content: 'x' }), user('two')];
    expect(sanitizeHistoryForResume(messages)).toEqual([user('one'), user('two')]);
  });

  test('system messages of other dialects go too', () => {
    const messages = [chat.system('Be brief.'), { role: 'developer', content: 'x' }, chat.user('hi')];
    expect(sanitizeHistoryForResume(messages)).toEqual([chat.user('hi')]);
  });

  test.each(
    Object.entries({
      plain: (type: string): object => ({ type, content: 'hi' }),
      stored: (type: string): object => ({ type, data: { content: 'hi' } }),
      serialised: (type: string): object => ({
        lc: 1,
        type: 'constructor',
        id: ['langchain_core', 'messages', type === 'human' ? 'HumanMessage' : 'SystemMessage'],
        kwargs: { content: 'hi' },
      }),
    }),
  )('finds system messages that name no role, %s', (_, told) => {
    expect(sanitizeHistoryForResume([told('system'), told('human')])).toEqual([told('human')]);
  });

  test('an empty response that was there before is not its business', () => {
    const messages = [user('hi'), empty];
    expect(sanitizeHistoryForResume(messages)).toEqual(messages);
  });

  test('nothing makes it throw', () => {
    const hostile = {
      run_id: 'r',
      get kind(): unknown {
        throw new Error('no');
      },
    };
    expect(sanitizeHistoryForResume([hostile, null, 7])).toEqual(
      [{}, null, 7].map((each) => each && expect.anything()),
    );
    expect(sanitizeHistoryForResume(undefined as never)).toEqual([]);
  });

  test('what tells its run by its class is unbound, and the stored message is not', () => {
    class Bound extends ModelMessage {
      get run_id(): string {
        return 'r1';
      }
    }
    const message = new Bound('request', (objects.user('hi') as ModelMessage).parts);
    const [copy] = sanitizeHistoryForResume([message]);
    expect([copy?.run_id, message.run_id, copy?.parts]).toEqual([undefined, 'r1', message.parts]);
    expect(copy).toBeInstanceOf(Bound);
  });

  test('a place with nothing in it is no message that was removed', () => {
    const messages = [user('1'), undefined, user('2')];
    expect(sanitizeHistoryForResume(messages)).toEqual(messages);
  });

  test('says what it stripped', () => {
    const said: string[] = [];
    const logger = { lifecycle: (line: string) => void said.push(line) };
    sanitizeHistoryForResume([{ ...request(prompt('hi')), run_id: 'r' }], { logger });
    sanitizeHistoryForResume([request(system), user('hi')], { logger });
    sanitizeHistoryForResume([user('hi')], { logger });
    expect(said).toEqual([
      'Cleaned the message history: stripped system prompts and run ids. Go on with this copy; the stored ' +
        'messages are as they were.',
      'Cleaned the message history: stripped system prompts and run ids, and 1 messages left empty by that. Go ' +
        'on with this copy; the stored messages are as they were.',
    ]);
  });

  test.each([null, undefined, 'text', { length: 1 }])(
    'stripSystemPromptParts gives back %o, which is no list',
    (parts) => {
      expect(stripSystemPromptParts(parts as unknown as readonly unknown[])).toBe(parts);
    },
  );

  test('stripSystemPromptParts gives back the same parts when none is a system prompt', () => {
    const parts = [prompt('hi')];
    expect(stripSystemPromptParts(parts)).toBe(parts);
    expect(stripSystemPromptParts([system, ...parts])).toEqual(parts);
    const none: object[] = [];
    expect(stripSystemPromptParts(none)).toBe(none);
  });
});

describe('the logger', () => {
  const broken = [user('read'), say('Reading.', 'a')];
  const heard = (make: (listen: (line: string) => void) => resume.CleanupLogger): string[] => {
    const lines: string[] = [];
    runCleanupLoop(broken, {}, { logger: make((line) => void lines.push(line)) });
    return lines;
  };

  test.for([
    ['a function', (listen: (line: string) => void) => listen],
    ['logSystemMessage', (logSystemMessage: (line: string) => void) => ({ logSystemMessage })],
    ['lifecycle', (lifecycle: (line: string) => void) => ({ lifecycle })],
    ['info', (info: (line: string) => void) => ({ info })],
    ['warn', (warn: (line: string) => void) => ({ warn })],
  ] as const)('%s is enough', ([, make]) => {
    expect(heard(make)).toEqual([
      'Cleaned the message history: removed call a to read, which has no result. Go on with the returned ' +
        'messages in place of the stored ones.',
    ]);
  });

  test('a logger without any of them, or one that throws, changes nothing', () => {
    expect(heard(() => ({}))).toEqual([]);
    const { messages } = runCleanupLoop(
      broken,
      {},
      {
        logger: () => {
          throw new Error('disk full');
        },
      },
    );
    expect(messages).toEqual([user('read'), say('Reading.')]);
  });

  test('a method is called on its object', () => {
    class Log {
      lines: string[] = [];
      info(line: string): void {
        this.lines.push(line);
      }
    }
    const logger = new Log();
    runCleanupLoop(broken, {}, { logger });
    expect(logger.lines).toHaveLength(1);
  });

  test('a long list of changes is cut', () => {
    const many = Array.from({ length: 30 }, (_, i) => [user(String(i)), say('Reading.', `c${String(i)}`)]).flat();
    const lines: string[] = [];
    runCleanupLoop(many, {}, { logger: (line) => void lines.push(line) });
    expect(lines[0]).toMatch(/and 10 more changes like these\. Go on/);
  });
});
