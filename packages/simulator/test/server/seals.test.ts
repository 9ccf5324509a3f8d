import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { call, createSimulator, reasoning, reply, type ApiName, type Reply, type Simulator } from '../../src/index.ts';
import { least, post, postEvents, postJson } from './client.ts';

let simulator: Simulator;
let stranger: Simulator;
beforeAll(async () => {
  simulator = await createSimulator();
  stranger = await createSimulator({ secret: 'of somebody else' });
});
afterAll(() => Promise.all([simulator.close(), stranger.close()]));

type Json = Record<string, unknown>;
type Message = { role: string; content: Json[] };

const STEP: Reply = reply(reasoning('The file comes first.'), 'Reading.', call('read', { path: 'a' }, 'call_1'));
const BETA = { 'anthropic-beta': 'thinking-binding-controls-2026-08-01' };

const rows = (): string[] => simulator.verdicts.at(-1)?.refusals.map(({ row }) => row) ?? [];

describe('thinking of Claude', () => {
  const tools = [{ name: 'read', input_schema: { type: 'object', properties: {} } }];
  const request = (model: string, messages: unknown[]): Json => ({
    model,
    max_tokens: 100,
    system: 'Be brief.',
    tools,
    thinking: { type: 'adaptive' },
    messages,
  });
  const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
  const result = (id: string): Message => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }],
  });

  /** Two steps of a turn as a client keeps them, with the question that follows. */
  const conversation = async (from: Simulator, model: string): Promise<Message[]> => {
    const messages: Message[] = [user('What does it say?')];
    for (const step of [
      STEP,
      reply(reasoning('One more.'), call('read', {}, 'call_2')),
      reply(reasoning('Enough.'), 'Done.'),
    ]) {
      from.script(step);
      const answer = await postJson(from, 'anthropic-messages', { body: request(model, messages) });
      const content = answer.content as Json[];
      messages.push({ role: 'assistant', content });
      const id = content.find(({ type }) => type === 'tool_use')?.id;
      messages.push(typeof id === 'string' ? result(id) : user('And now?'));
    }
    return messages;
  };

  const replay = async (model: string, messages: unknown[], extra: Json = {}): Promise<number> => {
    simulator.script('ok');
    const body = { ...request(model, messages), ...extra };
    const { status } = await post(simulator, 'anthropic-messages', { body, headers: BETA });
    return status;
  };

  const OLD = 'claude-sonnet-4-5';
  const BOUND = 'claude-fable-5-1';

  test.each([OLD, BOUND])('is accepted unchanged: %s', async (model) => {
    expect(await replay(model, await conversation(simulator, model))).toBe(200);
  });

  test('is accepted as it was streamed', async () => {
    simulator.script(STEP);
    const first = [user('What does it say?')];
    const events = await postEvents(simulator, 'anthropic-messages', { body: request(BOUND, first) });
    const signature = events.map(({ data }) => (JSON.parse(data) as { delta?: Json }).delta?.signature).find(Boolean);
    const content = [
      { type: 'thinking', thinking: 'The file comes first.', signature },
      { type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'a' } },
    ];
    expect(await replay(BOUND, [...first, { role: 'assistant', content }, result('call_1')])).toBe(200);
  });

  type Change = readonly [what: string, model: string, row: string, change: (messages: Message[]) => unknown];
  const thinkingOf = (messages: Message[], message: number): Json => messages[message]?.content[0] ?? {};
  const changes: readonly Change[] = [
    ['changed words', OLD, 'an-sig-valid', (all) => Object.assign(thinkingOf(all, 1), { thinking: 'Other.' })],
    [
      'changed words in the latest turn',
      OLD,
      'an-think-latest',
      (all) => Object.assign(thinkingOf(all, 5), { thinking: 'X.' }),
    ],
    ['a changed signature', OLD, 'an-sig-valid', (all) => Object.assign(thinkingOf(all, 1), { signature: 'gAAAAAAA' })],
    [
      'the signature of another block',
      OLD,
      'an-sig-valid',
      (all) => Object.assign(thinkingOf(all, 1), { signature: thinkingOf(all, 3).signature }),
    ],
    ['a changed question', BOUND, 'an-think-prefix', (all) => (all[0] = user('What does it mean?'))],
    [
      'a changed result',
      BOUND,
      'an-think-prefix',
      (all) => Object.assign(all[2]?.content[0] ?? {}, { content: 'cut' }),
    ],
    ['thinking gone from the middle', BOUND, 'an-think-chain', (all) => all[3]?.content.shift()],
  ];
  test.each(changes)('is refused after %s on %s', async (...[, model, row, change]) => {
    const messages = await conversation(simulator, model);
    change(messages);
    const body = request(model, messages);
    expect((await post(simulator, 'anthropic-messages', { body })).status).toBe(400);
    expect(rows()).toContain(row);
  });

  const harmless: readonly (readonly [what: string, model: string, change: (messages: Message[]) => unknown])[] = [
    ['a changed question', OLD, (all) => (all[0] = user('What does it mean?'))],
    ['thinking gone from the middle', OLD, (all) => all[3]?.content.shift()],
    ['thinking gone from the beginning', BOUND, (all) => all[1]?.content.shift()],
    [
      'a cache marker',
      BOUND,
      (all) => Object.assign(all[0]?.content[0] ?? {}, { cache_control: { type: 'ephemeral' } }),
    ],
    ['a question that is a string now', BOUND, (all) => Object.assign(all[0] ?? {}, { content: 'What does it say?' })],
    [
      'keys in another order',
      BOUND,
      (all) => (all[0] = { content: [{ text: 'What does it say?', type: 'text' }], role: 'user' }),
    ],
  ];
  test.each(harmless)('is accepted after %s on %s', async (_what, model, change) => {
    const messages = await conversation(simulator, model);
    change(messages);
    expect(await replay(model, messages)).toBe(200);
  });

  test('is refused behind another system prompt on a model that binds it', async () => {
    const messages = await conversation(simulator, BOUND);
    const body = { ...request(BOUND, messages), system: 'Be long.' };
    expect((await post(simulator, 'anthropic-messages', { body })).status).toBe(400);
    expect(rows()).toContain('an-think-prefix');
  });

  describe('twice in one reply', () => {
    const server = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } };
    const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] };
    const search = [server, found].map((value) => ({ kind: 'opaque', value }) as const);
    const declared = [{ type: 'web_search_20250305', name: 'web_search' }];
    const twice: Reply = { parts: [reasoning('Search.'), ...search, reasoning('Found.'), ...reply('Done.').parts] };

    const latest = async (change: (content: Json[]) => unknown): Promise<number> => {
      simulator.script(twice);
      const body = { ...request(OLD, [user('Hi')]), tools: declared };
      const { content } = await postJson(simulator, 'anthropic-messages', { body });
      change(content as Json[]);
      const messages = [user('Hi'), { role: 'assistant', content }, user('And?')];
      return replay(OLD, messages, { tools: declared });
    };

    test('is accepted whole, and without any of it', async () => {
      expect(await latest(() => {})).toBe(200);
      expect(await latest((content) => content.splice(0, 4, ...content.slice(1, 3)))).toBe(200);
    });

    const edits: readonly (readonly [string, string, (content: Json[]) => unknown])[] = [
      ['what stood between is gone', 'an-think-adjacent', (content) => content.splice(1, 2)],
      ['the first is gone', 'an-think-latest', (content) => content.shift()],
      ['the last is gone', 'an-think-latest', (content) => content.splice(3, 1)],
      ['one comes twice', 'an-think-latest', (content) => content.splice(3, 0, content[0] ?? {})],
      ['a text has moved before it', 'an-think-latest', (content) => content.unshift(...content.splice(4, 1))],
    ];
    test.each(edits)('is refused when %s', async (_what, row, edit) => {
      expect(await latest(edit)).toBe(400);
      expect(rows()).toContain(row);
      // The reply that the refused request left behind is used up, so that the next test finds none.
      await post(simulator, 'anthropic-messages');
    });
  });

  test('of another account is refused', async () => {
    const messages = await conversation(stranger, OLD);
    expect((await post(simulator, 'anthropic-messages', { body: request(OLD, messages) })).status).toBe(400);
    expect(rows()).toContain('an-sig-valid');
  });

  test('of another account is accepted where foreign reasoning is trusted', async () => {
    await using trusting = await createSimulator({ foreign: 'trust' });
    const body = request(OLD, await conversation(stranger, OLD));
    expect((await post(trusting, 'anthropic-messages', { body })).status).toBe(200);
  });

  test('of a simulator with the same secret is accepted', async () => {
    await using twin = await createSimulator({ secret: 'of somebody else', model: () => reply('ok') });
    const body = request(BOUND, await conversation(stranger, BOUND));
    expect((await post(twin, 'anthropic-messages', { body })).status).toBe(200);
  });

  test('that nobody can read is sealed too', async () => {
    simulator.script(reply(reasoning('secret', { redacted: true }), 'Done.'), 'ok');
    const first = [user('Hi')];
    const { content } = await postJson(simulator, 'anthropic-messages', { body: request(OLD, first) });
    const kept = { role: 'assistant', content: content as Json[] };
    expect(JSON.stringify(content)).not.toContain('secret');
    expect(
      (await post(simulator, 'anthropic-messages', { body: request(OLD, [...first, kept, user('?')]) })).status,
    ).toBe(200);
    Object.assign(kept.content[0] ?? {}, { data: 'gAAAAAAA' });
    expect(
      (await post(simulator, 'anthropic-messages', { body: request(OLD, [...first, kept, user('?')]) })).status,
    ).toBe(400);
  });
});

