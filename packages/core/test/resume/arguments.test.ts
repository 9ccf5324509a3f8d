import { describe, expect, test } from 'vitest';
import * as resume from '../../src/resume/index.ts';
import { chat, dicts } from '../speakers.ts';
import { agents, anthropic, chat as chatWords, gemini, responses } from '../words.ts';

const {
  dropTrailingRequest,
  findDanglingToolCallIds,
  removeDanglingToolCalls,
  runCleanupLoop,
  sanitizeHistoryForResume,
} = resume;
const { user, say, results } = dicts;

describe('a result under another id than the call before it', () => {
  const asked = chatWords.user('hi');
  const lists: readonly (readonly [string, unknown[]])[] = [
    ['openai-responses', [asked, responses.call('a', 'f'), responses.result('b', 'x')]],
    [
      'openai-responses, of another kind of tool',
      [asked, responses.call('a', 'f'), { type: 'shell_call_output', call_id: 'a', output: [] }],
    ],
    [
      'openai-agents',
      [
        { type: 'message', role: 'user', content: 'hi' },
        agents.call('a', 'f'),
        {
          type: 'function_call_result',
          callId: 'b',
          name: 'f',
          status: 'completed',
          output: anthropic.text('x'),
        },
      ],
    ],
    ['openai-chat', [chat.user('hi'), chat.say('', 'a'), ...chat.results('b')]],
    ['pydantic-ai', [user('hi'), say('', 'a'), ...results('b')]],
  ];

  test.for(lists)('in %s leaves the call dangling, and neither stays', ([, list]) => {
    expect([...findDanglingToolCallIds(list)]).toEqual(['a']);
    expect(resume.findIncompleteToolCalls(list)).toEqual([{ message: 1, toolCallIds: ['a'] }]);
    expect(resume.removeOrphanedToolResults(list)).toEqual(list.slice(0, 2));
    expect(runCleanupLoop(list).messages).toEqual(list.slice(0, 1));
  });

  test('answers it where a provider counts results and asks for no id', () => {
    const pair = (call: object, response: object): unknown[] => [
      gemini.user('hi'),
      gemini.say({ functionCall: { name: 'a', args: {}, ...call }, thoughtSignature: 'c2ln' }),
      gemini.user({ functionResponse: { name: 'b', response: { r: 1 }, ...response } }),
      gemini.user('and?'),
    ];
    const list = pair({}, {});
    expect(resume.validateMessageStructure(list)).toEqual({ valid: true, errors: [] });
    expect(resume.findIncompleteToolCalls(list)).toEqual([]);
    expect(runCleanupLoop(list).messages).toBe(list);
    const both = [
      gemini.user('hi'),
      { role: 'model', parts: ['a', 'c'].map((name) => gemini.call(name)) },
      { role: 'user', parts: ['a', 'b'].map((name) => ({ functionResponse: { name, response: {} } })) },
    ];
    expect(resume.findIncompleteToolCalls(both)).toEqual([]);
    expect(resume.findIncompleteToolCalls(pair({ id: '1' }, { id: '2' }))).toEqual([
      { message: 1, toolCallIds: ['1'] },
    ]);
  });
});

describe('what callers may hand over', () => {
  const broken = [user('one'), say('', 'a'), user('two')];
  const nothing = null as never;

  test('null is the same as nothing', () => {
    expect(runCleanupLoop(broken, nothing, nothing)).toEqual(runCleanupLoop(broken));
    expect(runCleanupLoop(broken, {}, { logger: nothing }).messages).toEqual([user('two')]);
    expect(dropTrailingRequest(broken, nothing)).toEqual(dropTrailingRequest(broken));
    expect(sanitizeHistoryForResume(broken, nothing)).toEqual(broken);
    expect(resume.prepareHistory(broken, nothing)).toEqual([user('two')]);
    expect(removeDanglingToolCalls(broken, nothing, nothing)).toEqual(removeDanglingToolCalls(broken));
    expect(resume.pruneOldToolOutputs(broken, nothing).output).toBe(broken);
    expect(resume.shouldCompact(broken, nothing)).toBe(false);
  });

  test('what is no list comes back as it is', () => {
    for (const given of [null, undefined, 5, {}, new Map()] as unknown as unknown[][]) {
      expect(dropTrailingRequest(given)).toEqual({ changed: false, messages: given });
      expect(runCleanupLoop(given)).toMatchObject({ changed: false, messages: given });
    }
  });

  test('one id may stand for a set of one', () => {
    expect(removeDanglingToolCalls([user('1'), say('x', 'ab')], {}, 'ab').messages).toEqual([user('1'), say('x')]);
  });

  test('a list whose every place throws is read from an inert copy', () => {
    const hostile = (): unknown[] =>
      new Proxy([user('hi')], {
        get: (target, key) => {
          if (key === '0' || key === Symbol.iterator) throw new Error('no');
          return Reflect.get(target, key) as unknown;
        },
      });
    const { proxy, revoke } = Proxy.revocable([user('hi')], {});
    revoke();
    for (const list of [hostile(), proxy]) {
      expect(Array.isArray(resume.sanitizeRecoveredMessages(list))).toBe(true);
      expect(Array.isArray(sanitizeHistoryForResume(list))).toBe(true);
      expect(() => dropTrailingRequest(list)).not.toThrow();
    }
  });

  test('a logger that fails later costs nothing', async () => {
    const failures: unknown[] = [];
    const note = (reason: unknown): void => void failures.push(reason);
    process.on('unhandledRejection', note);
    const logger = async (): Promise<void> => Promise.reject(new Error('no'));
    expect(runCleanupLoop(broken, {}, { logger }).messages).toEqual([user('two')]);
    expect(runCleanupLoop(broken, {}, { logger: { info: logger } }).messages).toEqual([user('two')]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('unhandledRejection', note);
    expect(failures).toEqual([]);
  });
});
