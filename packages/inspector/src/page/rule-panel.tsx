import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { RuleView } from '../api.ts';
import { Dialog } from './dialog.tsx';
import { Prose } from './text.tsx';
import { useWorld } from './world.tsx';

const SEVERITIES: Readonly<Record<string, string>> = {
  rejected: 'A provider refuses a request that breaks this rule.',
  degraded: 'A provider accepts a request that breaks this rule, and the answers get worse.',
  wasteful: 'A request that breaks this rule costs more than it has to.',
};

const LOSSES: Readonly<Record<string, string>> = {
  none: 'The repair loses nothing.',
  synthetic: 'The repair adds words that nobody said, and marks them as such.',
  lossy: 'The repair leaves something out.',
};

/** The page of a rule. */
export function RulePanel({ id, close }: { readonly id: string; readonly close: () => void }): VNode {
  const { source } = useWorld();
  const [rule, setRule] = useState<RuleView>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    source.rule(id).then(setRule, () => setFailed(true));
  }, [id]);
  return (
    <Dialog label={`Rule ${id}`} kind="panel" close={close}>
      <header class="dialog-head">
        <code>{id}</code>
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      {failed && <p>There is no page about this rule.</p>}
      {rule !== undefined && (
        <>
          <h2>{rule.title}</h2>
          <Prose text={rule.summary} />
          <p>{SEVERITIES[rule.severity]}</p>
          <p>{LOSSES[rule.loss]}</p>
          <h3>Holds for</h3>
          <ul class="tags">
            {rule.dialects.map((dialect) => (
              <li key={dialect} class="badge">
                {dialect}
              </li>
            ))}
          </ul>
          <h3>In the terminal</h3>
          <pre class="output">rethread explain {id}</pre>
        </>
      )}
    </Dialog>
  );
}