describe('encrypted reasoning of the Responses API', () => {
  const api: ApiName = 'openai-responses';
  const tools = [{ type: 'function', name: 'read', parameters: { type: 'object', properties: {} } }];
  const request = (input: unknown[]): Json => ({
    ...least(api),
    input,
    tools,
    store: false,
    include: ['reasoning.encrypted_content'],
  });

  const turn = async (from: Simulator): Promise<Json[]> => {
    from.script(STEP);
    const asked = { role: 'user', content: 'What does it say?' };
    const { output } = await postJson(from, api, { body: request([asked]) });
    return [asked, ...(output as Json[]), { type: 'function_call_output', call_id: 'call_1', output: 'ok' }];
  };

  test('is accepted unchanged', async () => {
    const input = await turn(simulator);
    simulator.script('ok');
    expect((await post(simulator, api, { body: request(input) })).status).toBe(200);
  });

  const changes: readonly (readonly [string, (reasoning: Json) => unknown])[] = [
    ['a changed id', (item) => (item.id = 'rs_another')],
    ['a changed seal', (item) => (item.encrypted_content = `gAAAB${String(item.encrypted_content).slice(5)}`)],
  ];
  test.each(changes)('is refused after %s', async (_what, change) => {
    const input = await turn(simulator);
    change(input[1] ?? {});
    expect((await post(simulator, api, { body: request(input) })).status).toBe(400);
    expect(rows()).toContain('or-encrypted');
  });

  const harmless: readonly (readonly [string, (reasoning: Json) => unknown])[] = [
    ['an empty summary', (item) => (item.summary = [])],
    ['its id left out', (item) => delete item.id],
  ];
  test.each(harmless)('is accepted with %s', async (_what, change) => {
    const input = await turn(simulator);
    change(input[1] ?? {});
    simulator.script('ok');
    expect((await post(simulator, api, { body: request(input) })).status).toBe(200);
  });

  test('is read by the models of one family alone', async () => {
    const input = await turn(simulator);
    expect((await post(simulator, api, { body: { ...request(input), model: 'o3' } })).status).toBe(400);
    expect(simulator.verdicts.at(-1)?.refusals[0]?.text).toContain('could not be decrypted or parsed');
    simulator.script('ok');
    expect((await post(simulator, api, { body: { ...request(input), model: 'gpt-5-mini' } })).status).toBe(200);
  });

  test('of another account is refused', async () => {
    expect((await post(simulator, api, { body: request(await turn(stranger)) })).status).toBe(400);
    expect(rows()).toContain('or-encrypted');
  });
});

