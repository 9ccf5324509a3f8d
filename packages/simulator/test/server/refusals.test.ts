import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { call, createSimulator, reasoning, reply, type ApiName, type Reply, type Simulator } from '../../src/index.ts';
import { ALL_REFUSALS } from '../fixtures/fixtures.ts';
import { least, post, postJson, type Post } from './client.ts';
import { envelopeOf, isServed, requestOf, type Served } from './over-http.ts';

type Json = Record<string, unknown>;

const FIXTURES: readonly Served[] = ALL_REFUSALS.filter(isServed);
/** Told by the history alone; the others need reasoning or a response that this very server has made. */
const SENT = FIXTURES.filter(({ told }) => told?.seals === undefined && told?.memory === undefined);

describe('what a row refuses is refused over HTTP in its words, and the nearest legal request is answered', () => {
  let strict: Simulator;
  let lenient: Simulator;
  beforeAll(async () => {
    strict = await createSimulator({ foreign: 'trust' });
    lenient = await createSimulator({ foreign: 'trust', strict: false });
  });
  afterAll(() => Promise.all([strict.close(), lenient.close()]));

  test.each(SENT.map((fixture) => [`${fixture.dialect} ${fixture.row}: ${fixture.name}`, fixture] as const))(
    '%s',
    async (_title, fixture) => {
      const { dialect, row, told } = fixture;
      const simulator = told?.strict === false ? lenient : strict;
      const refused = await post(simulator, dialect, requestOf(fixture, fixture.input));
      // A body that is too long is refused by the server before anyone reads it, in words of its own.
      const text = row === 'an-size' ? 'Request exceeds the maximum size' : fixture.text;
      expect(await refused.json()).toEqual(envelopeOf(dialect, text, fixture.envelope));
      expect(refused.status).toBe(fixture.envelope?.status ?? 400);
      const answered = await post(simulator, dialect, requestOf(fixture, fixture.accepted));
      expect({ status: answered.status, refusals: simulator.verdicts.at(-1)?.refusals }).toEqual({
        status: 200,
        refusals: [],
      });
    },
  );
});

/** The words without the ids and numbers of one history. */
const form = (text: unknown): string =>
  String(text)
    .replaceAll(/\b(?:rs|fc|msg|call)_\w+/g, 'ID')
    .replaceAll(/gAAA\S*/g, 'SEAL')
    .replaceAll(/\d+/g, 'N');

const STEPS: readonly Reply[] = [
  reply(reasoning('The file comes first.'), call('read', { path: 'a' }), call('read', { path: 'b' })),
  reply(reasoning('One more.'), call('read', { path: 'c' })),
  reply(reasoning('Enough.'), 'Done.'),
];

type Taking = (answer: Json) => Json[];

/** Everything a client keeps of a turn in which the model answers with these steps. */
async function turn(simulator: Simulator, live: Live): Promise<Json[]> {
  const kept: Json[] = [live.asked];
  for (const step of live.steps) {
    simulator.script(step);
    kept.push(...live.keep(await postJson(simulator, live.api, live.request(kept))));
  }
  return kept;
}

/** A conversation with one API, and what is done to it before it is sent again. */
interface Live {
  readonly api: ApiName;
  readonly row: string;
  readonly asked: Json;
  readonly steps: readonly Reply[];
  readonly keep: Taking;
  readonly request: (list: readonly Json[]) => Post;
  readonly change: (list: Json[]) => unknown;
}

const partsOf = (message: Json | undefined): Json[] => (message?.content ?? message?.parts ?? []) as Json[];

const claude = (row: string, change: Live['change'], steps: readonly Reply[] = STEPS): Live => ({
  api: 'anthropic-messages',
  row,
  change,
  steps,
  asked: { role: 'user', content: 'What do they say?' },
  keep: ({ content }) => {
    const calls = (content as Json[]).filter(({ type }) => type === 'tool_use');
    const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'text' }));
    return [
      { role: 'assistant', content },
      { role: 'user', content: calls.length > 0 ? results : 'And now?' },
    ];
  },
  request: (messages) => ({
    body: {
      ...least('anthropic-messages'),
      model: 'claude-fable-5-1',
      thinking: { type: 'adaptive' },
      tools: [
        { name: 'read', input_schema: { type: 'object' } },
        { type: 'web_search_20250305', name: 'web_search' },
      ],
      messages,
    },
  }),
});

