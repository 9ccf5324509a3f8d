import { check, compact, convert, DIALECTS, encode, repair, toWire, type Dialect } from '@rethread/core';
import * as z from 'zod';

import type { Scope } from './http-api.ts';
import type { Tenancy } from './tenant.ts';

/** What an operation is given. */
export type Given<Query extends z.ZodObject, Body extends z.ZodType> = {
  readonly tenancy: Tenancy;
  /** The session that the path names. */
  readonly id: string;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
};

/** One operation of the service, from which its part of the OpenAPI document is made. */
export type Operation<Query extends z.ZodObject = z.ZodObject, Body extends z.ZodType = z.ZodType> = {
  readonly name: string;
  readonly method: 'get' | 'post' | 'delete';
  /** `{id}` stands for the id of a session. */
  readonly path: string;
  readonly scope: Scope;
  readonly summary: string;
  readonly query: Query;
  /** Absent for operations without a body. */
  readonly body?: Body;
  readonly answer: z.ZodType;
  readonly run: (given: Given<Query, Body>) => Promise<unknown>;
};

const define = <Query extends z.ZodObject, Body extends z.ZodType>(operation: Operation<Query, Body>): Operation =>
  operation;

const none = z.object({});
const anything = z.unknown();
const seq = z.coerce.number().int().min(0);
const id = z.string().min(1).max(200).describe('id of a session');

const dialect = z.enum(DIALECTS as readonly [Dialect, ...Dialect[]]).describe('name of a dialect');
const target = z
  .object({
    dialect: dialect.optional(),
    model: z.string().max(500).optional(),
    purpose: z.enum(['history', 'request']).optional(),
  })
  .describe('where the history is to be sent (default: detected, and read strictly)');
const policy = z.enum(['preserve', 'discard']).describe('how to repair incomplete calls and messages');

const report = z.looseObject({
  verdict: z.enum(['clean', 'broken', 'waiting', 'repaired', 'salvaged', 'emptied']),
  dialect: z.string().optional(),
  findings: z.array(z.looseObject({ rule: z.string(), severity: z.string(), explain: z.string() })),
  repairs: z.array(z.looseObject({ rule: z.string(), action: z.string(), loss: z.string(), note: z.string() })),
});
const head = z.looseObject({ seq: z.int() });
const info = z.looseObject({ id: z.string(), seq: z.int(), updatedAt: z.string(), archived: z.boolean() });
const record = z.looseObject({ seq: z.int(), kind: z.string(), data: anything, at: z.string() });
const input = anything.describe('a list of messages, or a whole request with one');

type Target = z.output<typeof target>;

/** Keys that were left out, instead of keys whose value is undefined. */
function withoutGaps<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}

const targetOf = (given: Target | undefined): object => withoutGaps(given ?? {});

const judging: readonly Operation[] = [
  define({
    name: 'check',
    method: 'post',
    path: '/v1/check',
    scope: 'judge',
    summary: 'Check a history without changing it.',
    query: none,
    body: z.object({ input, target: target.optional() }),
    answer: report,
    run: async ({ body }) => check(body.input, targetOf(body.target)),
  }),
  define({
    name: 'repair',
    method: 'post',
    path: '/v1/repair',
    scope: 'judge',
    summary: 'Make a history sendable.',
    query: none,
    body: z.object({
      input,
      target: target.optional(),
      policy: policy.optional(),
      open: z.enum(['close', 'leave']).optional().describe('whether calls of the last turn may stay open'),
      refusal: anything.optional().describe("the provider's answer to this history"),
    }),
    answer: z.looseObject({ output: anything, changed: z.boolean(), report }),
    run: async ({ body: { input: given, target: wanted, ...options } }) =>
      repair(given, targetOf(wanted), withoutGaps(options)),
  }),
  define({
    name: 'convert',
    method: 'post',
    path: '/v1/convert',
    scope: 'judge',
    summary: 'Write a history in another dialect.',
    query: none,
    body: z.object({ input, from: dialect.optional(), to: dialect, model: z.string().max(500).optional() }),
    answer: z.looseObject({ output: anything, losses: z.array(anything), report }),
    run: async ({ body: { input: given, ...options } }) => convert(given, withoutGaps(options)),
  }),
  define({
    name: 'compact',
    method: 'post',
    path: '/v1/compact',
    scope: 'judge',
    summary: 'Shorten a history to a token budget, without a model.',
    query: none,
    body: z.object({ input, target: target.optional(), budgetTokens: z.int().min(1) }),
    answer: z.looseObject({ history: anything, changed: z.boolean(), dropped: z.array(anything) }),
    run: ({ body }) => compact(body.input, { budgetTokens: body.budgetTokens, target: targetOf(body.target) }),
  }),
];

