import type { NewSession, SessionInfo } from '../../driver.ts';
import type { Owner } from '../../owner.ts';
import { fromStoredText, toStoredText } from './stored-text.ts';

/** The list columns that both databases share. */
export const infoColumns = [
  'id',
  'created_at',
  'updated_at',
  'title',
  'parent',
  'fork_from',
  'fork_at',
  'base',
  'seq',
  'records',
  'bytes',
  'archived',
  'importing',
] as const;

export type InfoRow = Readonly<Record<(typeof infoColumns)[number], unknown>>;

const optional = <K extends string>(key: K, value: unknown): { [key in K]?: string } =>
  (typeof value === 'string' ? { [key]: fromStoredText(value) } : {}) as { [key in K]?: string };

export function infoOf(row: InfoRow): SessionInfo {
  const fork =
    typeof row.fork_from === 'string' ? { fork: { from: fromStoredText(row.fork_from), at: Number(row.fork_at) } } : {};
  return {
    id: fromStoredText(String(row.id)),
    createdAt: fromStoredText(String(row.created_at)),
    updatedAt: fromStoredText(String(row.updated_at)),
    ...optional('title', row.title),
    ...optional('parent', row.parent),
    ...fork,
    base: Number(row.base),
    seq: Number(row.seq),
    records: Number(row.records),
    bytes: Number(row.bytes),
    archived: Boolean(row.archived),
    ...(row.importing === true || row.importing === 1 ? { importing: true as const } : {}),
  };
}

/** The values of a new session: `infoColumns` without the four counters. */
export function newSessionValues(session: string, about: NewSession): readonly (string | number | null)[] {
  const text = (value: string | undefined): string | null => (value === undefined ? null : toStoredText(value));
  const createdAt = toStoredText(about.createdAt);
  const fork = [text(about.fork?.from), about.fork?.at ?? null];
  const fixed = [about.base, about.importing === true ? 1 : 0];
  return [toStoredText(session), createdAt, createdAt, text(about.title), text(about.parent), ...fork, ...fixed];
}

/** An owner as JSON, which escapes what a database cannot store. */
export const ownerText = ({ id, host, pid, started }: Owner): string => JSON.stringify({ id, host, pid, started });

export const ownerOf = (text: unknown): Owner | undefined => {
  if (typeof text !== 'string') return undefined;
  const { id, host, pid, started } = JSON.parse(text) as Owner;
  return { id, host, pid, started };
};
