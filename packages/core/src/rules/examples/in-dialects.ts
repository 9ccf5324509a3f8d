import type { Example } from '../../model/rule.ts';
import * as aiSdkModel from './ai-sdk-model.ts';
import * as aiSdkUi from './ai-sdk-ui.ts';
import * as anthropic from './anthropic-messages.ts';
import * as bedrock from './bedrock-converse.ts';
import * as gemini from './gemini.ts';
import * as langchain from './langchain.ts';
import * as mistral from './mistral-chat.ts';
import * as openaiAgents from './openai-agents.ts';
import * as openaiChat from './openai-chat.ts';
import * as openaiResponses from './openai-responses.ts';
import * as pydantic from './pydantic-ai.ts';

/** The words of each dialect: `user`, `say`, `call` and `result` mean the same in all, in another wire format. */
type Dialects = {
  readonly 'ai-sdk-model': typeof aiSdkModel;
  readonly 'ai-sdk-ui': typeof aiSdkUi;
  readonly 'anthropic-messages': typeof anthropic;
  readonly 'bedrock-converse': typeof bedrock;
  readonly gemini: typeof gemini;
  readonly langchain: typeof langchain;
  readonly 'mistral-chat': typeof mistral;
  readonly 'openai-agents': typeof openaiAgents;
  readonly 'openai-chat': typeof openaiChat;
  readonly 'openai-responses': typeof openaiResponses;
  readonly 'pydantic-ai': typeof pydantic;
};

const DIALECTS: Dialects = {
  'ai-sdk-model': aiSdkModel,
  'ai-sdk-ui': aiSdkUi,
  'anthropic-messages': anthropic,
  'bedrock-converse': bedrock,
  gemini,
  langchain,
  'mistral-chat': mistral,
  'openai-agents': openaiAgents,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'pydantic-ai': pydantic,
};

/** An example without its name and dialect, which `inDialects` adds. */
type Told = Example extends infer E ? (E extends unknown ? Omit<E, 'name' | 'dialect'> : never) : never;

/**
 * Examples by name, written once and made in the wire format of each dialect.
 *
 * @example
 * inDialects(['anthropic-messages', 'gemini'], ({ user, say }) => ({
 *   'the user wrote twice': { clean: [user('one'), user('two'), say('Both.')] },
 * }));
 */
export function inDialects<D extends keyof Dialects>(
  dialects: readonly D[],
  tell: (words: Dialects[D]) => Readonly<Record<string, Told>>,
): Example[] {
  return dialects.flatMap((dialect) =>
    Object.entries(tell(DIALECTS[dialect])).map(([name, told]) => ({ name, dialect, ...told })),
  );
}
