import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { createProxy, type RepairingProxy } from '../src/index.ts';
import { broken, healthy, openWorld, post, user, usesOpened } from './world.ts';

const opens = usesOpened();

const thinking = { type: 'enabled', budget_tokens: 1024 };
/** Reasoning that another account was given: nothing in it shows that it will be refused. */
const foreign = {
  role: 'assistant',
  content: [
    {
      type: 'thinking',
      thinking: 'Let me see.',
      signature: Buffer.from('a seal of somebody else'.repeat(9)).toString('base64'),
    },
    { type: 'text', text: 'Yes?' },
  ],
};
const sealed = { ...healthy, max_tokens: 4096, thinking, messages: [user('Hello?'), foreign, user('Go on.')] };

describe('a request that is refused for its history', () => {
  test('is repaired by the refusal and sent once more', async () => {
    const { simulator, proxy } = await openWorld(opens);
    const answer = await post(`${proxy.urlOf('sim')}/v1/messages`, sealed);
    expect(answer.status).toBe(200);
    expect(simulator.verdicts.map(({ status }) => status)).toEqual([400, 200]);
    expect(simulator.verdicts[0]?.body).toEqual(sealed);
    expect(proxy.log.entries).toMatchObject([
      { ending: 'repaired-after-refusal', status: 200, refusal: expect.stringContaining('signature') },
    ]);
  });

  test('is repaired in the same way in every later request, without being refused again', async () => {
    const { simulator, proxy } = await openWorld(opens);
    const url = `${proxy.urlOf('sim')}/v1/messages`;
    await post(url, sealed);
    const marked = { ...user([{ type: 'text', text: 'More.', cache_control: { type: 'ephemeral' } }]) };
    const longer = { ...sealed, messages: [...sealed.messages, { role: 'assistant', content: 'Here.' }, marked] };
    expect((await post(url, longer)).status).toBe(200);
    expect(simulator.verdicts.map(({ status }) => status)).toEqual([400, 200, 200]);
    const [, first, second] = simulator.verdicts.map(({ body }) => (body as typeof sealed).messages);
    expect(JSON.stringify(second?.slice(0, 3))).toBe(JSON.stringify(first));
  });

  test('is not remembered for another conversation', async () => {
    const { simulator, proxy } = await openWorld(opens);
    const url = `${proxy.urlOf('sim')}/v1/messages`;
    await post(url, sealed);
    await post(url, { ...sealed, messages: [user('Another one.'), ...sealed.messages.slice(1)] });
    expect(simulator.verdicts.map(({ status }) => status)).toEqual([400, 200, 400, 200]);
  });

  test('is only reported by a proxy that observes', async () => {
    const { simulator, proxy } = await openWorld(opens, { mode: 'observe' });
    expect((await post(`${proxy.urlOf('sim')}/v1/messages`, sealed)).status).toBe(400);
    expect(simulator.verdicts).toHaveLength(1);
    expect(proxy.log.entries).toMatchObject([{ ending: 'passed', refusal: expect.stringContaining('signature') }]);
  });
});

describe('what is given that cannot be sent is the refusal itself', () => {
  type Reply = (response: ServerResponse, request: IncomingMessage) => void;
  const refusal = (text: string): string =>
    JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: text } });
  const about = 'messages.1.content.0: Invalid `signature` in `thinking` block';

  /** A provider that gives each request the next answer. */
  const provider = async (...replies: readonly Reply[]): Promise<{ proxy: RepairingProxy; asked: () => number }> => {
    let count = 0;
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => replies[count++]?.(response, request));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    opens({
      [Symbol.asyncDispose]: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    });
    const { port } = server.address() as AddressInfo;
    return { proxy: opens(await createProxy({ upstreams: { '': `http://127.0.0.1:${port}` } })), asked: () => count };
  };
  const refuse =
    (text: string, status = 400): Reply =>
    (response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(refusal(text));

  test('when the second request is refused too', async () => {
    const { proxy, asked } = await provider(refuse(about), refuse('messages.0: something else'));
    const answer = await post(`${proxy.url}/v1/messages`, sealed);
    expect([answer.status, await answer.text(), asked()]).toEqual([400, refusal(about), 2]);
  });

  test('when the second request fails on its way', async () => {
    const { proxy, asked } = await provider(refuse(about), (_, request) => request.socket.destroy());
    const answer = await post(`${proxy.url}/v1/messages`, sealed);
    expect([answer.status, await answer.text(), asked()]).toEqual([400, refusal(about), 2]);
  });

  test('when it is about something else, is empty, or is longer than a refusal', async () => {
    const long = 'x'.repeat(300_000);
    const replies = [
      refuse('max_tokens: 9999999 > 64000'),
      refuse(long),
      (response: ServerResponse) => response.writeHead(400).end(),
    ];
    const { proxy, asked } = await provider(...replies);
    const texts = [];
    for (const _ of replies) texts.push(await (await post(`${proxy.url}/v1/messages`, sealed)).text());
    expect(texts).toEqual([refusal('max_tokens: 9999999 > 64000'), refusal(long), '']);
    expect(asked()).toBe(3);
  });

  test('but an overloaded provider is told as it is, so that the client tries again', async () => {
    const { proxy } = await provider(refuse(about), refuse('Overloaded', 529));
    expect((await post(`${proxy.url}/v1/messages`, sealed)).status).toBe(529);
  });

  test('and a compressed refusal is read', async () => {
    const zipped: Reply = (response) =>
      response.writeHead(400, { 'content-encoding': 'gzip' }).end(gzipSync(refusal(about)));
    const { proxy, asked } = await provider(zipped, (response) => response.end('{}'));
    expect((await post(`${proxy.url}/v1/messages`, sealed)).status).toBe(200);
    expect(asked()).toBe(2);
  });

  test('and a refusal that breaks off is a network error', async () => {
    const { proxy } = await provider((response) => {
      response.writeHead(400, { 'content-length': 1000 });
      response.write('{"type"');
      setTimeout(() => response.destroy(), 20);
    });
    await expect(post(`${proxy.url}/v1/messages`, sealed)).rejects.toThrow('fetch failed');
  });
});

describe('what a proxy does not repair', () => {
  test.each([
    ['a system prompt', { ...healthy, system: [{ type: 'text', text: '' }] }],
    ['a system message in the list', { ...broken, messages: [{ role: 'system', content: '' }, ...broken.messages] }],
  ])('%s is sent as it is', async (_, body) => {
    const { simulator, proxy } = await openWorld(opens);
    await post(`${proxy.urlOf('sim')}/v1/messages`, body);
    for (const verdict of simulator.verdicts) {
      const sent = verdict.body as { system?: unknown; messages: readonly { role?: string }[] };
      expect(sent.system).toEqual('system' in body ? body.system : undefined);
    }
    expect(simulator.verdicts[0]?.body).toEqual(body);
  });

  test.each([
    ['by its bytes', { 'content-digest': 'sha-256=:x:' }],
    ['for a cloud', { authorization: 'AWS4-HMAC-SHA256 Credential=x' }],
  ])('a request that is signed %s', async (_, more) => {
    const { simulator, proxy } = await openWorld(opens);
    const { headers } = await import('./world.ts');
    await post(`${proxy.urlOf('sim')}/v1/messages`, broken, { headers: { ...headers, ...more } });
    expect(simulator.verdicts.map(({ body }) => body)).toEqual([broken]);
  });
});
