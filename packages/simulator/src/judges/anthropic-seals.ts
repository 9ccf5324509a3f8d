import type { Hearing, SealedThinking } from './anthropic-hearing.ts';
import type { AnthropicRow } from './anthropic-rows.ts';
import { isObject, type JsonObject } from './docket.ts';
import type { SealVerdict } from './seal-check.ts';

const LATEST =
  '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. ' +
  'These blocks must remain as they were in the original response.';
const BOUND =
  'The block is bound to a different conversation. ' +
  'Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".';

/** Asks about the seal of every thinking block; `latestTurn` is where the last turn of the assistant begins. */
export function judgeSeals(hearing: Hearing, latestTurn: number): void {
  const { matter, sealed } = hearing;
  let previous: string | undefined;
  for (const each of sealed) {
    const { message, part, content, thinking } = each;
    const seal = sealOf(thinking);
    const latest = message >= latestTurn;
    const verdict = matter.seals?.({
      seal,
      content: thinking.thinking,
      list: matter.list,
      message,
      model: matter.model,
      body: matter.body,
      before: part === 0 ? [] : [content[part - 1]],
      previous,
      latest,
    });
    previous = seal;
    if (verdict !== undefined && verdict !== 'genuine') refuse(hearing, each, { verdict, latest });
  }
}

const sealOf = (thinking: JsonObject): string => String(thinking.signature ?? thinking.data);

function refuse(hearing: Hearing, each: SealedThinking, found: { verdict: SealVerdict; latest: boolean }): void {
  const { message, part, content, thinking } = each;
  const say = (row: AnthropicRow, text: string): void =>
    hearing.docket.refuse(row, `/${message}/content/${part}`, `messages.${message}.content.${part}: ${text}`);
  const invalid =
    thinking.type === 'thinking'
      ? 'Invalid `signature` in `thinking` block'
      : 'Invalid `data` in `redacted_thinking` block';
  const { verdict, latest } = found;
  if (verdict === 'prefix-changed' || verdict === 'chain-broken') {
    if (!hearing.profile.bindsPrefix || dropsBlocks(hearing.matter.body)) return;
    say(verdict === 'chain-broken' ? 'an-think-chain' : 'an-think-prefix', `${invalid}. ${BOUND}`);
  } else if (verdict === 'changed' && latest) {
    const neighbour = content[part - 1];
    const adjacent = isObject(neighbour) && String(neighbour.type).endsWith('thinking');
    say(adjacent ? 'an-think-adjacent' : 'an-think-latest', LATEST);
  } else say('an-sig-valid', invalid);
}

/** A request may ask that blocks of another conversation are left out instead of refused. */
function dropsBlocks(body: JsonObject | undefined): boolean {
  const thinking = body?.thinking;
  const binding = isObject(thinking) ? thinking.block_binding : undefined;
  return isObject(binding) && binding.prefix_mismatch_behavior === 'drop_block';
}
