import { coerceMessageLikeToMessage, trimMessages, type BaseMessage } from '@langchain/core/messages';
import { compact, estimateTokens, type Dialect } from '@rethread/core';
import { chatHistory, historyText } from './histories.ts';
import { collectGarbage, count, fastest, onSettled, type Reading, type Rounds } from './measure.ts';

type Job = { dialect: Dialect; messages: number; seed: number; rounds: Rounds; peer?: true };

const budgetTokens = 128_000;

/** Times a compaction of settled objects beside JSON.parse of the same bytes, or beside a peer. */
export async function measure(job: Job): Promise<Reading[]> {
  const { dialect, messages, seed, rounds } = job;
  const text = historyText({ dialect, messages, seed, results: 'heavy', broken: 0 });
  const list = JSON.parse(text) as unknown[];
  const run = (): unknown => compact(list, { budgetTokens, target: dialect });
  const { history } = await compact(list, { budgetTokens, target: dialect });
  if (estimateTokens(history, dialect) > budgetTokens) throw new Error('the history is still longer than its budget');
  const on = `${dialect} ${count(messages)}`;
  if (job.peer === undefined) {
    const least = await fastest(
      { parse: onSettled(list, () => JSON.parse(text)), compact: onSettled(list, run) },
      rounds,
    );
    return [{ target: 'compact', on, ours: least.compact, peer: least.parse }];
  }
  const chat = chatHistory({ messages, seed, results: 'heavy' });
  const chain = chat.map((message) => coerceMessageLikeToMessage(message));
  const trim = async (): Promise<number> => {
    collectGarbage('minor');
    const start = performance.now();
    await trimMessages(chain, { maxTokens: budgetTokens, strategy: 'last', tokenCounter: approximateTokens });
    return performance.now() - start;
  };
  const least = await fastest({ trim, compact: onSettled(list, run) }, rounds);
  return [{ target: 'trimMessages', on, ours: least.trim, peer: least.compact }];
}

/** The counter is the caller's to bring. This is the cheapest there is, in the peer's favour. */
function approximateTokens(messages: readonly BaseMessage[]): number {
  let characters = 0;
  for (const { content } of messages) characters += typeof content === 'string' ? content.length : 0;
  return Math.ceil(characters / 4);
}
