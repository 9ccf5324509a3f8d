import { Fragment, type ComponentChild, type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { hasAnsi, readAnsi } from './ansi.ts';
import { isDiff, patchLines, type DiffLine } from './edit-diff.ts';
import { plural } from './words.ts';

/** Prose with its blocks of code set apart. It is text and stays text: no markup is made of it. */
export function Prose({ text }: { readonly text: string }): VNode {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > MOST_PROSE * 1.2;
  const shown = isLong && !isOpen ? text.slice(0, MOST_PROSE) : text;
  return (
    <div class="prose">
      {proseParts(shown)}
      {isLong && (
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show all ${plural(text.length, 'character')}`}
        </button>
      )}
    </div>
  );
}

/** Longer texts are folded. */
const MOST_PROSE = 2400;

function proseParts(text: string): ComponentChild[] {
  const pieces = text.split(/^```([^\n]*)\n([\s\S]*?)(?:^```\s*$|$(?![\s\S]))/m);
  const parts: ComponentChild[] = [];
  for (let at = 0; at < pieces.length; at += 3) {
    const words = (pieces[at] ?? '').replace(/^\n+|\s+$/g, '');
    if (words !== '') parts.push(<p key={at}>{inline(words)}</p>);
    const code = pieces[at + 2];
    if (code !== undefined) parts.push(<Output key={at + 1} text={code.replace(/\n$/, '')} />);
  }
  return parts;
}

const inline = (text: string): ComponentChild[] =>
  text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((piece, at) => {
    if (at % 2 === 0) return piece;
    return piece.startsWith('`') ? (
      <code key={at}>{piece.slice(1, -1)}</code>
    ) : (
      <strong key={at}>{piece.slice(2, -2)}</strong>
    );
  });

const FOLDED_LINES = 14;

/** What a program printed, with its colours; long output is folded. */
export function Output({ text, lines = FOLDED_LINES }: { readonly text: string; readonly lines?: number }): VNode {
  const [isOpen, setOpen] = useState(false);
  const all = text.split('\n');
  const isLong = all.length > lines + 4 || text.length > 4000;
  const shown = isLong && !isOpen ? all.slice(0, lines).join('\n').slice(0, 4000) : text;
  return (
    <Fragment>
      {isDiff(shown) ? (
        <Diff lines={patchLines(shown)} />
      ) : (
        <pre class="output">{hasAnsi(shown) ? colored(shown) : shown}</pre>
      )}
      {isLong && (
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show all ${plural(all.length, 'line')}`}
        </button>
      )}
    </Fragment>
  );
}

const colored = (text: string): VNode[] =>
  readAnsi(text).map(({ text: piece, style }, at) => (
    <span key={at} class={style}>
      {piece}
    </span>
  ));

const SIGNS = { '+': 'added', '-': 'removed', ' ': 'same', '@': 'place' } as const;

/** The lines of a change. The sign says what the colour says. */
export function Diff({ lines }: { readonly lines: readonly DiffLine[] }): VNode {
  const [isOpen, setOpen] = useState(false);
  const isLong = lines.length > 40;
  const shown = isLong && !isOpen ? lines.slice(0, 30) : lines;
  return (
    <Fragment>
      <pre class="diff">
        {shown.map(({ sign, text }, at) => (
          <span key={at} class={`diff-${SIGNS[sign]}`}>
            {sign === '@' ? '' : sign}
            {text}
            {'\n'}
          </span>
        ))}
      </pre>
      {isLong && (
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show all ${plural(lines.length, 'line')}`}
        </button>
      )}
    </Fragment>
  );
}
