import type { VNode } from 'preact';

import type { Verdict } from '../api.ts';
import { VERDICT_WORDS } from './words.ts';

/** A verdict by its name; the colour only repeats it. */
export function VerdictBadge({ verdict }: { readonly verdict: Verdict }): VNode {
  const { name, sentence } = VERDICT_WORDS[verdict];
  return (
    <span class={`badge badge-${verdict}`} title={sentence}>
      {name}
    </span>
  );
}
