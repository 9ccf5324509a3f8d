import type { VNode } from 'preact';

import type { FindingView } from '../api.ts';
import { capital } from './words.ts';
import { useWorld } from './world.tsx';

/** How much a finding weighs: it refuses the request, the tool mends it, or it only does harm. */
export const weightOf = ({ severity, isMended }: FindingView): 'refused' | 'mended' | 'minor' =>
  severity !== 'rejected' ? 'minor' : isMended ? 'mended' : 'refused';

const WEIGHTS = { refused: 'Refused', mended: 'Mended by the tool', minor: 'Minor' } as const;

/** Findings that say the same of the same row are shown once. */
export function distinct(findings: readonly FindingView[]): (readonly [finding: FindingView, count: number])[] {
  const groups = Map.groupBy(findings, ({ rule, explain }) => `${rule} ${explain}`);
  return [...groups.values()].flatMap((group) => (group[0] === undefined ? [] : [[group[0], group.length] as const]));
}

/** A finding in full: what is wrong, what the provider would answer, and the rule. */
export function Finding({ finding, count = 1 }: { readonly finding: FindingView; readonly count?: number }): VNode {
  const { showRule } = useWorld();
  const weight = weightOf(finding);
  return (
    <aside class={`finding finding-${weight}`} aria-label={finding.title}>
      <p>
        <span class={`badge badge-${weight}`}>{WEIGHTS[weight]}</span> <strong>{capital(finding.title)}</strong>{' '}
        {count > 1 && <span class="note">{count} times</span>}
      </p>
      <p>{capital(finding.explain)}</p>
      {finding.providerError !== undefined && (
        <blockquote>
          <span class="note">
            {weight === 'mended' ? 'Otherwise the provider would answer' : 'The provider would answer'}
          </span>
          <code>{finding.providerError}</code>
        </blockquote>
      )}
      <button type="button" class="link" onClick={() => showRule(finding.rule)}>
        Rule {finding.rule}
      </button>
    </aside>
  );
}
