import type { Environment } from '../../environment.ts';
import type { Waiting } from '../sql/log.ts';
import { createWake } from '../wake.ts';
import { connect, type Connecting, type Connection } from './client.ts';
import { channelOf, keyOf } from './place.ts';
import type { Pool } from './pool.ts';

/** Tells followers, here and in other processes, that a session has grown. */
export type Followers = {
  readonly grown: (session: string) => void;
  /** Subscribes to a session until the returned function is called. */
  readonly join: (session: string) => () => void;
  readonly wait: Waiting;
  readonly close: () => Promise<void>;
};

/** A lost connection may lose a wake-up, so followers also check by themselves. */
const lookMs = 1_000;
/** Wake-ups are sent in groups, because each takes a lock that all commits of the server wait for. */
const gatherMs = 10;

type Setting = { readonly connecting: Connecting; readonly pool: Pool; readonly schema: string };

export function createFollowers(setting: Setting): Followers {
  const { environment } = setting.connecting;
  const wake = createWake(environment);
  const ears = createEars(setting, (session) => wake.ring(session));
  const notices = createNotices(setting, environment);
  return {
    grown: (session) => {
      wake.ring(session);
      notices.add(session);
    },
    join: ears.listen,
    wait: (session, signal) => wake.wait(session, lookMs, signal),
    close: async () => {
      ears.close();
      await notices.close();
    },
  };
}

/** Sends wake-ups after the commit, so that no append waits for them. */
function createNotices({ pool, schema }: Setting, environment: Environment) {
  let pending = new Set<string>();
  let sending: Promise<void> | undefined;
  const send = async (): Promise<void> => {
    const channels = `{${Array.from(pending, (session) => channelOf(schema, keyOf(session))).join()}}`;
    pending = new Set();
    // A wake-up need not be durable; a sync would delay concurrent appends.
    const text = `select set_config('synchronous_commit', 'off', true), pg_notify(channel, '')
      from unnest($1::text[]) as channel`;
    await pool
      .lend((connection) => connection.run({ name: 'notify', text, values: [channels] }))
      .catch(() => undefined);
  };
  const start = (): void => {
    sending = send().finally(() => {
      sending = undefined;
      if (pending.size > 0) schedule();
    });
  };
  let cancel: (() => void) | undefined;
  const schedule = (): void => {
    cancel ??= environment.after(gatherMs, () => {
      cancel = undefined;
      if (sending === undefined) start();
    });
  };
  return {
    add: (session: string): void => {
      pending.add(session);
      if (sending === undefined) schedule();
    },
    close: async (): Promise<void> => {
      cancel?.();
      await sending;
      if (pending.size > 0) await send();
    },
  };
}

/** One connection that listens for all followed sessions and reconnects when it breaks. */
function createEars({ connecting, schema }: Setting, ring: (session: string) => void) {
  const followed = new Map<string, { session: string; count: number }>();
  let connection: Promise<Connection | undefined> | undefined;
  let closed = false;
  const say = async (verb: 'listen' | 'unlisten', channel: string): Promise<void> => {
    const made = await connection;
    await made?.run({ text: `${verb} ${channel}` }).catch(() => undefined);
    // A wake-up before `listen` took effect was missed.
    ring(followed.get(channel)?.session ?? '');
  };
  const retry = (): void => {
    connection = undefined;
    if (closed || followed.size === 0) return;
    connecting.environment.after(lookMs / 2, () => {
      if (!closed && followed.size > 0) connection ??= open();
    });
  };
  const open = async (): Promise<Connection | undefined> => {
    try {
      const made = await connect(connecting);
      made.hold(false);
      made.onNotice((channel) => {
        const known = followed.get(channel);
        if (known !== undefined) ring(known.session);
      });
      for (const channel of followed.keys()) await made.run({ text: `listen ${channel}` });
      if (closed) made.end();
      made.onEnd(retry);
      for (const { session } of followed.values()) ring(session);
      return made;
    } catch {
      retry();
      return undefined;
    }
  };
  return {
    listen: (session: string): (() => void) => {
      const channel = channelOf(schema, keyOf(session));
      const known = followed.get(channel) ?? { session, count: 0 };
      known.count += 1;
      followed.set(channel, known);
      if (connection === undefined) connection = open();
      else if (known.count === 1) void say('listen', channel);
      return () => {
        known.count -= 1;
        if (known.count > 0 || closed) return;
        followed.delete(channel);
        void say('unlisten', channel);
      };
    },
    close: (): void => {
      closed = true;
      void connection?.then((open) => open?.end());
    },
  };
}
