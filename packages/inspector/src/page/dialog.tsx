import type { ComponentChild, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { useKeys } from './keys.ts';

type Props = {
  readonly label: string;
  readonly kind: 'panel' | 'box' | 'palette';
  readonly close: () => void;
  readonly children: ComponentChild;
};

/** A part of the page before the others. Escape closes it, and the focus returns to where it was. */
export function Dialog({ label, kind, close, children }: Props): VNode {
  const element = useRef<HTMLDialogElement>(null);
  useKeys({ Escape: close }, true);
  useLayoutEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const cancel = (event: Event): void => {
    event.preventDefault();
    close();
  };
  const click = (event: MouseEvent): void => {
    if (event.target === element.current) close();
  };
  return (
    <dialog ref={element} class={`dialog dialog-${kind}`} aria-label={label} onCancel={cancel} onClick={click}>
      <div class="dialog-inner">{children}</div>
    </dialog>
  );
}
