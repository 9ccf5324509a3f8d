import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import type { AgentInputItem, Model, ModelProvider, ModelRequest, Session } from '@openai/agents';
import { repair } from '@rethread/core';
import { type NewRecord, type Session as StoreSession, StoreError, type StoredRecord } from '@rethread/store';

import { changeTo, itemsIn, keyOf, missingItems, type StoredItem, toRecord } from './agents-items.ts';
import { ledgerOf } from './durable-tool.ts';
import { newestOf } from './newest-items.ts';
import { isNews, repairOptions, type Choices } from './reporting.ts';

/** How often a change is tried again while others write to the session. */
const MOST_TRIES = 20;

/** The part of the SDK's transactions that is stored. */
type Transaction =
  | { readonly type: 'append_items'; readonly items: AgentInputItem[] }
  | {
      readonly type: 'replace_suffix';
      readonly expectedSuffix: AgentInputItem[];
      readonly replacement: AgentInputItem[];
    };

export type DurableSessionOptions = Choices & {
  /** The model that runs: without its name what depends on the model is read strictly. */
  readonly model?: string;
};

/**
 * A session of the OpenAI Agents SDK over a store. Items that `durableModels` has stored already are recognised when
 * the SDK adds them at the end of a run. What the last process left open is settled at the first read.
 */
