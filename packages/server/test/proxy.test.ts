import { describe, expect, test } from 'vitest';

import { createProxy } from '../src/index.ts';
import { talk } from './raw-client.ts';
import { rawServer } from './raw-server.ts';
import { broken, healthy, openWorld, post, usesOpened } from './world.ts';

const opens = usesOpened();

describe('a request that is sure to be refused', () => {
  test('is repaired before it leaves, and says so in the log', async () => {
    const { simulator, proxy } = await openWorld(opens);
    const direct = await post(`${simulator.url}/v1/messages`, broken);
    expect(direct.status).toBe(400);
    const through = await post(`${proxy.urlOf('sim')}/v1/messages`, broken);
    expect(through.status).toBe(200);
    expect(await through.json()).toMatchObject({ type: 'message' });
    expect(proxy.log.entries).toMatchObject([
      {
        ending: 'repaired',
        status: 200,
        dialect: 'anthropic-messages',
        model: 'claude-sonnet-4-5',
        path: '/sim/v1/messages',
        repairs: [{ rule: 'call-without-result', action: 'synthesize', loss: 'synthetic' }],
      },
    ]);
    expect(simulator.verdicts.map(({ accepted }) => accepted)).toEqual([false, true]);
  });

  test('is only reported by a proxy that observes', async () => {
    const { simulator, proxy } = await openWorld(opens, { mode: 'observe' });
    const text = JSON.stringify(broken);
    const through = await post(`${proxy.urlOf('sim')}/v1/messages`, text);
    expect(through.status).toBe(400);
    expect(simulator.verdicts[0]?.body).toEqual(broken);
    expect(proxy.log.entries).toMatchObject([
      { ending: 'passed', status: 400, verdict: 'broken', findings: [{ rule: 'call-without-result' }] },
    ]);
    expect(proxy.log.entries[0]).not.toHaveProperty('repairs');
  });
});

describe('everything else passes byte for byte', () => {
  const head = [
    'POST /raw/v1/messages?beta=true&key=a%20b HTTP/1.1',
    'hOsT: 127.0.0.1:1',
    'X-API-Key: sk-one',
    'anthropic-VERSION: 2023-06-01',
    'X-Twice: 1',
    'x-twice: 2',
    'Content-Type: application/json',
    'X-Bytes: \xe9\xff',
    'Empty:',
  ];

  test('the head of a request, but for the host, and its body', async () => {
    const answer =
      'HTTP/1.1 299 Fine Thing\r\nX-Odd-CASE: a\r\nx-odd-case: b\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok';
    await using server = await rawServer((one, chunk) => {
      if (chunk.endsWith('}')) one.socket.end(answer);
    });
    const proxy = opens(await createProxy({ upstreams: { raw: server.url } }));
    const body = JSON.stringify(healthy).replaceAll(':', ' : ');
    const request = [...head, `Content-Length: ${Buffer.byteLength(body)}`, '', ''].join('\r\n');
    const got = await talk(proxy.url, Buffer.concat([Buffer.from(request, 'latin1'), Buffer.from(body)]));
    const { host } = new URL(server.url);
    const expected = request.replace('/raw/v1', '/v1').replace('127.0.0.1:1', host).replace('Empty:', 'Empty: ');
    expect(server.talks[0]?.received).toBe(expected + Buffer.from(body).toString('latin1'));
    expect(got).toBe(answer);
  });

  test('a streamed request and answer with trailers', async () => {
    await using server = await rawServer((one, chunk) => {
      if (!chunk.includes('0\r\n')) return;
      one.socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n');
      one.socket.write('0\r\nX-Sum: 1\r\nX-sum: 2\r\n\r\n');
    });
    const proxy = opens(await createProxy({ upstreams: { '': server.url } }));
    const request = 'PUT /files HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTrailer: X-Check\r\n\r\n';
    const got = await talk(proxy.url, `${request}2\r\nhi\r\n0\r\nX-Check: 7\r\n\r\n`, { until: 'X-sum: 2' });
    expect(server.talks[0]?.received).toMatch(/2\r\nhi\r\n0\r\nX-Check: 7\r\n\r\n$/);
    expect(got).toBe(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\nX-sum: 2\r\n\r\n',
    );
  });

  test('an answer that ends with its connection', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nuntil the end';
    await using server = await rawServer((one) => one.socket.end(answer));
    const proxy = opens(await createProxy({ upstreams: { '': server.url } }));
    expect(await talk(proxy.url, 'GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n')).toBe(answer);
  });
});
