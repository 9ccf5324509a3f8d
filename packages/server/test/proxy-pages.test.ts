import { open } from '@rethread/store';
import { describe, expect, test } from 'vitest';

import { logPrefix, openStoreLog, type ExchangeEntry } from '../src/index.ts';
import { broken, healthy, openWorld, post, usesOpened } from './world.ts';

const opens = usesOpened();

describe('what a proxy tells about itself', () => {
  test('statistics, and the same in the format of Prometheus', async () => {
    const { proxy } = await openWorld(opens);
    const url = `${proxy.urlOf('sim')}/v1/messages`;
    for (const body of [healthy, broken, broken]) await (await post(url, body)).text();
    const stats: unknown = await (await fetch(`${proxy.url}/.rethread/stats`)).json();
    expect(stats).toMatchObject({
      exchanges: 3,
      endings: { passed: 1, repaired: 2 },
      dialects: { 'anthropic-messages': 3 },
      statuses: { 200: 3 },
      repairs: { 'call-without-result': 2 },
    });
    const text = await (await fetch(`${proxy.url}/metrics`)).text();
    expect(text).toContain('# TYPE rethread_proxy_exchanges_total counter\nrethread_proxy_exchanges_total 3\n');
    expect(text).toContain('rethread_proxy_repairs_total{rule="call-without-result"} 2\n');
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(/^(# TYPE [a-z_]+ (counter|gauge)|[a-z_]+(\{[a-z]+="[\w-]+"\})? [\d.e-]+)$/);
    }
  });

  test('its log, which can be followed from any entry on', async () => {
    const { proxy } = await openWorld(opens);
    const url = `${proxy.urlOf('sim')}/v1/messages`;
    for (const body of [healthy, broken]) await (await post(url, body)).text();
    const leaving = new AbortController();
    const answer = await fetch(`${proxy.url}/.rethread/log`, {
      headers: { accept: 'text/event-stream', 'last-event-id': '1' },
      signal: leaving.signal,
    });
    const reader = answer.body?.getReader();
    let told = '';
    const read = async (until: string): Promise<void> => {
      while (!told.includes(until)) told += Buffer.from((await reader?.read())?.value ?? []).toString();
    };
    await read(': following');
    await (await post(url, healthy)).text();
    await read('id: 3');
    leaving.abort();
    expect([...told.matchAll(/^id: (\d+)/gm)].map(([, id]) => id)).toEqual(['2', '3']);
    expect(JSON.parse(/^data: (.*)$/m.exec(told)?.[1] ?? '')).toMatchObject({ id: 2, ending: 'repaired' });
  });

  test('nothing is kept if nobody wants it', async () => {
    const { proxy } = await openWorld(opens, { keep: 0 });
    await post(`${proxy.urlOf('sim')}/v1/messages`, broken);
    expect(proxy.log.entries).toEqual([]);
  });

  test('a listener that throws disturbs nobody', async () => {
    const errors: unknown[] = [];
    const onExchange = (): never => {
      throw new Error('full');
    };
    const { proxy } = await openWorld(opens, { onExchange, onError: (error) => void errors.push(error) });
    expect((await post(`${proxy.urlOf('sim')}/v1/messages`, broken)).status).toBe(200);
    expect(errors).toHaveLength(1);
  });
});

describe('a log in a store', () => {
  const entry = (id: number): ExchangeEntry => ({
    id,
    at: '2026-11-19T00:00:00.000Z',
    method: 'POST',
    path: '/v1/messages',
    ending: 'passed',
    requestBytes: 1,
    answerBytes: 1,
    judgingMs: 0,
    totalMs: 1,
  });

  test('holds every exchange as a note, and is bounded', async () => {
    const store = await open('memory:');
    const log = openStoreLog(store, { most: 10, sessions: 2 });
    for (let id = 1; id <= 45; id += 1) {
      log.add(entry(id));
      // Sessions are named after the time.
      if (id % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await log.close();
    const ids: string[] = [];
    for await (const session of store.list()) ids.push(session.id);
    expect(ids).toHaveLength(2);
    expect(ids.every((id) => id.startsWith(logPrefix))).toBe(true);
    const records = await (await store.session(ids.sort().at(-1) ?? '')).load();
    expect(records.map(({ data }) => data)).toEqual([41, 42, 43, 44, 45].map((id) => ({ exchange: entry(id) })));
    await store.close();
  });

  test('that fails is reported once, and the proxy goes on', async () => {
    const store = await open('memory:');
    await store.close();
    const errors: unknown[] = [];
    const log = openStoreLog(store, { onError: (error) => void errors.push(error) });
    for (let id = 1; id <= 5; id += 1) log.add(entry(id));
    await log.close();
    log.add(entry(6));
    expect(errors).toHaveLength(1);
  });
});
