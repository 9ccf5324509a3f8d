import type { JsonObject } from '../json.ts';

/** A database of a tool, opened read-only. A query that fails gives no rows, and a fault. */
export type Database = {
  readonly path: string;
  /** The names of its tables. */
  readonly tables: ReadonlySet<string>;
  readonly columns: (table: string) => ReadonlySet<string>;
  /** Walks over the rows of a query, one at a time. */
  readonly rows: (sql: string, ...values: readonly (string | number)[]) => Iterable<JsonObject>;
  readonly close: () => void;
};
