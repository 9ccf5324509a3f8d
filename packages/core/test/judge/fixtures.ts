import type { RefusalFixture, UnseenRow } from './fixture.ts';
import { ANTHROPIC_CONTENT } from './fixtures-anthropic-content.ts';
import { ANTHROPIC_ORDER } from './fixtures-anthropic-order.ts';
import { ANTHROPIC_TOOLS } from './fixtures-anthropic-tools.ts';
import { OPENAI_CHAT } from './fixtures-openai.ts';
import { PYDANTIC_AI } from './fixtures-pydantic.ts';

export { ACCEPTED } from './fixtures-accepted.ts';

/** One or more made-up inputs for every row of CONTRACTS.md that can be seen, each refused for that row alone. */
export const REFUSALS: readonly RefusalFixture[] = [
  ...ANTHROPIC_ORDER,
  ...ANTHROPIC_CONTENT,
  ...ANTHROPIC_TOOLS,
  ...OPENAI_CHAT,
  ...PYDANTIC_AI,
];

/** The rows that cannot be decided by reading the request. */
export const UNSEEN: readonly UnseenRow[] = [
  {
    row: 'an-sig-valid',
    reason: 'whether a signature is genuine is known to the provider alone; only its absence is seen',
  },
  { row: 'an-context', reason: 'the length of the prompt in tokens needs the tokenizer and the window of the model' },
  { row: 'an-encrypted', reason: 'encrypted search results cannot be told from edited ones without the key' },
  {
    row: 'an-compaction',
    reason: 'a compaction that was not passed back leaves no trace; what stands before one is judged',
  },
  { row: 'an-think-latest', reason: 'a changed thinking block is seen only beside the original response' },
  { row: 'an-think-adjacent', reason: 'a removed block between two others is seen only beside the original response' },
  { row: 'an-think-prefix', reason: 'the binding of a block to its prefix is inside the signature' },
  { row: 'an-think-chain', reason: 'a missing link of the chain is seen only beside the original responses' },
];
