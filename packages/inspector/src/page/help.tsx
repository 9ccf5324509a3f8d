import type { VNode } from 'preact';

import { Dialog } from './dialog.tsx';
import { KEYS } from './keys.ts';

/** Every key. */
export function Help({ close }: { readonly close: () => void }): VNode {
  return (
    <Dialog label="Keys" kind="box" close={close}>
      <header class="dialog-head">
        <h2>Keys</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      <dl class="keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