const page = {
  limit: z.coerce.number().int().min(1).max(1000).default(100).describe('maximum number of items'),
};

const reading: readonly Operation[] = [
  define({
    name: 'listSessions',
    method: 'get',
    path: '/v1/sessions',
    scope: 'read',
    summary: 'List sessions, by id.',
    query: z.object({
      ...page,
      after: z.string().max(200).optional().describe('only sessions after this id'),
      archived: z.enum(['true', 'false', 'any']).default('false'),
    }),
    answer: z.object({ sessions: z.array(info), next: z.string().optional().describe('`after` for the next page') }),
    run: async ({ tenancy, query: { after, archived, limit } }) => {
      const sessions = [];
      for await (const one of tenancy.list(after, archived === 'any' ? 'any' : archived === 'true')) {
        sessions.push(one);
        if (sessions.length === limit) return { sessions, next: one.id };
      }
      return { sessions };
    },
  }),
  define({
    name: 'getSession',
    method: 'get',
    path: '/v1/sessions/{id}',
    scope: 'read',
    summary: 'Describe a session.',
    query: none,
    answer: info,
    run: async ({ tenancy, id: name }) => tenancy.describe(await (await tenancy.session(name)).info()),
  }),
  define({
    name: 'readRecords',
    method: 'get',
    path: '/v1/sessions/{id}/records',
    scope: 'read',
    summary: 'Read records of a session, in order.',
    query: z.object({ ...page, after: seq.default(0).describe('only records after this one') }),
    answer: z.object({ records: z.array(record), next: z.int().optional().describe('`after` for the next page') }),
    run: async ({ tenancy, id: name, query: { after, limit } }) => {
      const records = [];
      for await (const one of (await tenancy.session(name)).read({ after })) {
        records.push(one);
        if (records.length === limit) return { records, next: one.seq };
      }
      return { records };
    },
  }),
  define({
    name: 'projectSession',
    method: 'get',
    path: '/v1/sessions/{id}/history',
    scope: 'read',
    summary: 'Return the history that the records of a session stand for.',
    query: none,
    answer: z.object({ dialect: z.string().optional(), messages: z.array(anything) }),
    run: async ({ tenancy, id: name }) => {
      const history = await (await tenancy.session(name)).project();
      return history === undefined ? { messages: [] } : { dialect: history.dialect, messages: toWire(history) };
    },
  }),
  define({
    name: 'recoverSession',
    method: 'post',
    path: '/v1/sessions/{id}/recover',
    scope: 'read',
    summary: 'Return the history of a session, sendable for a target. Nothing is written.',
    query: none,
    body: z.object({ target: target.optional(), policy: policy.optional() }),
    answer: z.looseObject({ messages: z.array(anything).optional(), head: z.int(), report }),
    run: async ({ tenancy, id: name, body: { target: wanted, ...options } }) => {
      const chosen = { ...withoutGaps(options), audit: 'never' as const };
      const recovered = await tenancy.store.recoverSession(tenancy.inside(name), targetOf(wanted), chosen);
      const { sendable, head: newest, report: told, lifted, losses } = recovered;
      const messages = sendable === undefined ? undefined : encode(sendable);
      return withoutGaps({ messages, head: newest, report: told, lifted, losses });
    },
  }),
  define({
    name: 'search',
    method: 'get',
    path: '/v1/search',
    scope: 'read',
    summary: 'Find records that contain every word of a query.',
    query: z.object({ ...page, query: z.string().min(1).max(500), session: id.optional() }),
    answer: z.object({ found: z.array(z.looseObject({ session: z.string(), seq: z.int(), snippet: z.string() })) }),
    run: async ({ tenancy, query: { query, session, limit } }) => {
      const where = session === undefined ? { limit: 100_000 } : { session: tenancy.inside(session), limit };
      const found = [];
      for await (const one of tenancy.store.search(query, where)) {
        const own = tenancy.outside(one.session);
        if (own !== undefined) found.push({ ...one, session: own });
        if (found.length === limit) break;
      }
      return { found };
    },
  }),
];

