import { useLayoutEffect, useRef } from 'preact/hooks';

/** What keys do: a key, or two one after the other, such as `g s`. */
export type Bindings = Readonly<Record<string, (() => void) | undefined>>;

const TOGETHER_MS = 1200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Enter on a link or a button is for the link or the button. */
const isForControl = ({ key, target }: KeyboardEvent): boolean =>
  key === 'Enter' && target instanceof Element && target.closest('a, button, summary') !== null;

/** The name of a key press: the character, with Ctrl or the command key before it. */
const nameOf = ({ key, ctrlKey, metaKey }: KeyboardEvent): string => `${ctrlKey || metaKey ? 'Ctrl+' : ''}${key}`;

/** A stack: the keys of a dialog come before those of the view behind it. */
const layers: { bindings: Bindings; readonly isOnly: boolean }[] = [];
let before = { name: '', time: 0 };

function press(event: KeyboardEvent): void {
  const name = nameOf(event);
  const isShortcut = name.startsWith('Ctrl+') || event.key === 'Escape';
  if (event.altKey || event.isComposing || isForControl(event) || (isTyping(event.target) && !isShortcut)) return;
  const pair = event.timeStamp - before.time < TOGETHER_MS ? `${before.name} ${name}` : '';
  for (const { bindings, isOnly } of layers.toReversed()) {
    const act = bindings[pair] ?? bindings[name];
    if (act !== undefined) {
      event.preventDefault();
      before = { name: '', time: 0 };
      act();
      return;
    }
    if (isOnly) return;
  }
  before = { name, time: event.timeStamp };
}

/** Binds keys while a part of the page is there. A dialog keeps all keys to itself. */
export function useKeys(bindings: Bindings, isOnly = false): void {
  const layer = useRef({ bindings, isOnly });
  layer.current.bindings = bindings;
  // Before the page is painted: a key may be pressed right after.
  useLayoutEffect(() => {
    const mine = layer.current;
    if (layers.length === 0) addEventListener('keydown', press);
    layers.push(mine);
    return () => {
      layers.splice(layers.indexOf(mine), 1);
      if (layers.length === 0) removeEventListener('keydown', press);
    };
  }, []);
}

/** Every key, for the help. */
export const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['j / k', 'next, previous row'],
  ['J / K', 'next, previous turn'],
  ['n / p', 'next, previous finding'],
  ['Enter', 'open the session, or unfold the row'],
  ['Escape', 'go back, or close'],
  ['/', 'filter or search'],
  ['g s', 'go to the sessions'],
  ['g f', 'go to full-text search'],
  ['g t', 'go to the timeline'],
  ['g r', 'go to the next request'],
  ['g c', 'go to the charts'],
  ['g d', 'go to the details'],
  ['g g / G', 'go to the first, the last row'],
  ['o', 'unfold or fold all reasoning'],
  ['y', 'copy a link to the row'],
  ['T', 'change between light and dark'],
  ['Ctrl+K', 'open the command palette'],
  ['?', 'show this help'],
];
