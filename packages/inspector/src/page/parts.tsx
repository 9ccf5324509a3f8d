import type { ComponentChild, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { PartView, SaidView } from '../api.ts';
import { editOf } from './edit-diff.ts';
import { Diff, Output, Prose } from './text.tsx';
import { bytesWords, exactWords, plural } from './words.ts';
import { useWorld } from './world.tsx';

export type CallPart = PartView & { kind: 'call' };
export type ResultPart = PartView & { kind: 'result' };

/** Where a part stands: its session, its record, and its number in it. */
type Spot = { readonly session: string; readonly entry: number; readonly at: number };

/** The rest of a part that was cut. */
export function More({
  part,
  spot,
  children,
}: {
  readonly part: PartView;
  readonly spot: Spot;
  readonly children: (part: PartView) => ComponentChild;
}): VNode {
  const { source } = useWorld();
  const [whole, setWhole] = useState<PartView>();
  const more = 'more' in part ? part.more : undefined;
  const load = (): void => {
    void source.part(spot.session, spot.entry, spot.at).then((found) => setWhole(found ?? undefined));
  };
  return (
    <>
      {children(whole ?? part)}
      {more !== undefined && whole === undefined && (
        <p class="note">
          {plural(more, 'more character')}{' '}
          {!source.isStatic && (
            <button type="button" class="link" onClick={load}>
              Load the rest
            </button>
          )}
        </p>
      )}
    </>
  );
}

export function Reasoning({
  part,
  isOpen,
}: {
  readonly part: PartView & { kind: 'reasoning' };
  readonly isOpen: boolean;
}): VNode {
  const words = part.text.trim();
  if (words === '') {
    return (
      <p class="note reasoning-sealed">
        {part.isSealed ? 'Sealed reasoning: only the provider can read it.' : 'Reasoning without text'}
      </p>
    );
  }
  return (
    <details class="reasoning" open={isOpen}>
      <summary>
        Reasoning <span class="note">{words.replace(/\s+/g, ' ').slice(0, 120)}</span>
      </summary>
      <Prose text={words} />
    </details>
  );
}

/** The most telling value of a call's input, on one line. */
function gist(input: string): string {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value !== 'object' || value === null) return input;
    const texts = Object.values(value).map((each: unknown) =>
      typeof each === 'string' ? each : (JSON.stringify(each) ?? ''),
    );
    return (texts[0] ?? '').split('\n')[0] ?? '';
  } catch {
    return input.split('\n')[0] ?? '';
  }
}

/** A call, joined by a line to its result. */
export function Pair({
  call,
  result,
  session,
  go,
}: {
  readonly call: Located<CallPart>;
  readonly result: Located<ResultPart> | undefined;
  readonly session: string;
  readonly go: (row: number) => void;
}): VNode {
  const { part } = call;
  const state = result === undefined ? ((part.answeredIn ?? -1) >= 0 ? 'away' : 'open') : result.part.outcome;
  return (
    <section class={`pair pair-${state}`} aria-label={`Call of ${part.tool}`}>
      <div class="joined">
        <header class="call">
          <span class="dot" aria-hidden="true" />
          <strong class="tool">{part.tool || 'unnamed tool'}</strong> <span class="gist">{gist(part.input)}</span>
        </header>
        <div class="pair-body">
          <Input part={part} spot={{ session, entry: call.entry, at: call.at }} />
        </div>
      </div>
      {result === undefined ? (
        <footer class="result result-none">
          <span class="dot" aria-hidden="true" />
          <Unanswered row={part.answeredIn} go={go} />
        </footer>
      ) : (
        <ResultBody result={result} session={session} />
      )}
    </section>
  );
}

function Unanswered({ row, go }: { readonly row: number | undefined; readonly go: (row: number) => void }): VNode {
  if (row === undefined || row < 0) return <span>No result was recorded.</span>;
  return (
    <button type="button" class="link" onClick={() => go(row)}>
      Its result is further down
    </button>
  );
}

function Input({ part, spot }: { readonly part: CallPart; readonly spot: Spot }): VNode {
  const edit = editOf(part.input);
  if (edit !== undefined) return <Diff lines={edit} />;
  const isShort = part.input.length < 120 && !part.input.trim().includes('\n', 3);
  if (part.input === '{}' || (isShort && !part.input.includes('":'))) return <span />;
  return (
    <details class="input">
      <summary>Input</summary>
      <More part={part} spot={spot}>
        {(whole) => <Output text={whole.kind === 'call' ? whole.input : ''} />}
      </More>
    </details>
  );
}

