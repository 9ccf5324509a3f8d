import type { ToolDeclaration } from './model-port.ts';
import { jsonSchemaOf, type Schema } from './schema.ts';

/**
 * What running a tool twice means. `read`: it changes nothing. `idempotent`: twice equals once. `keyed`: it uses the
 * idempotency key to work once. `once`: it must not run again after it may have run.
 */
export type Effect = 'read' | 'idempotent' | 'keyed' | 'once';

export const EFFECTS: readonly unknown[] = ['read', 'idempotent', 'keyed', 'once'] satisfies Effect[];

/** The context of the call for the tool. */
export type CallContext = {
  readonly session: string;
  readonly turn: number;
  readonly callId: string;
  /** Equal for every run of this call in any process, and unique to it. */
  readonly key: string;
  /** Aborts when the run stops or the tool's time is over. */
  readonly signal: AbortSignal;
};

export type Tool<Input = never> = {
  readonly description?: string;
  /** Default: `once`, and recovery asks about it. */
  readonly effect?: Effect;
  /** Any Standard Schema. It validates the input, and the model sees it if it can be expressed as JSON Schema. */
  readonly schema?: Schema<Input>;
  /** JSON Schema to declare instead. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number;
  /** Whether it needs an approval before it runs. */
  readonly approval?: boolean | ((input: Input) => boolean | Promise<boolean>);
  /** A string is the result as it is; other values become JSON. The model sees a thrown error as an error result. */
  run(input: Input, context: CallContext): unknown;
};

export type Tools = Readonly<Record<string, Tool>>;

/** Gives a tool the type of its input. */
export function tool<Input>(definition: Tool<Input>): Tool {
  // The loop passes only input that the tool's schema accepted.
  return definition as unknown as Tool;
}

export function declareTools(tools: Tools): readonly ToolDeclaration[] {
  return Object.entries(tools).map(([name, { description, parameters, schema }]) => ({
    name,
    ...(description === undefined ? {} : { description }),
    parameters: parameters ?? jsonSchemaOf(schema) ?? { type: 'object', additionalProperties: true },
  }));
}

/** The tool with that name; inherited object keys do not count. */
export function toolNamed(tools: Tools, name: string): Tool | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}
