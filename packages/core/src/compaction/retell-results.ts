import type { Message, ResultPart } from '../model/part.ts';
import type { StepContext } from './step.ts';

/** A message of a list with other words in some of its results: how many these are, and the tokens that it saves. */
export type Retold = { readonly wire: unknown; readonly results: number; readonly freedTokens: number };

/** Replaces the text of the results that `retell` gives another one for; undefined if that makes nothing shorter. */
export function retellResults(
  message: Message,
  retell: (result: ResultPart) => ResultPart | undefined,
  { list, context }: { readonly list: readonly unknown[]; readonly context: StepContext },
): Retold | undefined {
  let results = 0;
  const parts = message.parts.map((part) => {
    // What the provider made itself is its own to change.
    const told = part.kind === 'result' && !part.server ? retell(part) : undefined;
    if (told !== undefined) results += 1;
    return told ?? part;
  });
  if (results === 0) return undefined;
  const wire = context.codec.write({ ...message, parts }, list);
  const freedTokens = context.tokens.of(list[message.at]) - context.tokens.of(wire);
  return freedTokens > 0 ? { wire, results, freedTokens } : undefined;
}
