import type { VNode } from 'preact';

import type { FindingView } from '../api.ts';
import { useWorld } from './world.tsx';

/** How much a finding weighs: it refuses the request, the tool mends it, or it only does harm. */
export const weightOf = ({ severity, isMended }: FindingView): 'refused' | 'mended' | 'minor' =>
  severity !== 'rejected' ? 'minor' : isMended ? 'mended' : 'refused';

const WEIGHTS = { refused: 'Refused', mended: 'Mended by the tool', minor: 'Minor' } as const;

/** A finding in full: what is wrong, what the provider would answer, and the rule. */
export function Finding({ finding }: { readonly finding: FindingView }): VNode {
  const { showRule } = useWorld();
  const weight = weightOf(finding);
  return (
    <aside class={`finding finding-${weight}`} aria-label={finding.title}>
      <p>
        <span class={`badge badge-${weight}`}>{WEIGHTS[weight]}</span> <strong>{finding.title}</strong>
      </p>
      <p>{finding.explain}</p>
      {finding.providerError !== undefined && (
        <blockquote>
          <span class="note">The provider would answer</span>
          <code>{finding.providerError}</code>
        </blockquote>
      )}
      <button type="button" class="link" onClick={() => showRule(finding.rule)}>
        Rule {finding.rule}
      </button>
    </aside>
  );
}
