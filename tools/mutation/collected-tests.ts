import { expect as assertThat } from 'expect';

export type Collected = { readonly id: string; readonly name: string; readonly run: () => unknown };
type Register = (title: string, body: () => unknown) => void;
type Rows = readonly unknown[];

/** Stands in for the test framework while mutants are judged: a test is a name and a function, and no more. */
export const tests: Collected[] = [];
const path: string[] = [];

/** What may be said beside a value is for people, and people do not read about mutants. */
export const expect: unknown = Object.assign((value: unknown) => assertThat(value), assertThat);

function collect(title: string, run: () => unknown): void {
  const name = [...path, title].join(' > ');
  tests.push({ id: `${String(tests.length)} ${name}`, name, run });
}

function group(title: string, body: () => unknown): void {
  path.push(title);
  body();
  path.pop();
}

const spread = (row: unknown): Rows => (Array.isArray(row) ? row : [row]);

function fill(title: string, row: unknown): string {
  const values = spread(row).values();
  return title.replaceAll(/%[sdijo]/g, () => String(values.next().value));
}

const withTables = (register: Register): Register & Record<'each' | 'for' | 'skipIf', unknown> =>
  Object.assign(register, {
    each: (rows: Rows) => (title: string, body: (...row: Rows) => unknown) => {
      for (const row of rows) register(fill(title, row), () => body(...spread(row)));
    },
    for: (rows: Rows) => (title: string, body: (row: unknown) => unknown) => {
      for (const row of rows) register(fill(title, row), () => body(row));
    },
    skipIf: (skipped: boolean) => (skipped ? () => undefined : register),
  });

export const test: Register = withTables(collect);
export const describe: Register = withTables(group);
