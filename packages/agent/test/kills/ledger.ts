import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import type { Random } from '../../../core/test/fuzz/random.ts';
import type { Effect } from '@rethread/agent';
import type { Order } from './errand.ts';

/** A tool's request to the outside world. */
export type Deed = Order & { readonly session: string; readonly effect: Effect; readonly key: string };

/** What the world saw of one call. */
export type Entry = {
  readonly session: string;
  readonly effect: Effect;
  /** The number of requests. */
  asked: number;
  /** How often it happened; a repeated request with the same key does not count. */
  happened: number;
  readonly keys: Set<string>;
};

/** The outside world, which no kill reaches. It counts tool effects and recognises keys. */
export type Ledger = {
  readonly url: string;
  readonly entries: ReadonlyMap<string, Entry>;
  /** Returns everything done for a session and forgets it. */
  take(session: string): ReadonlyMap<string, Entry>;
  close(): Promise<void>;
};

const LONGEST_ANSWER_MS = 5;

export async function startLedger(random: Random): Promise<Ledger> {
  const entries = new Map<string, Entry>();
  const done = new Set<string>();
  const receive = async (request: IncomingMessage): Promise<void> => {
    const { token, session, effect, key } = (await json(request)) as Deed;
    const entry = entries.get(token) ?? { session, effect, asked: 0, happened: 0, keys: new Set() };
    entries.set(token, entry);
    entry.asked += 1;
    entry.keys.add(key);
    if (effect !== 'keyed' || !done.has(key)) entry.happened += 1;
    done.add(key);
  };
  const server = createServer((request, response) => {
    // Responses are slightly delayed, so that many workers die between effect and response.
    const answer = (): void => void setTimeout(() => response.end(), random.below(LONGEST_ANSWER_MS));
    receive(request).then(answer, () => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    entries,
    take: (session) => {
      const taken = new Map([...entries].filter(([, entry]) => entry.session === session));
      for (const [token, { keys }] of taken) {
        entries.delete(token);
        for (const key of keys) done.delete(key);
      }
      return taken;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
