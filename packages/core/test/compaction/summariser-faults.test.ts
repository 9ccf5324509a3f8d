import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { compact, SummaryError, generateSummary, type SummaryModel } from '../../src/index.ts';
import { MAX_SUMMARY_CALLS } from '../../src/compaction/staged-summary.ts';
import { call, createSimulator, reply, type Line, type Simulator } from '../../../simulator/src/index.ts';

const turn = (n: number): object[] => [
  { role: 'user', content: `Look at file ${n}.` },
  { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${n}`, name: 'read', input: { path: `${n}.txt` } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${n}`, content: `words of ${n} `.repeat(60) }] },
  { role: 'assistant', content: `File ${n} is read.` },
];
const history = [1, 2, 3, 4, 5, 6].flatMap(turn);
const options = { budgetTokens: 900, at: '2026-11-16T00:00:00Z', ladder: ['summary', 'rule-summary'] } as const;
const summary = '## Goal\n- look at the files\n## Files read\n- 1.txt';

/** Asks through the client of one provider, streamed, as people do. */
const anthropic =
  ({ baseUrls }: Simulator): SummaryModel =>
  async ({ system, text, maxTokens = 1000 }) => {
    const client = new Anthropic({ apiKey: 'any', baseURL: baseUrls.anthropic, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: text }];
    const stream = client.messages.stream({ model: 'claude-opus-4-8', max_tokens: maxTokens, system, messages });
    const { content } = await stream.finalMessage();
    return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  };

/** Asks through the client of another, in one piece. */
const openai =
  ({ baseUrls }: Simulator): SummaryModel =>
  async ({ system, text }) => {
    const client = new OpenAI({ apiKey: 'any', baseURL: baseUrls.openai, maxRetries: 0 });
    const messages = [
      { role: 'system' as const, content: system },
      { role: 'user' as const, content: text },
    ];
    const answer = await client.chat.completions.create({ model: 'gpt-4.1', messages });
    return answer.choices[0]?.message.content ?? '';
  };

const clients = [
  ['the client of Anthropic', anthropic],
  ['the client of OpenAI', openai],
] as const;

interface Trouble {
  readonly faults?: string;
  readonly lines?: readonly Line[];
  readonly says: RegExp;
}

const troubles: Readonly<Record<string, Trouble>> = {
  'an overflow that does not end': { faults: 'overflow', says: /^overflow: / },
  'a refusal in words': { lines: [reply("I'm sorry, I can't help with that.")], says: /^refusal: / },
  'a refusal without words': { lines: [{ parts: [], stop: 'refusal' }], says: /^empty: / },
  'an empty answer': { faults: 'empty', lines: [summary], says: /^(empty|model-failed): / },
  'an answer longer than the input': { lines: ['word '.repeat(20_000)], says: /^not-shorter: / },
  'a call instead of text': { lines: [reply(call('read', { path: 'a' }))], says: /^empty: / },
  'a call written as text': { lines: ['{"name":"read","arguments":{"path":"a"}}'], says: /^tool-call: / },
  'the text of an error': { lines: ['Error: upstream timed out'], says: /^error-text: / },
  'an answer that is cut off': { faults: 'cut-bytes:60', lines: [summary], says: /^model-failed: / },
  'a connection that closes': { faults: 'close', lines: [summary], says: /^model-failed: / },
  'a rate limit': { faults: '429', lines: [summary], says: /^model-failed: / },
  'an overload': { faults: '529', lines: [summary], says: /^model-failed: / },
};

const cases = clients.flatMap(([name, ask]) =>
  Object.entries(troubles).map(([what, trouble]) => [name, what, { ask, ...trouble }] as const),
);

test.each(cases)(
  '%s: %s leaves the history untouched and is told',
  async (_name, _what, { ask, faults, lines, says }) => {
    await using simulator = await createSimulator({ faults });
    simulator.script(...(lines ?? [summary]));
    const {
      history: output,
      changed,
      report,
      breaker,
      checkpoint,
    } = await compact(history, {
      ...options,
      model: ask(simulator),
    });
    expect([output === history, changed, checkpoint, report.gone]).toEqual([true, false, undefined, []]);
    const [step] = report.steps;
    expect([step?.step, step?.outcome, report.met, breaker]).toEqual(['summary', 'failed', false, { failures: 1 }]);
    expect(step?.note).toMatch(says);
    expect(report.why).toBe(step?.note);
    expect(step?.calls).toBe(simulator.verdicts.length);
    expect(simulator.verdicts.length).toBeLessThanOrEqual(MAX_SUMMARY_CALLS);
    expect(simulator.verdicts.filter(({ accepted }) => !accepted)).toEqual([]);
  },
);

