import { convertToModelMessages, safeValidateUIMessages, type UIMessage } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examplesOf } from '../../src/examples.ts';
import { contractOf } from '../../src/target.ts';
import { check, repair } from '../../src/index.ts';
import { providers, refusalOfSdk, refusalsOfProvider, type Provider } from '../ai-sdk-request.ts';
import { healthy, plant } from '../fuzz/histories.ts';
import { messagesIn } from '../fuzz/reading.ts';
import { seedAt, startRandom } from '../fuzz/random.ts';

const seed = 6;
const histories = 400;
const DIALECT = 'ai-sdk-ui';

const quiet = globalThis as { AI_SDK_LOG_WARNINGS?: unknown };
let before: unknown;
beforeAll(() => {
  before = quiet.AI_SDK_LOG_WARNINGS;
  quiet.AI_SDK_LOG_WARNINGS = false;
});
afterAll(() => {
  quiet.AI_SDK_LOG_WARNINGS = before;
});

/** What the SDK makes of messages of the user interface: those of a model, or the error it throws. */
const converted = (messages: readonly unknown[]): Promise<unknown> =>
  convertToModelMessages(structuredClone(messages) as UIMessage[]).catch((error: unknown) => String(error));

/** What the SDK says to messages of the user interface on their way to a model. */
async function refusal(messages: readonly unknown[]): Promise<string | undefined> {
  const model = await converted(messages);
  return typeof model === 'string' ? model : refusalOfSdk(model);
}

function broken(index: number, model?: string): Record<string, unknown> {
  const random = startRandom(seedAt(seed, index));
  const draft = healthy(DIALECT, random);
  plant(draft, random);
  return { messages: draft.messages, ...(model === undefined ? {} : { model }) };
}

/** Searches are written as one provider writes them, and the converters of the others cannot replay them. */
function isForeign(body: Record<string, unknown>, provider: Provider): boolean {
  const searches = JSON.stringify(body).split('providerExecuted').length - 1;
  const found = JSON.stringify(body).split('web_search_result').length - 1;
  return provider.judged === 'anthropic-messages' ? searches !== found : searches > 0;
}

const examples = contractOf(DIALECT).rules.flatMap((rule) =>
  examplesOf(rule.id).flatMap((example) => {
    if (example.dialect !== DIALECT || !('before' in example) || !('after' in example)) return [];
    return [{ title: `${rule.id}: ${example.name}`, before: example.before }];
  }),
);

describe('the AI SDK itself', () => {
  test.each(examples)('takes what is repaired of $title', async ({ before: input }) => {
    const { output } = repair({ messages: messagesIn(input) }, DIALECT);
    expect(await refusal(output.messages)).toBeUndefined();
  });

  test(`takes every repaired history (seed ${seed})`, async () => {
    let refused = 0;
    for (let index = 0; index < histories; index += 1) {
      const input = broken(index);
      const { output } = repair(input, DIALECT);
      const list = messagesIn(output);
      expect(await refusal(list), `history ${index}`).toBeUndefined();
      if ((await refusal(messagesIn(input))) !== undefined) refused += 1;
    }
    // The defects are real ones: the SDK refuses a good part of the histories before they are repaired.
    expect(refused).toBeGreaterThan(histories / 5);
  });

  test('finds no fault with the form of what is invented', async () => {
    const call = { type: 'tool-read', toolCallId: 'c1', input: {} };
    const asked = { ...call, state: 'approval-requested', approval: { id: 'a1' } };
    const approved = { ...call, toolCallId: 'c2', state: 'approval-responded', approval: { id: 'a2', approved: true } };
    const shown = { ...call, toolCallId: 'c3', state: 'output-available', output: 'half', preliminary: true };
    const parts = [asked, approved, shown, { type: 'step-start' }, { type: 'text', text: 'So' }];
    const { output } = repair({ messages: [{ id: 'm1', role: 'assistant', parts }, 'lost'] }, DIALECT);
    const validated = await safeValidateUIMessages({ messages: output.messages });
    expect(validated).toMatchObject({ success: true });
    expect(await refusal(output.messages)).toBeUndefined();
  });

  test('refuses what it is said to refuse, in the same words', async () => {
    const open = { type: 'tool-read', toolCallId: 'c1', state: 'input-available', input: {} };
    const hi = { id: 'm2', role: 'user', parts: [{ type: 'text', text: 'hi' }] };
    const cases = [
      [{ id: 'm1', role: 'assistant', parts: [open] }, hi],
      [{ id: 'm1', role: 'assistant', parts: [{ type: 'step-start' }] }],
      [{ id: 'm0', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] }, hi],
    ];
    for (const messages of cases) {
      const said = await refusal(messages);
      const found = check({ messages }, DIALECT).findings.map(({ providerError }) => providerError ?? '');
      expect(found.filter((text) => text !== '').some((text) => said?.includes(text))).toBe(true);
    }
  });
});

describe.each(providers)('the request that the SDK makes for $name', (provider) => {
  test(`is valid for every repaired history (seed ${seed})`, async () => {
    const refused: { index: number; said: unknown; list: string }[] = [];
    let sent = 0;
    for (let index = 0; index < histories; index += 1) {
      const input = broken(index, provider.model);
      if (isForeign(input, provider)) continue;
      sent += 1;
      const list = messagesIn(repair(input, DIALECT).output);
      const said = await refusalsOfProvider(provider, await converted(list));
      if (said.length > 0) refused.push({ index, said, list: JSON.stringify(list) });
    }
    expect(refused.slice(0, 3)).toEqual([]);
    expect(sent).toBeGreaterThan(histories / 4);
    console.log(`${provider.name}: ${String(sent)} repaired histories of the interface make valid requests`);
  });
});

test('a message that ends in what the provider ran itself is no start of an answer', () => {
  const search = { type: 'tool-web_search', toolCallId: 's1', state: 'output-available', providerExecuted: true };
  const messages = (...parts: object[]): object[] => [
    { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Who won?' }] },
    { id: 'm2', role: 'assistant', parts },
  ];
  const rulesOf = (input: object[]): string[] =>
    check({ model: 'claude-opus-4-8', messages: input }, DIALECT).findings.map(({ rule }) => rule);
  const found = { ...search, input: { query: 'final' }, output: [] };
  expect(rulesOf(messages({ type: 'text', text: 'Let me see.' }, found, { type: 'text', text: '' }))).toEqual([]);
  expect(rulesOf(messages(found, { type: 'text', text: 'It was' }))).toEqual(['ends-with-assistant']);
});
