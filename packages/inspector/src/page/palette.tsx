import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';

import { nameOf } from './arrange.ts';
import { Dialog } from './dialog.tsx';
import { useKeys } from './keys.ts';
import { go, sessionHash, type Route } from './route.ts';
import type { Sessions } from './sessions.ts';
import { toolName } from './words.ts';

export type Command = { readonly name: string; readonly hint: string; readonly run: () => void };

type Props = {
  readonly sessions: Sessions;
  readonly route: Route;
  readonly commands: readonly Command[];
  readonly close: () => void;
};

const MOST_SHOWN = 12;

/** Everything that can be done and every session, by a few letters of its name. */
export function Palette({ sessions, route, commands, close }: Props): VNode {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const all = useMemo(() => [...commands, ...sessionCommands(sessions, route)], [sessions.rows, route]);
  const found = all.filter(({ name, hint }) => fits(`${name} ${hint}`, words)).slice(0, MOST_SHOWN);
  const run = (command: Command | undefined): void => {
    close();
    command?.run();
  };
  const press = (event: KeyboardEvent): void => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') run(found[at]);
    else if (move !== undefined) setAt((at + move + found.length) % Math.max(1, found.length));
    else return;
    event.preventDefault();
  };
  useKeys({ Escape: close });
  return (
    <Dialog label="Commands" kind="palette" close={close}>
      <input
        autofocus
        type="text"
        role="combobox"
        aria-label="Command or session"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length === 0 ? undefined : `command-${at}`}
        placeholder="Command or session"
        value={words}
        onInput={(event) => {
          setWords(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <ul id="palette-list" role="listbox" aria-label="Commands and sessions">
        {found.map((command, index) => (
          <li
            key={`${command.name} ${index}`}
            id={`command-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(command)}
          >
            <span>{command.name}</span> <span class="note">{command.hint}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="note">Nothing has this name.</p>}
    </Dialog>
  );
}

const fits = (text: string, words: string): boolean => {
  const lower = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
};

const sessionCommands = ({ rows }: Sessions, { key }: Route): Command[] =>
  rows
    .filter((row) => row.key !== key)
    .map((row) => ({ name: nameOf(row), hint: toolName(row.tool), run: () => go(sessionHash(row.key)) }));