export class DurableSession implements Session {
  readonly #session: StoreSession;
  readonly #options: DurableSessionOptions;
  /** Items up to this record are what the SDK knows; later ones were stored during the run. */
  #known: number | undefined;
  /** The keys of what the SDK got and of what was stored since. */
  #sent: string[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(session: StoreSession, options: DurableSessionOptions = {}) {
    this.#session = session;
    this.#options = options;
  }

  async getSessionId(): Promise<string> {
    return this.#session.id;
  }

  /** The items, repaired. At most `limit`, from the first place where the history can be cut. */
  getItems(limit?: number): Promise<AgentInputItem[]> {
    return this.#inTurn(async () => {
      const records = await this.#settled();
      const items = itemsIn(records).map(({ item }) => item);
      const repaired = await this.#repaired([...newestOf(items, limit)]);
      this.#known = records.at(-1)?.seq ?? 0;
      this.#sent = repaired.map(keyOf);
      return repaired;
    });
  }

  addItems(items: AgentInputItem[]): Promise<void> {
    return this.#change((records) => this.#toAdd(records, items));
  }

  popItem(): Promise<AgentInputItem | undefined> {
    let last: StoredItem | undefined;
    const pop = (records: readonly StoredRecord[]): readonly NewRecord[] => {
      const items = itemsIn(records);
      last = items.at(-1);
      return last === undefined ? [] : changeTo(items, items.length - 1, []);
    };
    return this.#change(pop).then(() => last?.item);
  }

  /** Empties the history. The log keeps the items; `session.erase()` of the store removes them. */
  clearSession(): Promise<void> {
    return this.replaceHistoryWithCompaction([]);
  }

  replaceHistoryWithCompaction(items: AgentInputItem[]): Promise<void> {
    return this.#change((records) => changeTo(itemsIn(records), 0, items));
  }

  /** Applies a change once, however often it is retried, and only to the history that it expects. */
  applyHistoryTransaction(args: { readonly operationId: string; readonly transaction: Transaction }): Promise<void> {
    const { operationId, transaction } = args;
    const digest = createHash('sha256').update(canonical(transaction)).digest('hex');
    const op = `history ${operationId}`;
    const change = (records: readonly StoredRecord[]): readonly NewRecord[] => {
      const done = records.find((record) => record.op === op);
      if (done === undefined) {
        const isAppend = transaction.type === 'append_items';
        const made = isAppend ? this.#toAdd(records, transaction.items) : toReplace(itemsIn(records), transaction);
        return [{ kind: 'note', data: { transaction: digest } }, ...made];
      }
      if ((done.data as { readonly transaction?: unknown } | null)?.transaction === digest) return [];
      throw new Error(`operation ${operationId} was already applied with a different transaction`);
    };
    return this.#change(change, op);
  }

  /** Whether the last run ended before its answer. Continue it with `run(agent, [], { session })`. */
  async interrupted(): Promise<boolean> {
    const last = (await this.getItems()).at(-1);
    return last !== undefined && !('role' in last && last.role === 'assistant');
  }

  /** Stores the items of a request that are not stored yet: the input, and the results of the tools. */
  recordInput(input: string | readonly AgentInputItem[]): Promise<void> {
    return this.#inTurn(async () => {
      const items: readonly AgentInputItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
      const keys = items.map(keyOf);
      const last = this.#sent.at(-1);
      const from = last === undefined ? 0 : keys.lastIndexOf(last) + 1;
      // A filter of the user has changed the input: the SDK adds its items at the end.
      if (last !== undefined && from === 0) return;
      await this.#record(items.slice(from));
    });
  }

  recordOutput(items: readonly AgentInputItem[]): Promise<void> {
    return this.#inTurn(() => this.#record(items));
  }

  /** Stores text before it is shown. */
  recordShown(text: string): Promise<void> {
    return this.#inTurn(async () => void (await this.#session.append({ kind: 'note', data: { shown: text } })));
  }

  async #record(items: readonly AgentInputItem[]): Promise<void> {
    if (items.length === 0) return;
    await this.#session.append(items.map(toRecord));
    this.#sent.push(...items.map(keyOf));
  }

  /** The records, after the first read with what the last process left open. */
  async #settled(): Promise<readonly StoredRecord[]> {
    const records = await this.#session.load();
    if (this.#known !== undefined) return records;
    const calls = await ledgerOf(this.#session).calls();
    const added = missingItems(records, calls);
    if (added.length > 0) await this.#append(records, added.map(toRecord));
    const now = added.length > 0 ? await this.#session.load() : records;
    this.#known = now.at(-1)?.seq ?? 0;
    return now;
  }

  /** What is left to store of items that the SDK adds: those stored during the run are recognised. */
  #toAdd(records: readonly StoredRecord[], items: readonly AgentInputItem[]): readonly NewRecord[] {
    const all = itemsIn(records);
    const first = all.findIndex(({ seq }) => seq > (this.#known ?? 0));
    const start = first === -1 ? all.length : first;
    let same = 0;
    for (const { item } of all.slice(start)) {
      const given = items[same];
      if (given === undefined || keyOf(given) !== keyOf(item)) break;
      same += 1;
    }
    const matched = all[start + same - 1];
    if (same > 0 && matched !== undefined) this.#known = matched.seq;
    const rest = items.slice(same);
    if (rest.length === 0) return [];
    this.#known = Infinity;
    return changeTo(all, start + same, rest);
  }

  async #append(records: readonly StoredRecord[], change: readonly NewRecord[], op?: string): Promise<void> {
    if (change.length === 0) return;
    const expect = records.at(-1)?.seq ?? 0;
    const { seq } = await this.#session.append(change, { expect, ...(op === undefined ? {} : { op }) });
    if (this.#known === Infinity || this.#known === undefined) this.#known = seq;
  }

  async #repaired(items: AgentInputItem[]): Promise<AgentInputItem[]> {
    const { model, evidence } = this.#options;
    const target = { dialect: 'openai-agents', ...(model === undefined ? {} : { model }) } as const;
    const open = (await ledgerOf(this.#session).calls()).filter(({ settled }) => settled === undefined);
    const started = Object.fromEntries(open.map(({ callId }) => [callId, 'started' as const]));
    const { output, report } = repair(items, target, {
      ...repairOptions(this.#options),
      evidence: { ...started, ...evidence },
    });
    if (isNews(report)) this.#options.onReport?.(report);
    return output;
  }

  /** Stores a change of the history as it is. A tool that records its result meanwhile only delays the change. */
  #change(toRecords: (records: readonly StoredRecord[]) => readonly NewRecord[], op?: string): Promise<void> {
    return this.#inTurn(async () => {
      for (let left = MOST_TRIES; ; left -= 1) {
        const known = this.#known;
        const records = await this.#settled();
        try {
          await this.#append(records, toRecords(records), op);
          return;
        } catch (error) {
          const isMoved = StoreError.is(error) && error.code === 'conflict' && error.details.expected !== undefined;
          if (!isMoved || left === 0) throw error;
          this.#known = known;
        }
      }
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => undefined);
    return next;
  }
}

function toReplace(
  items: readonly StoredItem[],
  { expectedSuffix, replacement }: Extract<Transaction, { type: 'replace_suffix' }>,
): readonly NewRecord[] {
  const keep = items.length - expectedSuffix.length;
  const actual = items.slice(Math.max(keep, 0)).map(({ item }) => item);
  if (keep < 0 || canonical(actual) !== canonical(expectedSuffix)) {
    throw new Error('the end of the history is not what the transaction expects');
  }
  return isDeepStrictEqual(expectedSuffix, replacement) ? [] : changeTo(items, keep, replacement);
}

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

/**
 * A model provider whose models store what they are sent and what they answer as it comes, before the SDK shows it or
 * runs a tool. Use it in a `Runner` of its own for each session.
 */
export function durableModels(provider: ModelProvider, session: DurableSession): ModelProvider {
  return {
    getModel: async (name) => {
      const model = await provider.getModel(name);
      const getResponse = async (request: ModelRequest): ReturnType<Model['getResponse']> => {
        await session.recordInput(request.input);
        const response = await model.getResponse(request);
        await session.recordOutput(response.output);
        return response;
      };
      async function* getStreamedResponse(request: ModelRequest): ReturnType<Model['getStreamedResponse']> {
        await session.recordInput(request.input);
        for await (const event of model.getStreamedResponse(request)) {
          if (event.type === 'output_text_delta') await session.recordShown(event.delta);
          if (event.type === 'response_done') await session.recordOutput(event.response.output);
          yield event;
        }
      }
      const own: Partial<Model> = { getResponse, getStreamedResponse };
      return new Proxy(model, {
        get: (target, key) => {
          const value: unknown = Reflect.get(Object.hasOwn(own, key) ? own : target, key);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      });
    },
  };
}