const SEARCHED: Reply = {
  parts: [
    reasoning('Search.'),
    { kind: 'opaque', value: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} } },
    { kind: 'opaque', value: { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] } },
    reasoning('Found.'),
    ...reply('Done.').parts,
  ],
};

const responses = (row: string, store: boolean, change: Live['change']): Live => ({
  api: 'openai-responses',
  row,
  change,
  steps: STEPS.slice(0, 1),
  asked: { role: 'user', content: 'What do they say?' },
  keep: ({ output }) => [
    ...(output as Json[]),
    ...(output as Json[])
      .filter(({ type }) => type === 'function_call')
      .map(({ call_id: id }) => ({ type: 'function_call_output', call_id: id, output: 'text' })),
  ],
  request: (input) => ({
    body: {
      ...least('openai-responses'),
      tools: [{ type: 'function', name: 'read', parameters: { type: 'object', properties: {} } }],
      store,
      include: ['reasoning.encrypted_content'],
      input,
    },
  }),
});

const gemini = (row: string, change: Live['change']): Live => ({
  api: 'gemini',
  row,
  change,
  steps: STEPS.slice(0, 1),
  asked: { role: 'user', parts: [{ text: 'What do they say?' }] },
  keep: ({ candidates }) => {
    const [{ content }] = candidates as [{ content: Json }];
    const calls = partsOf(content).flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]));
    const parts = (calls as Json[]).map(({ id, name }) => ({ functionResponse: { id, name, response: {} } }));
    return [content, { role: 'user', parts }];
  },
  request: (contents) => ({ path: '/v1beta/models/gemini-3-pro:generateContent', body: { contents } }),
});

const LIVE: readonly Live[] = [
  claude('an-think-latest', (list) => Object.assign(partsOf(list[5])[0] ?? {}, { thinking: 'Other words.' })),
  claude('an-think-adjacent', (list) => partsOf(list[1]).splice(1, 2), [SEARCHED]),
  claude('an-think-prefix', (list) => Object.assign(list[0] ?? {}, { content: 'What does it say?' })),
  claude('an-think-chain', (list) => partsOf(list[3]).shift()),
  responses('or-encrypted', false, (list) => Object.assign(list[1] ?? {}, { id: 'rs_another' })),
  responses('or-needs-reason', true, (list) => list.splice(1, 1)),
  // Reasoning, call, output, call, output instead of reasoning, call, call, output, output.
  responses('or-parallel-order', true, (list) => list.splice(3, 0, ...list.splice(4, 1))),
  gemini('ge-sig-valid', (list) =>
    Object.assign(partsOf(list[1]).find((part) => part.thoughtSignature !== undefined) ?? {}, {
      thoughtSignature: 'AAAA',
    }),
  ),
  gemini('ge-sig-place', (list) =>
    Object.assign(partsOf(list[1]).find((part) => part.thoughtSignature !== undefined) ?? {}, {
      functionCall: { name: 'read', args: { path: 'other' } },
    }),
  ),
];

describe('what only the server that made it can tell is refused in the words of its row', () => {
  test.each(LIVE)('$row', async (live) => {
    await using simulator = await createSimulator();
    const list = await turn(simulator, live);
    simulator.script('ok');
    expect((await post(simulator, live.api, live.request(list))).status).toBe(200);
    live.change(list);
    const refused = await post(simulator, live.api, live.request(list));
    const { error } = (await refused.json()) as { error: { message: string } };
    const words = FIXTURES.filter(({ row }) => row === live.row).map(({ text }) => form(text));
    expect(words).toContain(form(error.message));
    expect(refused.status).toBe(400);
    expect(simulator.verdicts.at(-1)?.refusals[0]?.row).toBe(live.row);
  });
});

test('every row of a served API is refused over HTTP here', () => {
  const shown = new Set([...SENT, ...LIVE].map(({ row }) => row));
  expect([...new Set(FIXTURES.map(({ row }) => row))].filter((row) => !shown.has(row))).toEqual([]);
  console.log(`${SENT.length} fixtures and ${LIVE.length} conversations were refused over HTTP`);
});
