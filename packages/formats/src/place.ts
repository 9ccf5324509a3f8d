/** Where something stands in a tool's files: a line of a log, a value of a JSON document, or a row of a database. */
export type Place = LinePlace | ValuePlace | RowPlace;

/** A record of a log. Lines count from 1; `byte` and `bytes` are those of the record, without its line feed. */
export type LinePlace = {
  readonly kind: 'line';
  readonly file: string;
  readonly line: number;
  readonly byte: number;
  readonly bytes: number;
};

/** A value of a JSON document, by its JSON pointer. */
export type ValuePlace = { readonly kind: 'value'; readonly file: string; readonly pointer: string };

export type RowPlace = {
  readonly kind: 'row';
  readonly database: string;
  readonly table: string;
  readonly row: string | number;
};

/** A file as a whole. */
export const wholeFile = (file: string): ValuePlace => ({ kind: 'value', file, pointer: '' });