export type Located<P> = { readonly part: P; readonly entry: number; readonly at: number };

const OUTCOMES = { ok: 'Result', error: 'Failed', open: 'Still running' } as const;

function ResultBody({ result, session }: { readonly result: Located<ResultPart>; readonly session: string }): VNode {
  const { part, entry, at } = result;
  const isBlank = part.text.trim() === '';
  return (
    <footer class={`result result-${part.outcome}`}>
      <span class="dot" aria-hidden="true" />
      <span class="result-head">
        {isBlank ? `${OUTCOMES[part.outcome]}: nothing was printed` : OUTCOMES[part.outcome]}
      </span>
      {!isBlank && (
        <More part={part} spot={{ session, entry, at }}>
          {(whole) => <Output text={whole.kind === 'result' ? whole.text : ''} />}
        </More>
      )}
    </footer>
  );
}

/** A result whose call is somewhere else, or nowhere. */
export function LoneResult({
  result,
  session,
  go,
}: {
  readonly result: Located<ResultPart>;
  readonly session: string;
  readonly go: (row: number) => void;
}): VNode {
  const { calledIn } = result.part;
  return (
    <section class={`pair pair-lone pair-${result.part.outcome}`} aria-label="Result without its call">
      <div class="joined">
        <header class="call result-none">
          <span class="dot" aria-hidden="true" />
          {calledIn === undefined || calledIn < 0 ? (
            <span>No call was recorded for this result.</span>
          ) : (
            <button type="button" class="link" onClick={() => go(calledIn)}>
              Its call is further up
            </button>
          )}
        </header>
      </div>
      <ResultBody result={result} session={session} />
    </section>
  );
}

/** What a browser can show and cannot run. */
const PICTURES = /^image\/(png|jpe?g|gif|webp|avif|bmp)$/;

/** A picture that is loaded when somebody asks for it. */
export function Picture({ part, spot }: { readonly part: PartView & { kind: 'media' }; readonly spot: Spot }): VNode {
  const { source } = useWorld();
  const [url, setUrl] = useState<string>();
  const [failed, setFailed] = useState(false);
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  const canShow = PICTURES.test(part.type) && !source.isStatic && part.characters > 0;
  const load = async (): Promise<void> => {
    const media = await source.media(spot.session, spot.entry, spot.at);
    if (media === null || !PICTURES.test(media.type)) return;
    const bytes = Uint8Array.from(atob(media.data), (character) => character.codePointAt(0) ?? 0);
    setUrl(URL.createObjectURL(new Blob([bytes], { type: media.type })));
  };
  const size = bytesWords(part.characters * 0.75);
  if (url !== undefined)
    return <img class="picture" src={url} alt={`A picture in the session, ${size}`} onError={() => setFailed(true)} />;
  return (
    <p class="media">
      <span class="badge">{part.type || 'media'}</span>{' '}
      <span class="note">{part.characters > 0 ? size : 'not stored here'}</span>{' '}
      {canShow && !failed && (
        <button type="button" class="link" onClick={() => void load().catch(() => setFailed(true))}>
          Show the picture
        </button>
      )}
      {failed && <span class="note">This picture cannot be shown.</span>}
    </p>
  );
}

/** Everything a record says, in its order, but its calls and results. */
export function Said({
  said,
  session,
  isOpen,
}: {
  readonly said: SaidView;
  readonly session: string;
  readonly isOpen: boolean;
}): VNode {
  const parts = said.parts.map((part, at) => {
    const spot = { session, entry: said.entry, at };
    if (part.kind === 'reasoning') return <Reasoning key={at} part={part} isOpen={isOpen} />;
    if (part.kind === 'media') return <Picture key={at} part={part} spot={{ ...spot, at: part.at }} />;
    if (part.kind === 'other') return <Other key={at} part={part} />;
    if (part.kind !== 'text') return null;
    return (
      <More key={at} part={part} spot={spot}>
        {(whole) => <Prose text={whole.kind === 'text' ? whole.text : ''} />}
      </More>
    );
  });
  return <>{parts}</>;
}

function Other({ part }: { readonly part: PartView & { kind: 'other' } }): VNode {
  return (
    <details class="input">
      <summary>
        <span class="badge">{part.type}</span> <span class="note">{exactWords(part.text.length)} characters</span>
      </summary>
      <Output text={part.text} />
    </details>
  );
}
