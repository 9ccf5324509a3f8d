import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import type { Deed } from './errand.ts';

/** What the outside world saw of one call: how often it was asked, and with which keys. */
export type Seen = { asked: number; readonly tool: string; readonly keys: Set<string> };

/** The outside world, which no kill reaches. */
export type World = {
  readonly url: string;
  readonly calls: ReadonlyMap<string, Seen>;
  close(): Promise<void>;
};

export async function startWorld(): Promise<World> {
  const calls = new Map<string, Seen>();
  const receive = async (request: IncomingMessage): Promise<void> => {
    const { token, tool, key } = (await json(request)) as Deed;
    const seen = calls.get(token) ?? { asked: 0, tool, keys: new Set<string>() };
    seen.asked += 1;
    seen.keys.add(key);
    calls.set(token, seen);
  };
  const server = createServer((request, response) => {
    // A slow response, so that many workers die between the effect and its result.
    const answer = (): void => void setTimeout(() => response.end(), 3);
    receive(request).then(answer, () => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
