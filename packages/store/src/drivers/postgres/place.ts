import { createHash } from 'node:crypto';

import { StoreError } from '../../store-error.ts';

/** The database and the schema of the sessions. */
export type Place = {
  /** The connection string, including the password. */
  readonly connection: string;
  /** The URL without password and store settings, for messages. */
  readonly url: string;
  /** The quoted schema name. It was validated, because it cannot be a parameter. */
  readonly schema: string;
  readonly connections: number;
};

const name = /^[a-z_][a-z0-9_]{0,39}$/;
const mostConnections = 64;

function settingsOf(url: URL): { schema: string; connections: number } {
  const schema = url.searchParams.get('schema') ?? 'rethread';
  if (!name.test(schema) || schema.startsWith('pg_'))
    throw new StoreError(
      'unsafe',
      `${JSON.stringify(schema)} is not a valid schema name; use up to 40 of a-z, 0-9 and _`,
    );
  const connections = Number(url.searchParams.get('connections') ?? 4);
  if (!Number.isInteger(connections) || connections < 2 || connections > mostConnections)
    throw new StoreError('unsupported', `connections must be a whole number from 2 to ${mostConnections}`);
  return { schema: `"${schema}"`, connections };
}

/** Parses `postgres://user@host/database?schema=name&connections=4`. The client reads all other settings. */
export function placeOf(text: string): Place {
  if (!URL.canParse(text))
    throw new StoreError('unsupported', 'a postgres: URL must look like postgres://user@host:port/database');
  const url = new URL(text);
  const settings = settingsOf(url);
  url.searchParams.delete('schema');
  url.searchParams.delete('connections');
  const connection = url.href;
  url.password = '';
  for (const secret of ['password', 'sslpassword']) url.searchParams.delete(secret);
  return { connection, url: url.href, ...settings };
}

/** A 16-byte key for any string, because ids may be too long for an index or invalid as text. */
export function keyOf(text: string): string {
  return createHash('sha256').update(text, 'utf16le').digest('hex').slice(0, 32);
}

/** The notification channel of a session; its name is plain letters and digits. */
export function channelOf(schema: string, key: string): string {
  return `rethread_${keyOf(`${schema}/${key}`)}`;
}
