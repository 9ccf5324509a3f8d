export const wireDialects = [
  'anthropic-messages',
  'openai-chat',
  'openai-responses',
  'gemini',
  'bedrock-converse',
  'mistral-chat',
] as const;
export type BenchDialect = (typeof wireDialects)[number];

export const inMemoryDialects = ['pydantic-ai', 'ai-sdk-model', 'ai-sdk-ui', 'langchain', 'openai-agents'] as const;
export type InMemoryDialect = (typeof inMemoryDialects)[number];

/** What a run measures. */
export type Selection = {
  wire: readonly BenchDialect[];
  inMemory: readonly InMemoryDialect[];
  /** Whether it also measures what does not hang on a dialect: appended turns, imports and peers. */
  rest: boolean;
};

/** The dialects that a name on the command line stands for; without one, the two that are measured every time. */
export function selectDialects(name: string | undefined): Selection {
  if (name === undefined) return { wire: ['anthropic-messages', 'openai-chat'], inMemory: [], rest: true };
  if (name === 'all') return { wire: wireDialects, inMemory: inMemoryDialects, rest: false };
  const wire = wireDialects.filter((dialect) => dialect === name);
  const inMemory = inMemoryDialects.filter((dialect) => dialect === name);
  if (wire.length + inMemory.length === 1) return { wire, inMemory, rest: false };
  const known = ['all', ...wireDialects, ...inMemoryDialects].join(', ');
  throw new Error(`There is no dialect called '${name}'; there are ${known}.`);
}
