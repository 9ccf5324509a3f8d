import { coerceMessageLikeToMessage, mergeMessageRuns, type BaseMessageLike } from '@langchain/core/messages';
import { convertMessagesToCompletionsMessageParams } from '@langchain/openai';
import { judge } from '@rethread/simulator';
import { historyText } from './histories.ts';
import { fastest, onSettled, type Reading, type Rounds } from './measure.ts';

type Job = { messages: number; seed: number; rounds: Rounds };

/** Times what LangChain brings to tidy a history, and counts what a provider would still refuse. */
export async function measure({ messages, seed, rounds }: Job): Promise<Reading[]> {
  const text = historyText({ dialect: 'openai-chat', messages, seed, results: 'heavy', broken: 0.1 });
  const list = JSON.parse(text) as BaseMessageLike[];
  const chain = list.map((message) => coerceMessageLikeToMessage(message));
  const least = await fastest(
    { parse: onSettled(chain, () => JSON.parse(text)), merge: onSettled(chain, () => mergeMessageRuns(chain)) },
    rounds,
  );
  const merged = convertMessagesToCompletionsMessageParams({ messages: mergeMessageRuns(chain) });
  const refusals = (history: unknown): number => judge('openai-chat', history).length;
  const on = `openai-chat ${messages}`;
  return [
    { target: 'mergeRuns', on, ours: least.merge, peer: least.parse },
    { target: 'mergeRunsLeft', on, ours: refusals(merged), peer: refusals(list) },
  ];
}
