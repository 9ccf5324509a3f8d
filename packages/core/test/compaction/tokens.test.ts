import * as fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';

import { generateTexts, textKinds } from '../../../../bench/token-texts.ts';
import { calibrate, decode, estimateTokens, generateSummary, type Dialect } from '../../src/index.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 }).map((codes) => String.fromCharCode(...codes)),
  fc.constantFrom(...generateTexts(3, 2).map((each) => each.text.slice(0, 400))),
);

describe('the estimate of a text', () => {
  test('is a whole number, at least one for a text that is not empty', () => {
    fc.assert(
      fc.property(text, (given) => {
        const tokens = estimateTokens(given);
        expect(Number.isSafeInteger(tokens)).toBe(true);
        expect(tokens).toBeGreaterThanOrEqual(given === '' ? 0 : 1);
        expect(tokens).toBeLessThanOrEqual(4 * given.length);
      }),
    );
  });

  test('is the same for the same text, however it was put together', () => {
    fc.assert(
      fc.property(text, text, (one, two) => {
        expect(estimateTokens(one + two)).toBe(estimateTokens(Array.from(`${one}${two}`).join('')));
      }),
    );
  });

  test('of two texts joined is what they take apart, but for the word at the joint', () => {
    fc.assert(
      fc.property(text, text, (one, two) => {
        const [joined, apart] = [estimateTokens(`${one} \n${two}`), estimateTokens(one) + estimateTokens(two)];
        expect(Math.abs(joined - apart)).toBeLessThanOrEqual(6);
      }),
    );
  });

  test('does not fall when text is added, but for the word at the joint', () => {
    fc.assert(
      fc.property(text, text, (one, two) => {
        expect(estimateTokens(one + two)).toBeGreaterThanOrEqual(estimateTokens(one) - 3);
      }),
    );
  });

  test.each(['\t', ' ', '-', '字'])('a long run of %j takes less than as many single ones', (symbol) => {
    const run = estimateTokens(symbol.repeat(60));
    expect(run).toBeGreaterThanOrEqual(1);
    expect(run).toBeLessThan(60 * estimateTokens(symbol));
  });

  test('is within 15 % of a tokenizer for all but one text in a hundred on either side', () => {
    const errors = generateTexts(1, 40)
      .map((each) => estimateTokens(each.text) / countTokens(each.text) - 1)
      .sort((a, b) => a - b);
    const at = (share: number): number => errors[Math.round(share * (errors.length - 1))] ?? Number.NaN;
    expect(errors.length).toBe(40 * textKinds.length);
    expect(at(0.01)).toBeGreaterThan(-0.15);
    expect(at(0.5)).toBeGreaterThan(-0.05);
    expect(at(0.5)).toBeLessThan(0.05);
    expect(at(0.99)).toBeLessThan(0.15);
  });

  test('of a text too long to be read whole is within a twentieth of its parts', () => {
    const parts = generateTexts(5, 30).map((each) => each.text);
    const long = parts.join('\n');
    const whole = parts.reduce((sum, part) => sum + estimateTokens(part), 0);
    expect(long.length).toBeGreaterThan(1 << 20);
    expect(Math.abs(estimateTokens(long) / whole - 1)).toBeLessThan(0.05);
    expect(estimateTokens(long)).toBe(estimateTokens(long));
  });
});

const png = 'iVBORw0KGgoAAAANSUhEUgAA'.repeat(20_000);
const question = 'What is in this picture, and who might have drawn it?';

const withPicture: readonly [Dialect, unknown, unknown][] = [
  [
    'anthropic-messages',
    { role: 'user', content: [{ type: 'text', text: question }] },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
  ],
  [
    'openai-chat',
    { role: 'user', content: [{ type: 'text', text: question }] },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
  ],
  [
    'openai-responses',
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: question }] },
    { type: 'input_image', image_url: `data:image/png;base64,${png}` },
  ],
  ['gemini', { role: 'user', parts: [{ text: question }] }, { inlineData: { mimeType: 'image/png', data: png } }],
];