const writing: readonly Operation[] = [
  define({
    name: 'createSession',
    method: 'post',
    path: '/v1/sessions',
    scope: 'write',
    summary: 'Create an empty session.',
    query: none,
    body: z.object({ id, title: z.string().max(1000).optional() }),
    answer: info,
    run: async ({ tenancy, body: { id: name, title } }) => {
      const session = await tenancy.store.create({ id: tenancy.inside(name), ...(title !== undefined && { title }) });
      return tenancy.describe(await session.info());
    },
  }),
  define({
    name: 'appendRecords',
    method: 'post',
    path: '/v1/sessions/{id}/records',
    scope: 'write',
    summary: 'Append records. They are durable when the answer comes; a retry with the same `op` writes nothing.',
    query: none,
    body: z.object({
      records: z
        .array(z.object({ kind: z.string().min(1).max(100), data: anything }))
        .min(1)
        .max(10_000),
      op: z.string().min(1).max(200).optional(),
      expect: z.int().min(0).optional().describe('the head that the writer believes in'),
    }),
    answer: head,
    run: async ({ tenancy, id: name, body: { records, ...options } }) =>
      tenancy.write(name, (session) => session.append(records, withoutGaps(options))),
  }),
  define({
    name: 'forkSession',
    method: 'post',
    path: '/v1/sessions/{id}/fork',
    scope: 'write',
    summary: 'Create a session that shares the records of this one up to a point.',
    query: none,
    body: z.object({ id, at: z.int().min(0).optional(), title: z.string().max(1000).optional() }),
    answer: info,
    run: async ({ tenancy, id: name, body: { id: fork, ...options } }) => {
      const made = await (await tenancy.session(name)).fork({ id: tenancy.inside(fork), ...withoutGaps(options) });
      return tenancy.describe(await made.info());
    },
  }),
  define({
    name: 'revertSession',
    method: 'post',
    path: '/v1/sessions/{id}/revert',
    scope: 'write',
    summary: 'Go back to a record. What came after it stays in the log.',
    query: none,
    body: z.object({ to: z.int().min(0) }),
    answer: head,
    run: ({ tenancy, id: name, body: { to } }) => tenancy.write(name, (session) => session.revert({ to })),
  }),
  define({
    name: 'unrevertSession',
    method: 'post',
    path: '/v1/sessions/{id}/unrevert',
    scope: 'write',
    summary: 'Undo the latest revert.',
    query: none,
    answer: head,
    run: ({ tenancy, id: name }) => tenancy.write(name, (session) => session.unrevert()),
  }),
  define({
    name: 'eraseSession',
    method: 'delete',
    path: '/v1/sessions/{id}',
    scope: 'write',
    summary: 'Erase a session for good, and return a receipt.',
    query: none,
    answer: z.looseObject({ erasedAt: z.string(), records: z.int() }),
    run: async ({ tenancy, id: name }) => ({
      ...(await tenancy.write(name, (session) => session.erase())),
      session: name,
    }),
  }),
];

/** Everything that the service does, in the order of the document. */
export const operations: readonly Operation[] = [...judging, ...reading, ...writing];