describe('thought signatures of Gemini', () => {
  const api: ApiName = 'gemini';
  const path = (model: string): string => `/v1beta/models/${model}:generateContent`;
  const MODEL = 'gemini-3-pro';

  const turn = async (from: Simulator): Promise<Json[]> => {
    from.script(STEP);
    const asked = { role: 'user', parts: [{ text: 'What does it say?' }] };
    const answer = await postJson(from, api, { path: path(MODEL), body: { contents: [asked] } });
    const [candidate] = answer.candidates as [{ content: Json }];
    const functionResponse = { id: 'call_1', name: 'read', response: { text: 'ok' } };
    return [asked, candidate.content, { role: 'user', parts: [{ functionResponse }] }];
  };
  const signed = (contents: Json[]): Json =>
    (contents[1]?.parts as Json[] | undefined)?.find((part) => part.thoughtSignature) ?? {};

  test('are accepted unchanged', async () => {
    const contents = await turn(simulator);
    simulator.script('ok');
    expect((await post(simulator, api, { path: path(MODEL), body: { contents } })).status).toBe(200);
  });

  type Change = readonly [what: string, row: string, change: (part: Json) => unknown];
  const changes: readonly Change[] = [
    ['a changed signature', 'ge-sig-valid', (part) => (part.thoughtSignature = 'AAAA')],
    [
      'changed arguments',
      'ge-sig-place',
      (part) => (part.functionCall = { id: 'call_1', name: 'read', args: { path: 'b' } }),
    ],
    ['its removal', 'ge-sig-missing', (part) => delete part.thoughtSignature],
  ];
  test.each(changes)('are refused after %s', async (_what, row, change) => {
    const contents = await turn(simulator);
    change(signed(contents));
    expect((await post(simulator, api, { path: path(MODEL), body: { contents } })).status).toBe(400);
    expect(rows()).toContain(row);
  });

  test('of another account or another model are refused', async () => {
    expect((await post(simulator, api, { path: path(MODEL), body: { contents: await turn(stranger) } })).status).toBe(
      400,
    );
    expect(rows()).toContain('ge-sig-valid');
    const contents = await turn(simulator);
    expect((await post(simulator, api, { path: path('gemini-3-flash'), body: { contents } })).status).toBe(400);
    expect(rows()).toContain('ge-sig-valid');
  });
});

