import { describe, expect, test } from 'vitest';
import { check, createChecker, RESULT_TEXTS, type Dialect, type Finding, type TargetInput } from '../../src/index.ts';
import { dialects, sampleAt } from '../fuzz/histories.ts';
import { seedAt } from '../fuzz/random.ts';
import { messagesIn } from '../fuzz/reading.ts';

const brief = (findings: readonly Finding[]): string[] => findings.map(({ rule, at }) => `${rule} ${at.pointer}`);

function pushed(dialect: Dialect, messages: readonly unknown[]): string[][] {
  const checker = createChecker(dialect);
  return messages.map((message) => brief(checker.push(message)));
}

const user = { role: 'user', content: 'go' };
const chatCall = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
};
const sdkCall = {
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'ls', input: {} }],
};
const chainUser = { type: 'human', content: 'go' };
const chainCall = { type: 'ai', content: '', tool_calls: [{ name: 'ls', args: {}, id: 'c1', type: 'tool_call' }] };
const item = { type: 'function_call', call_id: 'a', name: 'ls', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'a', output: 'x' };

describe('a checker', () => {
  test('reports the mark of an answer to be continued as soon as something follows it', () => {
    const marked = { role: 'assistant', content: 'Hello, I', prefix: true };
    expect(pushed('mistral-chat', [user, marked, user, user])).toEqual([[], [], ['prefix-not-last /1'], []]);
  });

  test.each([
    ['openai-chat', [user, chatCall, user], '/1/tool_calls/0'],
    ['ai-sdk-model', [user, sdkCall, user], '/1/content/0'],
    ['langchain', [chainUser, chainCall, chainUser], '/1/tool_calls/0'],
  ] as const)('of %s reports an open call when the user speaks, and once', (dialect, messages, place) => {
    const [, call, spoken] = messages;
    expect(pushed(dialect, [...messages, spoken, call])).toEqual([[], [], [`call-without-result ${place}`], [], []]);
  });

  test('waits with a result without a call until the user speaks, because its call may come', () => {
    expect(pushed('openai-responses', [output, item, user])).toEqual([[], [], ['result-before-call /0']]);
    expect(pushed('openai-responses', [output, user, user])).toEqual([[], ['result-without-call /0'], []]);
  });

  test('waits for as many strange results as calls are open', () => {
    const two = { ...chatCall, tool_calls: ['a', 'b'].flatMap((id) => chatCall.tool_calls.map((c) => ({ ...c, id }))) };
    const strange = (id: string): object => ({ role: 'tool', tool_call_id: id, content: 'x' });
    expect(pushed('openai-chat', [user, two, strange('x'), strange('y')])).toEqual([
      [],
      [],
      [],
      ['result-misnamed /2', 'result-misnamed /3'],
    ]);
  });

  test('tells at any time what a check of the whole history tells', () => {
    const checker = createChecker('openai-responses');
    checker.push(output);
    expect(brief(checker.findings())).toEqual(['result-without-call /0']);
    checker.push(item);
    expect(brief(checker.findings())).toEqual(['result-before-call /0']);
  });

  test('settles a call in the kind of output that it asks for, and leaves one that no text can close', () => {
    const checker = createChecker('openai-responses');
    checker.push({ type: 'shell_call', call_id: 's', action: { commands: ['ls'] } });
    checker.push({ type: 'computer_call', call_id: 'c', action: { type: 'screenshot' } });
    const shell = (text: string, outcome: object): object => ({
      type: 'shell_call_output',
      call_id: 's',
      output: [{ stdout: '', stderr: text, outcome }],
    });
    expect(checker.settle()).toEqual([shell(RESULT_TEXTS.unknown, { type: 'timeout' })]);
    expect(checker.settle({ s: 'not-started' })).toEqual([
      shell(RESULT_TEXTS['not-started'], { type: 'exit', exit_code: 126 }),
    ]);
  });
});

