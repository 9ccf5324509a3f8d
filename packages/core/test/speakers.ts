/** Builds the same conversation in each dialect, so that one table of cases holds for all of them. */
export interface Speaker {
  readonly name: string;
  readonly dialect: 'pydantic-ai' | 'openai-chat' | 'anthropic-messages';
  readonly user: (text: string) => unknown;
  /** An answer: text, and calls by id. */
  readonly say: (text: string, ...calls: string[]) => unknown;
  /** An answer with what the model thought before it. */
  readonly think: (thought: string, text: string, ...calls: string[]) => unknown;
  /** The results of these calls, in as many messages as the dialect needs. */
  readonly results: (...ids: string[]) => unknown[];
  readonly system: (text: string) => unknown;
}

const returned = (id: string): string => `output of ${id}`;

const pydanticPart = {
  prompt: (content: string) => ({ part_kind: 'user-prompt', content }),
  system: (content: string) => ({ part_kind: 'system-prompt', content }),
  text: (content: string) => ({ part_kind: 'text', content }),
  thinking: (content: string) => ({ part_kind: 'thinking', content, signature: 'sig' }),
  call: (id: string) => ({ part_kind: 'tool-call', tool_name: 'read', args: '{}', tool_call_id: id }),
  result: (id: string) => ({ part_kind: 'tool-return', tool_name: 'read', content: returned(id), tool_call_id: id }),
};

const words = <T>(text: string, part: (text: string) => T): T[] => (text === '' ? [] : [part(text)]);

type Make = (kind: 'request' | 'response', parts: { part_kind: string }[]) => unknown;

function speakPydantic(name: string, make: Make): Speaker {
  const { prompt, system, text, thinking, call, result } = pydanticPart;
  return {
    name,
    dialect: 'pydantic-ai',
    user: (said) => make('request', [prompt(said)]),
    say: (said, ...calls) => make('response', [...words(said, text), ...calls.map(call)]),
    think: (thought, said, ...calls) => make('response', [thinking(thought), ...words(said, text), ...calls.map(call)]),
    results: (...ids) => [make('request', ids.map(result))],
    system: (said) => make('request', [system(said)]),
  };
}

/** Stands for the objects of the framework: a class of its own for messages and for parts. */
export class ModelMessage {
  readonly kind: 'request' | 'response';
  readonly parts: readonly ModelPart[];
  constructor(kind: 'request' | 'response', parts: readonly ModelPart[]) {
    this.kind = kind;
    this.parts = parts;
  }
}

export class ModelPart {
  readonly part_kind: string;
  constructor(fields: { part_kind: string }) {
    this.part_kind = fields.part_kind;
    Object.assign(this, fields);
  }
}

export const dicts: Speaker = speakPydantic('pydantic-ai dicts', (kind, parts) => ({ kind, parts }));

export const objects: Speaker = speakPydantic(
  'pydantic-ai objects',
  (kind, parts) =>
    new ModelMessage(
      kind,
      parts.map((part) => new ModelPart(part)),
    ),
);

const chatCall = (id: string): object => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } });

const chatAnswer = (text: string, calls: readonly string[]): object => ({
  role: 'assistant',
  content: text === '' ? null : text,
  ...(calls.length === 0 ? {} : { tool_calls: calls.map(chatCall) }),
});

export const chat: Speaker = {
  name: 'openai-chat',
  dialect: 'openai-chat',
  user: (text) => ({ role: 'user', content: text }),
  say: (text, ...calls) => chatAnswer(text, calls),
  think: (thought, text, ...calls) => ({ ...chatAnswer(text, calls), reasoning_content: thought }),
  results: (...ids) => ids.map((id) => ({ role: 'tool', tool_call_id: id, content: returned(id) })),
  system: (text) => ({ role: 'system', content: text }),
};

const blocks = (text: string, calls: readonly string[]): object[] => [
  ...words(text, (said) => ({ type: 'text', text: said })),
  ...calls.map((id) => ({ type: 'tool_use', id, name: 'read', input: {} })),
];

export const anthropic: Speaker = {
  name: 'anthropic-messages',
  dialect: 'anthropic-messages',
  user: (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
  say: (text, ...calls) => ({ role: 'assistant', content: blocks(text, calls) }),
  think: (thinking, text, ...calls) => ({
    role: 'assistant',
    content: [{ type: 'thinking', thinking, signature: 'sig' }, ...blocks(text, calls)],
  }),
  results: (...ids) => [
    { role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: returned(id) })) },
  ],
  system: (text) => ({ role: 'system', content: [{ type: 'text', text }] }),
};

/** All of them, each after its name: for tables of tests. */
export const SPEAKERS: readonly (readonly [string, Speaker])[] = [dicts, objects, chat, anthropic].map(
  (speaker) => [speaker.name, speaker] as const,
);

/** Freezes a value and all in it, so that a change to it throws. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
  return value;
}
