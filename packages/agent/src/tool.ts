import type { ToolDeclaration } from './model-port.ts';
import { jsonSchemaOf, type Schema } from './schema.ts';

/**
 * What running a tool twice does. `read`: it changes nothing. `idempotent`: twice is as good as once. `keyed`: it looks
 * at the idempotency key and does the work once per key. `once`: it must not run again when it may have run.
 */
export type Effect = 'read' | 'idempotent' | 'keyed' | 'once';

export const EFFECTS: readonly unknown[] = ['read', 'idempotent', 'keyed', 'once'] satisfies Effect[];

/** What a tool is told about the call that it answers. */
export type CallContext = {
  readonly session: string;
  readonly turn: number;
  readonly callId: string;
  /** The same for every run of this call, in whichever process, and for no other call. */
  readonly key: string;
  /** Aborts when the run is stopped or the time of the tool is over. */
  readonly signal: AbortSignal;
};

export type Tool<Input = never> = {
  readonly description?: string;
  /** Left out, it is `once`, and recovery asks about it. */
  readonly effect?: Effect;
  /** Any Standard Schema. The input is checked by it, and it is told to the model if it can be said as JSON Schema. */
  readonly schema?: Schema<Input>;
  /** JSON Schema to declare instead. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number;
  /** Whether somebody has to agree before it runs. */
  readonly approval?: boolean | ((input: Input) => boolean | Promise<boolean>);
  /** Text is the result as it is; anything else is written as JSON. What it throws is told to the model as an error. */
  run(input: Input, context: CallContext): unknown;
};

export type Tools = Readonly<Record<string, Tool>>;

/** Gives a tool the type of its input. */
export function tool<Input>(definition: Tool<Input>): Tool {
  // The loop gives a tool nothing but what its own schema let through.
  return definition as unknown as Tool;
}

export function declareTools(tools: Tools): readonly ToolDeclaration[] {
  return Object.entries(tools).map(([name, { description, parameters, schema }]) => ({
    name,
    ...(description === undefined ? {} : { description }),
    parameters: parameters ?? jsonSchemaOf(schema) ?? { type: 'object', additionalProperties: true },
  }));
}

/** The tool of that name; names that every object has are no tools. */
export function toolNamed(tools: Tools, name: string): Tool | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}
