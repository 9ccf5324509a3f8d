import type { AgentInputItem, Session } from '@openai/agents';
import { repair, type RepairOptions } from '@rethread/core';

import { newestOf } from './newest-items.ts';
import { isNews, repairOptions, type Choices } from './reporting.ts';

/** Anything that can give back a list and take a new one: a file, a row, a key. */
export type ItemStore = {
  read(): readonly AgentInputItem[] | Promise<readonly AgentInputItem[]>;
  write(items: AgentInputItem[]): void | Promise<void>;
};

export type RepairingSessionOptions = Choices & {
  /** The id of a session over a list or a store; a session that is wrapped keeps its own. */
  readonly sessionId?: string;
  /** The model that runs: without its name what depends on the model is read strictly. */
  readonly model?: string;
  /** With `leave` the calls at the end stay open: somebody may still answer them. */
  readonly open?: RepairOptions['open'];
};

/**
 * A session whose items are repaired whenever they are read. It stands on a plain list, on a store, or on another
 * session. What is stored is never rewritten by a repair.
 */
export function repairingSession(
  source: AgentInputItem[] | ItemStore | Session,
  options: RepairingSessionOptions = {},
): Session {
  if (!isSource(source)) throw new TypeError('a session stands on a list, a store with read and write, or a session');
  if ('getItems' in source) return wrapped(source, options);
  const store = Array.isArray(source) ? overList(source) : source;
  return overStore(store, options);
}

function isSource(source: unknown): boolean {
  if (typeof source !== 'object' || source === null) return false;
  return Array.isArray(source) || 'getItems' in source || ('read' in source && 'write' in source);
}

/** Everything else that a session can do, it still does: the SDK looks for abilities that only some have. */
function wrapped(session: Session, options: RepairingSessionOptions): Session {
  const getItems: Session['getItems'] = async (...given) => repaired(await session.getItems(...given), options);
  return new Proxy(session, {
    get(target, key) {
      if (key === 'getItems') return getItems;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function overList(list: AgentInputItem[]): ItemStore {
  return {
    read: () => list,
    write: (items) => {
      // One by one: a call takes no more arguments than fit on the stack.
      list.length = 0;
      for (const item of items) list.push(item);
    },
  };
}

function overStore(store: ItemStore, options: RepairingSessionOptions): Session {
  const sessionId = options.sessionId ?? crypto.randomUUID();
  // One change at a time: each reads the whole list and writes it again.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const next = last.then(change, change);
    last = next.catch(() => undefined);
    return next;
  };
  return {
    getSessionId: () => Promise.resolve(sessionId),
    getItems: (limit) =>
      inTurn(async () => {
        const items = await store.read();
        return repaired(structuredClone([...newestOf(items, limit)]), options);
      }),
    addItems: (items) => inTurn(async () => store.write([...(await store.read()), ...structuredClone(items)])),
    popItem: () =>
      inTurn(async () => {
        const items = await store.read();
        if (items.length > 0) await store.write(items.slice(0, -1));
        return structuredClone(items.at(-1));
      }),
    clearSession: () => inTurn(async () => store.write([])),
  };
}

function repaired(items: AgentInputItem[], options: RepairingSessionOptions): AgentInputItem[] {
  const { model, open } = options;
  const target = { dialect: 'openai-agents', ...(model !== undefined && { model }) } as const;
  const choices = { ...repairOptions(options), ...(open !== undefined && { open }) };
  const { output, report } = repair(items, target, choices);
  if (isNews(report)) options.onReport?.(report);
  return output;
}