test.each(clients)(
  '%s: after one overflow the oldest pair is left out, and the summary is taken',
  async (_name, ask) => {
    await using simulator = await createSimulator({ faults: 'overflow@1', keepBodies: true });
    simulator.script(summary);
    const {
      history: output,
      report,
      checkpoint,
      breaker,
    } = await compact(history, { ...options, model: ask(simulator) });
    expect([report.met, breaker, checkpoint?.summary?.content]).toEqual([true, { failures: 0 }, summary]);
    const [step] = report.steps;
    expect([step?.outcome, step?.calls, simulator.verdicts.length]).toEqual(['done', 2, 2]);
    expect(step?.note).toContain('of the oldest messages were too much for the model');
    const [first, second] = simulator.verdicts.map(({ body }) => JSON.stringify(body));
    expect([first?.includes('Look at file 1.'), second?.includes('Look at file 1.')]).toEqual([true, false]);
    expect(second).toContain('words of 1');
    expect(output.slice(-4)).toEqual(history.slice(-4));
  },
);

test.each(clients)(
  '%s: what is too much for one request is told in stages, each merged into the next',
  async (_, ask) => {
    await using simulator = await createSimulator({ keepBodies: true });
    simulator.script(
      summary,
      `${summary}\n- 2.txt`,
      `${summary}\n- 3.txt`,
      `${summary}\n- 4.txt`,
      `${summary}\n- 5.txt`,
    );
    const model = ask(simulator);
    const { report, checkpoint } = await compact(history, { ...options, model, inputTokens: 300 });
    const count = simulator.verdicts.length;
    expect(count).toBeGreaterThan(1);
    expect(report.steps[0]?.note).toContain(`in ${count} stages`);
    expect(checkpoint?.summary?.content).toContain(`${count}.txt`);
    const bodies = simulator.verdicts.map(({ body }) => JSON.stringify(body));
    expect(bodies.map((body) => body.includes('<previous-summary>\\n## Goal'))).toEqual(bodies.map((_b, n) => n > 0));
  },
);

test('after three failures in a row no model is asked, and the summary is made by rules', async () => {
  await using simulator = await createSimulator({ faults: '500' });
  const model = anthropic(simulator);
  let breaker = { failures: 0 };
  for (let n = 1; n <= 3; n += 1) {
    const compacted = await compact(history, { ...options, model, breaker });
    expect([compacted.history === history, compacted.breaker]).toEqual([true, { failures: n }]);
    breaker = compacted.breaker;
  }
  const { report, changed } = await compact(history, { ...options, model, breaker });
  expect([changed, report.met, simulator.verdicts.length]).toEqual([true, true, 3]);
  expect(report.steps.map(({ step, outcome }) => [step, outcome])).toEqual([
    ['summary', 'refused'],
    ['rule-summary', 'done'],
  ]);
  expect(report.steps[0]?.note).toContain('3 times in a row');
});

test('generateSummary throws what went wrong, with the number of requests and the cause', async () => {
  await using simulator = await createSimulator({ faults: '429' });
  const failure = await generateSummary(history, { model: anthropic(simulator) }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SummaryError);
  expect(failure).toMatchObject({ code: 'model-failed', calls: 1, cause: { status: 429 } });
});

test.each([
  ['an object of no class', Object.create(null)],
  [
    'an object that throws when it is read',
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    ),
  ],
  ['an error with a symbol for its words', Object.assign(new Error('x'), { message: Symbol('no') })],
])('a model that throws %s has failed, and nothing is lost', async (_, thrown: unknown) => {
  const model: SummaryModel = () => Promise.reject(thrown);
  await expect(generateSummary(history, { model })).rejects.toMatchObject({
    name: 'SummaryError',
    code: 'model-failed',
  });
  const made = await compact(history, { ...options, model });
  expect(made.report.steps[0]).toMatchObject({ step: 'summary', outcome: 'failed' });
  expect(made.history).toBe(history);
});
