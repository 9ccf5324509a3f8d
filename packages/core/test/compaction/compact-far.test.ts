import { describe, expect, test } from 'vitest';
import { check, compact, isSummaryMessage, readSummaryMessage, undo, type CompactOptions } from '../../src/index.ts';

/** A history of more than eight budgets, of which only the end is looked at. */
const words = 'words and more words, '.repeat(20);
const turn = (n: number): object[] => [
  { role: 'user', content: `Read file ${n}.` },
  { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${n}`, name: 'read', input: { path: `${n}.txt` } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${n}`, content: words }] },
  { role: 'assistant', content: `File ${n} is read. ${words}` },
];
const turnsOf = (count: number): object[] => Array.from({ length: count }, (_, n) => turn(n)).flat();
const long = turnsOf(60);
const budgetTokens = 600;
const target = 'anthropic-messages';
const earlier = {
  role: 'user',
  content: [
    '[Summary of the earlier conversation]',
    'It stands for messages 0 to 9; it is a record and no instruction.',
    '',
    '## Goal',
    '- the goal of long ago',
  ].join('\n'),
};
const understood = { role: 'assistant', content: 'Understood. I go on from this summary.' };
const bare = { role: 'user', content: ['odd'] };

/** Compacts, and holds every promise that does not depend on the case. */
async function shorten(
  history: readonly unknown[],
  options: Partial<CompactOptions> = {},
): Promise<{ readonly output: readonly unknown[]; readonly summary: string }> {
  const made = await compact(history, { budgetTokens, target, ...options });
  const { history: output, checkpoint, report } = made;
  expect(report.steps[0]).toMatchObject({ step: 'clamp', outcome: 'refused' });
  // Whatever was wrong with it stands so far back that a summary stands for it now.
  expect(check(output, options.target ?? target).verdict).toBe('clean');
  expect(checkpoint && undo(checkpoint, output, options.target ?? target)).toEqual(history);
  return { output, summary: output.map((message) => readSummaryMessage(message)?.content ?? '').join('') };
}

describe('a history that is many times too long', () => {
  test('is not one that only shows pictures, whatever their bytes are', async () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo'.repeat(20_000) };
    const shown = { role: 'user', content: [{ type: 'image', source }] };
    const { report } = await compact([...turnsOf(8), shown], { budgetTokens: 2_000, target });
    expect(report.tokensBefore).toBeLessThan(8 * 2_000);
    expect(report.steps.map(({ note }) => note).join(' ')).not.toContain('times too long');
  });

  test('keeps its newest turns as the same objects, and tells of the first words of the user', async () => {
    const { output, summary } = await shorten(long);
    expect(isSummaryMessage(output[0])).toBe(true);
    expect(output.at(-4)).toBe(long.at(-4));
    expect(summary).toContain('Read file 0.');
  });

  test('keeps what the system says first', async () => {
    const history = [{ role: 'system', content: 'Be brief.' }, ...long.filter((_, index) => index % 4 === 0)];
    const many = [
      history[0],
      ...Array.from({ length: 40 }, () => [{ role: 'user', content: words }, understood]).flat(),
    ];
    const { output } = await shorten(many, { target: 'openai-chat' });
    expect([output[0], isSummaryMessage(output[1])]).toEqual([many[0], true]);
  });

  test.each([
    ['long ago', [...turn(100), earlier, understood, ...long]],
    ['after something that is no message', [earlier, understood, null, ...long]],
    ['before a list of bare words', [earlier, understood, ...long.slice(0, -40), bare, understood, ...long.slice(-40)]],
    ['in the newest turns', [...long, earlier, understood, ...turn(61)]],
  ])('merges a summary that was made %s', async (_, history) => {
    expect((await shorten(history)).summary).toContain('the goal of long ago');
  });

  test('merges an earlier summary among all that a user may send', async () => {
    const said = (role: string, ...parts: object[]): object => ({ role, parts });
    const step = (n: number): object[] => [
      said('user', { text: `Read file ${n}.` }),
      said('model', { functionCall: { id: `c${n}`, name: 'read', args: {} } }),
      said('user', { functionResponse: { id: `c${n}`, name: 'read', response: { output: words } } }),
      said('model', { text: words }),
    ];
    const picture = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
    const summed = said('user', { text: earlier.content });
    const history = [
      summed,
      said('model', { text: understood.content }),
      said('user', picture),
      said('model', { text: 'A picture.' }),
      said('user', { executableCode: { language: 'PYTHON', code: '1' } }, { text: 'Run this.' }),
      said('model', { text: 'Done.' }),
      ...Array.from({ length: 40 }, (_, n) => step(n)).flat(),
    ];
    const made = await shorten(history, { target: { dialect: 'gemini', model: 'gemini-2.5-pro' } });
    expect(made.summary).toContain('the goal of long ago');
  });

  test('is divided inside where it is one unbroken turn', async () => {
    const [asked, ...work] = turnsOf(150).filter((_, index) => index === 0 || index % 4 === 1 || index % 4 === 2);
    const { output } = await shorten([asked, ...work, understood]);
    expect(output).toContain(asked);
    expect(output.length).toBeLessThan(20);
  });

  test('keeps as many turns and messages as it is told to, also beyond its end', async () => {
    const turns = (await shorten(long, { keep: { minTurns: 30 } })).output;
    expect([turns.includes(long[120]), turns.includes(long[116])]).toEqual([true, false]);
    const messages = (await shorten(long, { keep: { minMessages: 101 } })).output;
    expect([messages.includes(long[136]), messages.includes(long[132])]).toEqual([true, false]);
  });

  test.each([5, 4 * 59 - 1])('keeps message %i where that is pinned', async (pin) => {
    const { output } = await shorten(long, { pins: [pin] });
    expect(output).toContain(long[pin]);
  });

  test('has a longer end where its words weigh less than their characters', async () => {
    const count = (text: string): number => Math.ceil(text.length / 100);
    const lean = await shorten(long, { count });
    expect(lean.output.length).toBeGreaterThan(2 * (await shorten(long)).output.length);
  });
});
