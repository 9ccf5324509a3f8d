import { anthropic as anthropicWords, chat as chatWords, pydantic } from './words.ts';

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

/** Nothing said is no part at all. */
const spoken = (text: string): string[] => (text === '' ? [] : [text]);

type Message = { readonly kind: 'request' | 'response'; readonly parts: readonly { part_kind: string }[] };

function speakPydantic(name: string, make: (message: Message) => unknown): Speaker {
  const { user, say, call, result, instruction } = pydantic;
  const made = (message: object): unknown => make(message as Message);
  const thinking = (content: string): object => ({ part_kind: 'thinking', content, signature: 'sig' });
  return {
    name,
    dialect: 'pydantic-ai',
    user: (said) => made(user(said)),
    say: (said, ...ids) => made(say(...spoken(said), ...ids.map((id) => call(id)))),
    think: (thought, said, ...ids) => made(say(thinking(thought), ...spoken(said), ...ids.map((id) => call(id)))),
    results: (...ids) => [made(user(...ids.map((id) => result(id, returned(id)))))],
    system: (said) => made(user(instruction(said))),
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

export const dicts: Speaker = speakPydantic('pydantic-ai dicts', (message) => message);

export const objects: Speaker = speakPydantic(
  'pydantic-ai objects',
  ({ kind, parts }) =>
    new ModelMessage(
      kind,
      parts.map((part) => new ModelPart(part)),
    ),
);

const chatAnswer = (text: string, ids: readonly string[]): object =>
  chatWords.say(...spoken(text), ...ids.map((id) => chatWords.call(id)));

export const chat: Speaker = {
  name: 'openai-chat',
  dialect: 'openai-chat',
  user: chatWords.user,
  say: (text, ...ids) => chatAnswer(text, ids),
  think: (thought, text, ...ids) => ({ ...chatAnswer(text, ids), reasoning_content: thought }),
  results: (...ids) => ids.map((id) => chatWords.result(id, returned(id))),
  system: chatWords.system,
};

const { text: block, call: use, result: answered, user: asking, say: answering } = anthropicWords;
const blocks = (text: string, ids: readonly string[]): object[] => [
  ...spoken(text).map(block),
  ...ids.map((id) => use(id)),
];

export const anthropic: Speaker = {
  name: 'anthropic-messages',
  dialect: 'anthropic-messages',
  user: (text) => asking(block(text)),
  say: (text, ...ids) => answering(...blocks(text, ids)),
  think: (thought, text, ...ids) => answering(anthropicWords.thought(thought), ...blocks(text, ids)),
  results: (...ids) => [asking(...ids.map((id) => answered(id, returned(id))))],
  system: (text) => anthropicWords.system(block(text)),
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
