import { BaseListChatMessageHistory } from '@langchain/core/chat_history';
import { coerceMessageLikeToMessage, type BaseMessage, type BaseMessageLike } from '@langchain/core/messages';
import { repair } from '@rethread/core';
import type { Session } from '@rethread/store';

import { isNews, repairOptions, type Choices } from './reporting.ts';

/** A chat history of LangChain over a session: what was stored comes back repaired. */
export class RethreadChatMessageHistory extends BaseListChatMessageHistory {
  lc_namespace: string[] = ['rethread', 'history'];
  readonly #session: Session;
  readonly #options: Choices;

  constructor(session: Session, options: Choices = {}) {
    super();
    this.#session = session;
    this.#options = options;
  }

  async getMessages(): Promise<BaseMessage[]> {
    const stored = [...(await this.#session.messages('langchain'))] as BaseMessageLike[];
    const { output, report } = repair(stored, 'langchain', repairOptions(this.#options));
    if (isNews(report)) this.#options.onReport?.(report);
    return output.map(coerceMessageLikeToMessage);
  }

  async addMessage(message: BaseMessage): Promise<void> {
    await this.addMessages([message]);
  }

  override async addMessages(messages: BaseMessage[]): Promise<void> {
    if (messages.length === 0) return;
    await this.#session.append(messages.map((wire) => ({ kind: 'message', data: { dialect: 'langchain', wire } })));
  }

  /** Empties the history. The log keeps the messages; `session.erase()` removes them. */
  override async clear(): Promise<void> {
    await this.#session.revert({ to: 0 });
  }
}
