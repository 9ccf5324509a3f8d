import { connect } from 'node:net';

import { describe, expect, test } from 'vitest';

import { createSimulator, reasoning, reply, type ApiName, type Reply, type Simulator } from '../../src/index.ts';
import { APIS, least, OPEN, post, postJson } from './client.ts';

type Json = Record<string, unknown>;

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const withField = (api: ApiName, name: string, json: string): string =>
  `${JSON.stringify(least(api)).slice(0, -1)},"${name}":${json}}`;

describe('JSON that is nested too deep', () => {
  test.each(APIS)('is refused by %s, and the next request is answered', async (api) => {
    await using simulator = await createSimulator({ model: () => reply(reasoning('Hm.'), 'ok') });
    const body = withField(api, 'metadata', nested(200_000));
    expect((await post(simulator, api, { body })).status).toBe(400);
    expect(simulator.verdicts).toMatchObject([{ accepted: false, status: 400, refusals: [{ row: 'json' }] }]);
    expect((await post(simulator, api)).status).toBe(200);
  });

  test('is refused also where strings have to be measured', async () => {
    await using simulator = await createSimulator();
    const body = withField('openai-chat', 'metadata', nested(6_000_000));
    expect((await post(simulator, 'openai-chat', { body })).status).toBe(400);
    expect((await post(simulator, 'openai-chat')).status).toBe(200);
  });
});

test('a string that is too long is shown by a pointer with its key escaped', async () => {
  await using simulator = await createSimulator();
  const body = { ...least('openai-chat'), metadata: { 'a/b~c': ['x'.repeat(10_485_761)] } };
  expect((await post(simulator, 'openai-chat', { body })).status).toBe(400);
  const [refusal] = simulator.verdicts[0]?.refusals ?? [];
  expect(refusal).toMatchObject({ pointer: '/metadata/a~1b~0c/0', param: 'metadata.a/b~c[0]' });
});

describe('what cannot be sent', () => {
  const broken = { parts: [{ kind: 'call', tool: 'read', input: { n: 1n } }] } as unknown as Reply;
  const never = (reply_: unknown): Reply => reply_ as Reply;
  const replies: readonly (readonly [string, () => Reply | Promise<Reply>])[] = [
    ['a reply that is no JSON', () => broken],
    ['the same later', () => Promise.resolve(broken)],
    ['no reply', () => never(undefined)],
    ['a status that is none', () => never({ failure: 'away', status: 9999 })],
    [
      'something thrown',
      () => {
        throw new Error('boom');
      },
    ],
    ['something thrown later', () => Promise.reject(new Error('boom'))],
  ];
  test.each(replies)('%s is answered with a 500 and has one verdict', async (_what, model) => {
    await using simulator = await createSimulator({ model });
    for (const stream of [false, true]) {
      const response = await post(simulator, 'anthropic-messages', { stream });
      expect(response.status).toBe(500);
      expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'api_error' } });
    }
    expect(simulator.verdicts).toMatchObject([
      { status: 500, accepted: true },
      { status: 500, accepted: true },
    ]);
  });

  test('a clock that throws is answered with a 500 as well', async () => {
    await using simulator = await createSimulator({
      now: () => {
        throw new Error('no time');
      },
    });
    expect((await post(simulator, 'openai-chat')).status).toBe(500);
  });
});

describe('a listener that throws', () => {
  test('leaves the answer alone, and is heard of at the end', async () => {
    const simulator = await createSimulator({
      onVerdict: () => {
        throw new Error('listener boom');
      },
    });
    expect((await post(simulator, 'openai-chat')).status).toBe(200);
    await expect(simulator.close()).rejects.toThrow('listener boom');
  });

  test('is heard of as often as it threw, and others are called all the same', async () => {
    const heard: number[] = [];
    const simulator = await createSimulator({
      onVerdict: () => {
        throw new Error('listener boom');
      },
    });
    simulator.onVerdict(({ n }) => heard.push(n));
    await post(simulator, 'openai-chat');
    await post(simulator, 'openai-chat');
    expect(heard).toEqual([1, 2]);
    await expect(simulator.close()).rejects.toThrow(AggregateError);
  });
});

describe('ids', () => {
  const idOf = async (simulator: Simulator, api: ApiName): Promise<unknown> => {
    const { id, responseId } = await postJson(simulator, api);
    return id ?? responseId;
  };

  test.each(APIS)('of %s are new after a restart, and the same again for the same seed', async (api) => {
    const ids: unknown[] = [];
    for (const seed of [undefined, undefined, 1, 1, 2]) {
      await using simulator = await createSimulator({ seed });
      ids.push(await idOf(simulator, api));
    }
    expect(new Set(ids).size).toBe(4);
    expect(ids[2]).toBe(ids[3]);
  });

  test('do not collide however many parts a reply has', async () => {
    const calls = Array.from({ length: 1500 }, () => ({ kind: 'call', tool: 'read', input: {} }) as const);
    await using simulator = await createSimulator({ model: () => ({ parts: calls }) });
    const seen = new Set<unknown>();
    for (let i = 0; i < 2; i++) {
      const { content } = await postJson(simulator, 'anthropic-messages');
      for (const { id } of content as Json[]) seen.add(id);
    }
    expect(seen.size).toBe(3000);
  });

  test('of a response that another simulator stored are not found', async () => {
    const api = 'openai-responses';
    const first = await createSimulator();
    const { id } = await postJson(first, api);
    await first.close();
    await using second = await createSimulator();
    await post(second, api);
    const body = { ...least(api), previous_response_id: id };
    expect(await postJson(second, api, { body })).toMatchObject({ error: { code: 'previous_response_not_found' } });
  });
});

describe('requests that are sent without waiting for answers', () => {
  const raw = (fault: string): string => {
    const body = JSON.stringify({ ...least('anthropic-messages'), stream: true });
    const headers = { ...OPEN['anthropic-messages'], 'x-simulate': fault, 'content-length': String(body.length) };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return `POST /v1/messages HTTP/1.1\r\nhost: x\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
  };
  const talk = ({ url }: Simulator, requests: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let heard = '';
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(requests));
      socket.on('data', (chunk) => (heard += String(chunk)));
      socket.on('close', () => resolve(heard));
      socket.on('error', reject);
    });

  test.each(['close', 'cut-events:2'])('meet %s in their turn', async (fault) => {
    await using simulator = await createSimulator();
    const heard = await talk(simulator, raw('drip:1') + raw(fault) + raw('none'));
    expect(heard.match(/message_stop"/g)).toHaveLength(1);
    expect(heard.match(/HTTP\/1.1 200/g)).toHaveLength(fault === 'close' ? 1 : 2);
    expect(simulator.verdicts.map(({ n }) => n)).toEqual([1, 2, 3]);
  });
});
