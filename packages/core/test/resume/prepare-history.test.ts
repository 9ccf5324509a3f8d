import { describe, expect, test } from 'vitest';
import { SUMMARY_HEADING } from '../../src/model/summary-message.ts';
import * as core from '../../src/index.ts';
import { decode, filterCompacted } from '../../src/index.ts';
import * as resume from '../../src/resume/index.ts';
import { prepareHistory, pruneOldToolOutputs, runCleanupLoop, splitHead } from '../../src/resume/index.ts';
import { anthropic, bedrock, chat, gemini as geminiWords, pydantic, responses } from '../words.ts';

const { system, text } = anthropic;

type Wire = object;

const user = (content: string): Wire => ({ role: 'user', content });
const say = (content: string): Wire => ({ role: 'assistant', content });
const summary = (content: string): Wire => user(`${SUMMARY_HEADING}\n${content}`);
const call = (id: string): Wire => chat.say(chat.call(id));
const result = (id: string, content: string): Wire => chat.result(id, content);
const bulk = 'a line of some output\n'.repeat(200);
const eager = { protectTokens: 0, protectTurns: 0, minFreedTokens: 0 };

const old = [user('one'), call('c1'), result('c1', bulk), say('1')];
const later = [user('two'), call('c2'), result('c2', bulk), say('2')];

describe('the plan of the resume module', () => {
  test('T1.1: the module is there, with every function of its slices, its pruning and its filter', () => {
    const { filterCompacted: filter, prepareHistory: prepare, pruneOldToolOutputs: prune } = resume;
    expect([filter, prepare, prune, splitHead, runCleanupLoop].every((each) => typeof each === 'function')).toBe(true);
    expect(core.splitHead).toBe(resume.splitHead);
    expect(core.pruneOldToolOutputs).toBe(resume.pruneOldToolOutputs);
    expect(core.filterCompacted).toBe(resume.filterCompacted);
  });

  test('T3.1: pruneOldToolOutputs is accessible, and gives back what it has freed', () => {
    const { output, freedTokens } = pruneOldToolOutputs(old, eager);
    expect(freedTokens).toBeGreaterThan(900);
    expect(output).toHaveLength(4);
  });

  test('T5.1: filterCompacted scans backwards, stops at the newest summary, and gives what begins there', () => {
    const list = [...old, summary('first'), say('I see.'), ...later, summary('second'), say('I see.'), ...later];
    expect(filterCompacted(list)).toEqual(list.slice(10));
    expect(filterCompacted(list)[0]).toBe(list[10]);
  });

  test('T5.2: prepareHistory filters, then prunes, then cleans', () => {
    const dangling = call('c9');
    const list = [...old, summary('first'), say('I see.'), ...later, dangling];
    const prepared = prepareHistory(list, eager);
    expect(prepared[0]).toBe(list[4]);
    expect(prepared).not.toContain(dangling);
    expect(JSON.stringify(prepared)).not.toContain('a line of some output');
    const filtered = filterCompacted(list);
    const cleaned = runCleanupLoop(pruneOldToolOutputs(filtered, eager).output).messages;
    expect(prepared).toEqual(cleaned);
  });
});

describe('a list that begins at its newest summary', () => {
  test('keeps what the system said first', () => {
    const rules = system('rules');
    const list = [rules, ...old, summary('first'), say('I see.')];
    expect(filterCompacted(list)).toEqual([rules, ...list.slice(5)]);
  });

  test('keeps what a framework put beside the first words, and does not say it twice', () => {
    const request = (...parts: object[]): object => ({ kind: 'request', parts });
    const prompt = (content: string): object => ({ part_kind: 'user-prompt', content });
    const answer = pydantic.say('well');
    const told = pydantic.instruction('SYS');
    const short = request(prompt(`${SUMMARY_HEADING}\nfirst`));
    const tail = [answer, request(prompt('go on'))];
    const whole = request(told, prompt(`${SUMMARY_HEADING}\nfirst`));
    expect(filterCompacted([request(told, prompt('1')), answer, short, ...tail])).toEqual([whole, ...tail]);
    const twice = [request(told, prompt('1')), answer, whole, ...tail];
    expect(filterCompacted(twice)).toEqual([whole, ...tail]);
    expect(filterCompacted(twice)[0]).toBe(whole);
    expect(prepareHistory([request(told, prompt('1')), answer, short, ...tail])).toEqual([whole, ...tail]);
  });

  test('is the list itself where there is no summary, where it is the first, and where nothing can be read', () => {
    const list = [summary('first'), say('I see.'), ...later];
    const strange = [1, 2];
    const rules = [system('rules')];
    for (const each of [old, list, strange, rules]) expect(filterCompacted(each)).toBe(each);
  });

  test('does not begin where a pair would be torn', () => {
    const list = [
      anthropic.user('look'),
      anthropic.user(`${SUMMARY_HEADING}\nfirst`),
      responses.call('c1'),
      anthropic.user(`${SUMMARY_HEADING}\nsecond`),
      responses.result('c1', 'a'),
    ];
    expect(filterCompacted(list, 'openai-responses')).toEqual(list.slice(1));
  });

  test('a summary that a person’s words were joined to is one', () => {
    const joined = anthropic.user(`${SUMMARY_HEADING}\nfirst`, 'and now?');
    const list = [...old, joined, say('well')];
    expect(filterCompacted(list)).toEqual(list.slice(4));
  });

  test('a request and a history stay what they are', () => {
    const list = [...old, summary('first'), say('I see.')];
    const body = { model: 'gpt-5', messages: list };
    expect(filterCompacted(body)).toEqual({ model: 'gpt-5', messages: list.slice(4) });
    const history = decode(list, 'openai-chat');
    expect(filterCompacted(history)).toEqual({ dialect: 'openai-chat', messages: history?.messages.slice(4) });
  });
});

