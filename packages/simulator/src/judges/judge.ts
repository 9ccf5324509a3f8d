import { ANTHROPIC_CHECKS, judgeAnthropicMessages } from './anthropic-messages.ts';
import { Docket, isObject, type Matter, type Purpose, type Refusal } from './docket.ts';
import { CHAT_CHECKS, judgeOpenaiChat } from './openai-chat.ts';
import { judgePydanticAi, PYDANTIC_CHECKS } from './pydantic-ai.ts';

export type { Purpose, Refusal } from './docket.ts';
export type JudgedDialect = 'anthropic-messages' | 'openai-chat' | 'pydantic-ai';

export interface JudgeOptions {
  /** A list is judged as a history and a body as a request unless this says otherwise. */
  readonly purpose?: Purpose | undefined;
  /** Picks the reading of rows that differ by model; a body's own model is used when this is absent. */
  readonly model?: string | undefined;
  /** Rows that are not enforced, to show that each of them matters. */
  readonly disabled?: ReadonlySet<string> | undefined;
}

/** Every row each dialect's judge enforces. */
export const CHECKS: Readonly<Record<JudgedDialect, readonly string[]>> = {
  'anthropic-messages': ANTHROPIC_CHECKS,
  'openai-chat': CHAT_CHECKS,
  'pydantic-ai': PYDANTIC_CHECKS,
};

const NOTHING: ReadonlySet<string> = new Set();

/** Says why a provider would refuse this history or request; an empty list means it is accepted. */
export function judge(dialect: JudgedDialect, input: unknown, options: JudgeOptions = {}): Refusal[] {
  const body = Array.isArray(input) ? undefined : input;
  const docket = new Docket(body === undefined ? '' : '/messages', options.disabled ?? NOTHING);
  try {
    const messages = Array.isArray(input) ? input : isObject(body) ? body.messages : undefined;
    if (!Array.isArray(messages)) docket.refuse('shape', '', 'messages: expected a list of messages');
    else decide(dialect, { messages, ...readOptions(body, options) }, docket);
  } catch {
    // A getter that throws or a value nested beyond the stack is not JSON, whatever else it may be.
    docket.refuse('shape', '', 'messages: the input cannot be read as JSON');
  }
  return docket.refusals;
}

function readOptions(body: unknown, options: JudgeOptions): Omit<Matter, 'messages'> {
  const fields = isObject(body) ? body : undefined;
  const named = options.model ?? fields?.model;
  return {
    body: fields,
    purpose: options.purpose ?? (fields === undefined ? 'history' : 'request'),
    model: typeof named === 'string' ? named : undefined,
  };
}

function decide(dialect: JudgedDialect, matter: Matter, docket: Docket): void {
  if (dialect === 'anthropic-messages') judgeAnthropicMessages(matter, docket);
  else if (dialect === 'openai-chat') judgeOpenaiChat(matter, docket);
  else judgePydanticAi(matter, docket);
}