type Exception = {
  readonly dialects?: readonly Dialect[];
  /** Only while calls are open at the end, or where pushing told one of `joined`. */
  readonly open?: true;
  /** Rules that are told of a result which is joined otherwise once more of the history is there. */
  readonly joined?: readonly string[];
  readonly why: string;
};

const ITEMS = ['openai-responses', 'openai-agents'] as const;

/** Rules that a check of the whole history finds and pushing it need not: `findings` tells them at any time. */
const LATER: Readonly<Record<string, Exception>> = {
  'call-without-result': {
    open: true,
    joined: ['result-misnamed', 'late-result'],
    why: 'a call that nothing can settle waits until the history goes on, as one does whose result was meant for another',
  },
  'result-without-call': { why: 'its call, or as many strange results as calls are open, may still come' },
  'result-misnamed': { dialects: ITEMS, why: 'a call of the id that the result names may still come' },
  'reasoning-unfollowed': { dialects: ITEMS, why: 'what came of the reasoning may still come' },
  'too-many-cache-markers': { why: 'only the newest may stay, and the end decides which those are' },
  'too-many-images': { why: 'only the newest may stay, and the end decides which those are' },
};

/** Rules that pushing finds, because a request would be refused then, and a check of the whole history does not. */
const SOONER: Readonly<Record<string, Exception>> = {
  'call-without-result': { why: 'its result came late, and is found to be out of place or taken as it is' },
  'result-without-call': { dialects: ITEMS, why: 'a call of its id came after the user had spoken' },
  'result-misnamed': { why: 'the result that was missing came in a later message of the turn' },
  'result-displaced': { joined: ['duplicate-result'], why: 'a result before it is joined with the call as well' },
  'call-unsigned': { dialects: ['gemini'], why: 'signatures count only since the user last spoke' },
  'approval-without-request': { dialects: ['ai-sdk-model'], why: 'a decision counts only while it comes last' },
  'empty-message': { dialects: ['ai-sdk-model'], why: 'what came after it hides it no longer' },
};

type Pushed = { readonly dialect: Dialect; readonly open: boolean; readonly told: ReadonlySet<string> };

function explains(exception: Exception | undefined, { dialect, open, told }: Pushed): boolean {
  if (exception === undefined || exception.dialects?.includes(dialect) === false) return false;
  if (exception.open === true && open) return true;
  const { joined } = exception;
  return joined === undefined ? exception.open !== true : joined.some((rule) => told.has(rule));
}

const COUNT = 1500;
const SEED = Number(process.env['RETHREAD_SEED'] ?? 20261116);

const refused = (findings: readonly Finding[]): Set<string> =>
  new Set(findings.filter(({ severity }) => severity === 'rejected').map(({ rule }) => rule));

test.each(dialects)('in %s pushing finds the rules that a check of all that was pushed finds', (dialect) => {
  const surprising: string[] = [];
  for (let index = 0; index < COUNT; index += 1) {
    const seed = seedAt(SEED, index);
    const sample = sampleAt(seed, dialect);
    const target: TargetInput = { ...sample.target, purpose: 'history' };
    const checker = createChecker(target);
    const messages = [...messagesIn(sample.input)];
    const found = messages.flatMap((message) => checker.push(message));
    for (const message of checker.settle()) {
      messages.push(message);
      found.push(...checker.push(message));
    }
    const whole = check(messages, target).findings;
    expect(checker.findings()).toEqual(whole);
    const [now, then] = [refused(found), refused(whole)];
    const pushed = { dialect, open: checker.open().length > 0, told: new Set(found.map(({ rule }) => rule)) };
    const told = [...now].filter((rule) => !then.has(rule) && !explains(SOONER[rule], pushed));
    const untold = [...then].filter((rule) => !now.has(rule) && !explains(LATER[rule], pushed));
    for (const rule of told) surprising.push(`seed ${seed}: ${rule} is told`);
    for (const rule of untold) surprising.push(`seed ${seed}: ${rule} is not told`);
  }
  expect(surprising).toEqual([]);
});