describe('a history made ready', () => {
  test('is the input itself where nothing was needed', () => {
    const list = [...old, ...later];
    const body = { model: 'gpt-5', messages: list };
    expect(prepareHistory(list)).toBe(list);
    expect(prepareHistory(body)).toBe(body);
    const strange = [1, 2];
    expect(prepareHistory(strange)).toBe(strange);
  });

  test('keeps a summary that stands directly before the words of a person', () => {
    const list = [...old, summary('first'), user('go on'), say('well')];
    expect(prepareHistory(list)).toEqual(list.slice(4));
  });

  test('tells the logger what was cleaned', () => {
    const told: string[] = [];
    prepareHistory([...old, call('c9')], { logger: (line) => void told.push(line) });
    expect(told.join(' ')).toContain('Cleaned the message history');
  });

  test('is sendable where the steps of the loop alone would leave something behind', () => {
    const list = [user('hi'), call('abcdefgh1'), result('abcdefgh1', 'x'), anthropic.say(''), user('so')];
    const target = { dialect: 'mistral-chat', model: 'mistral-small-2409' } as const;
    const prepared = prepareHistory(list, { target });
    expect(core.check(prepared, { ...target, purpose: 'history' }).verdict).toBe('clean');
  });

  const pair = [
    anthropic.user('x'),
    anthropic.say(anthropic.call('a', 'f')),
    anthropic.user(anthropic.result('a', 'r')),
  ];
  const rules = system('BE NICE');

  test('has the words of the system in the field that a request has for them, and says so', () => {
    const told: string[] = [];
    const logger = (line: string): void => void told.push(line);
    const body = { model: 'claude-sonnet-4-5', max_tokens: 10, messages: [rules, ...pair] };
    const prepared = prepareHistory(body, { logger });
    expect(prepared).toEqual({ ...body, system: [text('BE NICE')], messages: pair });
    expect(told.join(' ')).toContain('moved the system message out of the list');
    const contents = [geminiWords.user('x')];
    const gemini = { contents: [geminiWords.system('BE NICE'), ...contents] };
    expect(prepareHistory(gemini, { logger })).toEqual({
      contents,
      systemInstruction: { parts: [geminiWords.text('BE NICE')] },
    });
  });

  test.for([
    ['anthropic-messages', [rules, ...pair]],
    ['bedrock-converse', [bedrock.system('BE NICE'), bedrock.user('x')]],
  ] as const)('hands over what a bare list of %s has no place for, and tells it', ([target, list]) => {
    const told: string[] = [];
    const lifted: unknown[] = [];
    const prepared = prepareHistory(list as readonly unknown[], {
      target,
      logger: (line) => void told.push(line),
      onLifted: (messages) => void lifted.push(...messages),
    });
    expect(prepared).toEqual(list.slice(1));
    expect(lifted).toEqual(list.slice(0, 1));
    expect(told.join(' ')).toContain('BE NICE');
    expect(prepareHistory(list as readonly unknown[], { target })).toEqual(prepared);
  });

  test('tells the words alone of a system message that shows something as well', () => {
    const told: string[] = [];
    const shown = { type: 'future', shown: true };
    const list = [system('BE NICE', shown), ...pair];
    prepareHistory(list, { target: 'anthropic-messages', logger: (line) => void told.push(line) });
    expect(told.join(' ')).toMatch(/the system field of the request: BE NICE$/);
  });

  test('of a decoded history hands over the same, and stays one', () => {
    const lifted: unknown[] = [];
    const history = decode([rules, ...pair], 'anthropic-messages');
    const prepared = prepareHistory(history, { onLifted: (messages) => void lifted.push(...messages) });
    expect(prepared).toEqual({ dialect: 'anthropic-messages', messages: history?.messages.slice(1) });
    expect(lifted).toEqual([rules]);
  });

  test('is divided by splitHead from the same module', () => {
    expect(splitHead([...old, ...later], { minKeepTail: 1 }).head).toEqual(old);
  });
});

describe('a history that is prepared again', () => {
  const user = (content: string): object => ({ role: 'user', content: [{ type: 'text', text: content }] });
  const asked = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] };
  const empty = { role: 'assistant', content: [{ type: 'text', text: '' }] };
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] };

  test('is cleaned again behind a repair that took something out', () => {
    const list = [user('1'), empty, user('2'), asked, result];
    expect(prepareHistory(list)).toEqual([user('2'), asked, result]);
    const body = { model: 'claude-sonnet-4-5', max_tokens: 1, messages: list };
    expect(prepareHistory(body)).toEqual({ ...body, messages: [user('2'), asked, result] });
  });

  test('gives all lifted messages at once', () => {
    const system = { role: 'system', content: 'Be brief.' };
    const lifted: unknown[] = [];
    const list = [system, user('1'), empty, user('2'), asked, result];
    const prepared = prepareHistory(list, { onLifted: (messages) => lifted.push(messages) });
    expect(prepared).toEqual([user('2'), asked, result]);
    expect(lifted).toEqual([[system]]);
  });
});