describe('the estimate of messages', () => {
  test.each(withPicture)('%s: a picture counts as one, not as its bytes', (dialect, plain, picture) => {
    const message = structuredClone(plain) as Record<string, unknown[]>;
    (message['content'] ?? message['parts'])?.push(picture);
    const [without, having] = [estimateTokens([plain], dialect), estimateTokens([message], dialect)];
    expect(without).toBeGreaterThanOrEqual(estimateTokens(question));
    expect(having - without).toBeGreaterThan(500);
    expect(having - without).toBeLessThan(3_000);
  });

  test.each([
    ['as base64', { kind: 'binary', data: png, media_type: 'image/png' }],
    ['as bytes', { kind: 'binary', data: new Uint8Array(500_000), media_type: 'image/png' }],
    ['as bytes that know a JSON form', { kind: 'binary', data: Buffer.alloc(500_000), media_type: 'image/png' }],
    ['in its address', { kind: 'image-url', url: `data:image/png;base64,${png}` }],
    ['by its address', { kind: 'image-url', url: 'https://example.com/a.png' }],
  ])('pydantic-ai: a picture among the words of a prompt, %s, counts as one and is not told', async (_, picture) => {
    const prompt = (content: unknown): unknown => ({ kind: 'request', parts: [{ part_kind: 'user-prompt', content }] });
    const [plain, message] = [prompt([question]), prompt([question, picture, { kind: 'cache-point' }])];
    const [without, having] = [estimateTokens([plain], 'pydantic-ai'), estimateTokens([message], 'pydantic-ai')];
    expect(having - without).toBeGreaterThan(500);
    expect(having - without).toBeLessThan(3_000);
    const asked: string[] = [];
    const model = async ({ text: given }: { text: string }): Promise<string> => {
      asked.push(given);
      return Promise.resolve('## Goal\n- to look');
    };
    await generateSummary([message], { model });
    const byRules = await generateSummary([message]);
    for (const told of [asked.join(''), byRules.content]) {
      expect(told).toContain(question);
      expect(told).toContain('[image');
      expect(told.length).toBeLessThan(3_000);
    }
  });

  test('a picture as bytes that know a JSON form counts as one, wherever it stands', () => {
    const message = { role: 'user', content: [{ type: 'image', image: Buffer.alloc(500_000) }] };
    expect(estimateTokens([message], 'ai-sdk-model')).toBeLessThan(3_000);
  });

  test('a picture inside a result counts as one, and the text beside it as text', () => {
    const source = { type: 'base64', media_type: 'image/png', data: png };
    const result = (content: unknown): unknown => [
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
    ];
    const plain = estimateTokens(result([{ type: 'text', text: question }]), 'anthropic-messages');
    const both = estimateTokens(
      result([
        { type: 'text', text: question },
        { type: 'image', source },
      ]),
      'anthropic-messages',
    );
    expect(both - plain).toBeGreaterThan(500);
    expect(both - plain).toBeLessThan(3_000);
  });

  test('arguments and results count, and so does what surrounds a call', () => {
    const call = (content: string): unknown[] => [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: content } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
    ];
    const [short, long] = [estimateTokens(call('a.ts')), estimateTokens(call(question))];
    const more = estimateTokens(question) - estimateTokens('a.ts');
    expect(short).toBeGreaterThan(20);
    expect(Math.abs(long - short - 2 * more)).toBeLessThanOrEqual(4);
  });

  test('a message, a list, a history and a request are told apart', () => {
    const message = { role: 'user', content: question };
    const one = estimateTokens(message, 'openai-chat');
    expect(one).toBeGreaterThan(estimateTokens(question));
    expect(estimateTokens([message, message], 'openai-chat')).toBe(2 * one);
    const history = decode([message], 'openai-chat');
    expect(estimateTokens(history)).toBe(one);
    expect(estimateTokens(history?.messages[0])).toBe(one);
    const body = { model: 'any', messages: [message], tools: [{ type: 'function', function: { name: 'read' } }] };
    expect(estimateTokens(body, 'openai-chat')).toBeGreaterThan(one + 5);
  });

  test.each([
    ['image', { type: 'file', file_id: 'file_1' }, 1_500],
    ['document', { type: 'file', file_id: 'file_2' }, 3_000],
    ['document', { type: 'text', media_type: 'text/plain', data: 'a word '.repeat(1_000) }, 2_000],
  ])('a %s that is only named, or is nothing but text, counts as what it stands for', (type, source, about) => {
    const message = { role: 'user', content: [{ type, source }] };
    const tokens = estimateTokens([message], 'anthropic-messages');
    expect(tokens).toBeGreaterThan(0.8 * about);
    expect(tokens).toBeLessThan(1.2 * about);
  });

  test('what a request says before its messages counts', () => {
    const messages = [{ role: 'user', content: question }];
    const system = 'Answer in one word. '.repeat(20);
    const [without, having] = [{ messages }, { system, messages }].map((body) => estimateTokens(body));
    expect(having).toBe((without ?? 0) + estimateTokens(system));
  });

  test('a counter that is given counts the texts', () => {
    const message = { role: 'user', content: question };
    const overhead = estimateTokens([message], 'openai-chat', () => 0);
    expect(estimateTokens([message], 'openai-chat', () => 1_000)).toBe(1_000 + overhead);
  });

  test('nothing makes it throw', () => {
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    const hostile = {
      get role() {
        throw new Error('no');
      },
    };
    for (const each of [undefined, null, 7, true, [], {}, cyclic, hostile, [hostile], 10n, () => 1, Symbol('s')]) {
      expect(estimateTokens(each)).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('a calibrated counter', () => {
  const counter = (given: string): number => given.length;

  test('gives the provider’s figure for what it was asked about', () => {
    expect(calibrate(counter, { estimated: 1_000, actual: 1_200 })('x'.repeat(1_000))).toBe(1_200);
    expect(calibrate(counter, { estimated: 1_000, actual: 800 })('x'.repeat(500))).toBe(400);
  });

  test.each([
    ['nothing was estimated', { estimated: 0, actual: 10 }],
    ['nothing was counted', { estimated: 10, actual: 0 }],
    ['the figure is none', { estimated: 10, actual: Number.NaN }],
    ['the figures are of different things', { estimated: 10, actual: 1_000 }],
    ['the estimate was right', { estimated: 10, actual: 10 }],
  ])('is the counter itself where %s', (_, usage) => {
    expect(calibrate(counter, usage)).toBe(counter);
  });
});
