type Issue = {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
};

type Validated<T> = { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

/** The needed part of Standard Schema; libraries that implement it need no adapter. */
export type Schema<T> = {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validated<T> | Promise<Validated<T>>;
    readonly jsonSchema?: { readonly input: (options: { readonly target: 'draft-07' }) => Record<string, unknown> };
  };
};

/** The recorded input and the schema's output, or the problems. */
export type Checked<T> = { readonly given: unknown; readonly value: T } | { readonly problem: string };

/** The schema as JSON Schema; undefined if the library cannot express it. */
export function jsonSchemaOf<T>(schema: Schema<T> | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const { $schema: _, ...rest } = schema?.['~standard'].jsonSchema?.input({ target: 'draft-07' }) ?? {};
    return Object.keys(rest).length === 0 ? undefined : rest;
  } catch {
    return undefined;
  }
}

const toPath = (path: Issue['path']): string =>
  (path ?? []).map((step) => String(typeof step === 'object' ? step.key : step)).join('.');

/** Parses the input of a call: models send JSON as text or values, sometimes incomplete. */
export async function checkInput<T>(input: unknown, schema: Schema<T> | undefined): Promise<Checked<T>> {
  const read = typeof input === 'string' ? readJson(input) : { given: input, value: input };
  if ('problem' in read || schema === undefined) return read as Checked<T>;
  const checked = await schema['~standard'].validate(read.value);
  if (checked.issues === undefined) return { given: read.given, value: checked.value };
  const problems = checked.issues.map(({ message, path }) => `${toPath(path)}: ${message}`.replace(/^: /, ''));
  return { problem: `the input does not fit the tool: ${problems.join('; ')}` };
}

function readJson(text: string): Checked<unknown> {
  try {
    const given: unknown = text.trim() === '' ? {} : JSON.parse(text);
    return { given, value: given };
  } catch {
    return { problem: 'the input is not whole: it is not valid JSON' };
  }
}