describe('a seal', () => {
  const signatureOf = async (given: Reply): Promise<string> => {
    simulator.script(given);
    const path = '/v1beta/models/gemini-3-pro:generateContent';
    const { candidates } = await postJson(simulator, 'gemini', { path });
    const [{ content }] = candidates as [{ content: { parts: Json[] } }];
    return String(content.parts.find((part) => part.thoughtSignature !== undefined)?.thoughtSignature);
  };
  const model = (part: Json): Json[] => [
    { role: 'user', parts: [{ text: 'hi' }] },
    { role: 'model', parts: [part] },
    { role: 'user', parts: [{ text: 'more' }] },
  ];

  test('of a text is no seal of a call, and none of a call that of a text', async () => {
    const path = '/v1beta/models/gemini-3-pro:generateContent';
    const ofText = await signatureOf(reply(reasoning('Hm.'), 'A text.'));
    const ofCall = await signatureOf(reply(reasoning('Hm.'), call('read', {})));
    simulator.script('ok');
    const kept = { contents: model({ text: 'A text.', thoughtSignature: ofText }) };
    expect((await post(simulator, 'gemini', { path, body: kept })).status).toBe(200);
    const onCall = model({ functionCall: { name: 'read', args: {} }, thoughtSignature: ofText });
    onCall[2] = { role: 'user', parts: [{ functionResponse: { name: 'read', response: {} } }] };
    for (const contents of [onCall, model({ text: 'A text.', thoughtSignature: ofCall })]) {
      expect((await post(simulator, 'gemini', { path, body: { contents } })).status).toBe(400);
      expect(rows()).toContain('ge-sig-place');
    }
  });

  const behind = (thinking: Json): Json => ({
    ...least('anthropic-messages'),
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [thinking, { type: 'text', text: 'A text.' }] },
      { role: 'user', content: 'more' },
    ],
  });

  test('of one API is none of another', async () => {
    const signature = await signatureOf(reply(reasoning('Hm.'), 'A text.'));
    const body = behind({ type: 'thinking', thinking: 'Invented.', signature });
    expect((await post(simulator, 'anthropic-messages', { body })).status).toBe(400);
    expect(rows()).toContain('an-sig-valid');
  });

  test('of reasoning that nobody can read does not seal invented words', async () => {
    simulator.script(reply(reasoning('secret', { redacted: true }), 'A text.'));
    const { content } = await postJson(simulator, 'anthropic-messages');
    const [{ data }] = content as [Json];
    const body = behind({ type: 'thinking', thinking: 'Invented.', signature: data });
    expect((await post(simulator, 'anthropic-messages', { body })).status).toBe(400);
    expect(rows()).toContain('an-think-latest');
  });
});
