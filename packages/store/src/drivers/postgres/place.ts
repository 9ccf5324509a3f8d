import { createHash } from 'node:crypto';

import { StoreError } from '../../store-error.ts';

/** Where the sessions are: how to connect, and in which schema. */
export type Place = {
  /** What the client connects with, password included. */
  readonly connection: string;
  /** The same without the password and without our own settings, for people. */
  readonly url: string;
  /** The schema, quoted. It was looked at letter by letter, since no parameter can stand for it. */
  readonly schema: string;
  readonly connections: number;
};

const name = /^[a-z_][a-z0-9_]{0,39}$/;
const mostConnections = 64;

function settingsOf(url: URL): { schema: string; connections: number } {
  const schema = url.searchParams.get('schema') ?? 'rethread';
  if (!name.test(schema) || schema.startsWith('pg_'))
    throw new StoreError('unsafe', `${JSON.stringify(schema)} is no name for a schema: a-z, 0-9 and _, at most 40`);
  const connections = Number(url.searchParams.get('connections') ?? 4);
  if (!Number.isInteger(connections) || connections < 2 || connections > mostConnections)
    throw new StoreError('unsupported', `connections is a whole number from 2 to ${mostConnections}`);
  return { schema: `"${schema}"`, connections };
}

/** Reads `postgres://user@host/database?schema=name&connections=4`; everything else in it is for the client. */
export function placeOf(text: string): Place {
  if (!URL.canParse(text)) throw new StoreError('unsupported', 'a postgres: URL is postgres://user@host:port/database');
  const url = new URL(text);
  const settings = settingsOf(url);
  url.searchParams.delete('schema');
  url.searchParams.delete('connections');
  const connection = url.href;
  url.password = '';
  for (const secret of ['password', 'sslpassword']) url.searchParams.delete(secret);
  return { connection, url: url.href, ...settings };
}

/** A key of sixteen bytes for any string: ids may be longer than what an index takes, and hold what text cannot. */
export function keyOf(text: string): string {
  return createHash('sha256').update(text, 'utf16le').digest('hex').slice(0, 32);
}

/** The channel that tells of the growth of a session; the name holds nothing but letters and digits. */
export function channelOf(schema: string, key: string): string {
  return `rethread_${keyOf(`${schema}/${key}`)}`;
}
