import { coerceMessageLikeToMessage, type BaseMessage, type BaseMessageLike } from '@langchain/core/messages';
import { repair, type Report } from '@rethread/core';
import { createMiddleware, type AgentMiddleware } from 'langchain';

import { isNews, repairOptions, type Choices } from './reporting.ts';

export type RepairMessagesOptions = Choices & {
  /** The model that the messages are for: without its name what depends on the model is read strictly. */
  readonly model?: string;
};

export type RepairedChain = { readonly messages: BaseMessage[]; readonly report: Report };

/** It adds nothing to the state, the context, the tools or the streams of an agent. */
export type RepairingMiddleware = AgentMiddleware<undefined, undefined, unknown, readonly [], readonly []>;

/**
 * A middleware for `createAgent`: the messages of every model call are repaired, streamed or not. The state of the
 * agent, and so what a checkpointer stores, stays as it is.
 */
export function repairingMiddleware(options: Choices = {}): RepairingMiddleware {
  return createMiddleware({
    name: 'rethread',
    wrapModelCall: (request, handler) => {
      const model = nameOf(request.model);
      const { messages } = repairMessages(request.messages, { ...options, ...(model !== undefined && { model }) });
      return handler(messages === request.messages ? request : { ...request, messages });
    },
  });
}

/** Repairs messages for a model that is called without an agent. What is right comes back as the same list. */
export function repairMessages(messages: BaseMessage[], options: RepairMessagesOptions = {}): RepairedChain {
  const { model } = options;
  const target = { dialect: 'langchain', purpose: 'request', ...(model !== undefined && { model }) } as const;
  const { output, changed, report } = repair<BaseMessageLike[]>(messages, target, repairOptions(options));
  if (isNews(report)) options.onReport?.(report);
  // A message that is new may be a plain object, where the list holds none of its class to make it like.
  return { messages: changed ? output.map(coerceMessageLikeToMessage) : messages, report };
}

/** Chat models name their model under one of two keys. */
function nameOf(model: object): string | undefined {
  const { model: name, modelName } = model as { readonly model?: unknown; readonly modelName?: unknown };
  return [name, modelName].find((each) => typeof each === 'string');
}
