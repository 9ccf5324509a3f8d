import type { ComponentChild, VNode } from 'preact';
import { useState } from 'preact/hooks';

import type { FindingView, PartView, RowView, SaidView } from '../api.ts';
import { distinct, Finding } from './findings.tsx';
import { LoneResult, Pair, Picture, Reasoning, Said, type CallPart, type Located, type ResultPart } from './parts.tsx';
import { Output } from './text.tsx';
import { MARK_WORDS, plural, reasonWords, timeWords } from './words.ts';
import { useWorld } from './world.tsx';

export type RowProps = {
  readonly view: RowView;
  readonly session: string;
  readonly findings: readonly FindingView[];
  readonly isCurrent: boolean;
  /** Whether all reasoning is unfolded. */
  readonly isUnfolded: boolean;
  readonly go: (row: number) => void;
};

const NAMES: Readonly<Record<RowView['kind'], string>> = {
  user: 'User',
  step: 'Assistant',
  result: 'Tool',
  mark: 'Event',
  records: 'Records',
  system: 'System',
  fault: 'Damage',
};

/** One row of the timeline. */
export function Row(props: RowProps): VNode {
  const { view, isCurrent } = props;
  const classes = [
    'row',
    `row-${view.kind}`,
    isCurrent ? 'row-current' : '',
    view.reason !== undefined || !view.isSent ? 'row-unsent' : '',
  ];
  return (
    <article
      class={classes.join(' ')}
      aria-current={isCurrent ? 'true' : undefined}
      data-row={view.row}
      data-entry={view.entry}
    >
      {body(props)}
    </article>
  );
}

function body({ view, session, findings, isUnfolded, go }: RowProps): ComponentChild {
  if (view.kind === 'fault' && view.fault !== undefined) {
    return (
      <p class="fault">
        <span class="badge badge-torn">{view.fault.kind}</span> {view.fault.where}: {view.fault.note}
      </p>
    );
  }
  if (view.said.length === 0) {
    return (
      <>
        {view.mark !== undefined && <MarkLine mark={view.mark} at={view.at} />}
        <Others view={view} session={session} />
      </>
    );
  }
  return (
    <>
      {view.mark !== undefined && <MarkLine mark={view.mark} at={undefined} />}
      <Head view={view} />
      <Parts view={view} session={session} isUnfolded={isUnfolded} go={go} />
      {distinct(view.findings.flatMap((at) => findings[at] ?? [])).map(([finding, count], at) => (
        <Finding key={at} finding={finding} count={count} />
      ))}
      <Others view={view} session={session} />
    </>
  );
}

function MarkLine({
  mark,
  at,
}: {
  readonly mark: NonNullable<RowView['mark']>;
  readonly at: string | undefined;
}): VNode {
  return (
    <p class={`mark mark-${mark.kind}`}>
      <strong>{MARK_WORDS[mark.kind]}</strong> <span>{mark.note}</span> <time>{timeWords(at)}</time>
    </p>
  );
}

function Head({ view }: { readonly view: RowView }): VNode {
  const reason = view.reason === undefined ? undefined : reasonWords(view.reason);
  return (
    <header class="row-head">
      <strong>{NAMES[view.kind]}</strong>
      {view.model !== undefined && <span class="note">{view.model}</span>}
      {!view.isSent && (
        <span class="reason" title={reason?.sentence}>
          {reason === undefined ? 'Not in the next request' : `Not in the next request: ${reason.sentence}`}
        </span>
      )}
      <time class="note">{timeWords(view.at)}</time>
    </header>
  );
}

type Batch = { readonly calls: Located<CallPart>[]; readonly results: Located<ResultPart>[] };

/** What a row says, in its order. The calls of one answer stand side by side, each with its result. */
function Parts({ view, session, isUnfolded, go }: Omit<RowProps, 'findings' | 'isCurrent'>): VNode {
  const batch = batchOf(view.said);
  const words = view.said.filter(({ parts }) => parts.some(({ kind }) => kind !== 'call' && kind !== 'result'));
  const taken = new Set<Located<ResultPart>>();
  const pairs = batch.calls.map((call) => {
    const result = batch.results.find((each) => each.part.id === call.part.id && !taken.has(each));
    if (result !== undefined) taken.add(result);
    return { call, result };
  });
  const lone = batch.results.filter((result) => !taken.has(result));
  return (
    <>
      {words.map((said) => (
        <Said key={said.entry} said={said} session={session} isOpen={isUnfolded} />
      ))}
      {pairs.length > 1 && <p class="note batch-note">{plural(pairs.length, 'call')} at the same time</p>}
      {pairs.length > 0 && (
        <div class={`batch${pairs.length > 1 ? ' batch-parallel' : ''}`}>
          {pairs.map(({ call, result }) => (
            <Pair key={`${call.entry}.${call.at}`} call={call} result={result} session={session} go={go} />
          ))}
        </div>
      )}
      {lone.map((result) => (
        <LoneResult key={`${result.entry}.${result.at}`} result={result} session={session} go={go} />
      ))}
    </>
  );
}

function batchOf(said: readonly SaidView[]): Batch {
  const batch: Batch = { calls: [], results: [] };
  for (const { entry, parts } of said) {
    for (const [at, part] of parts.entries()) {
      if (part.kind === 'call') batch.calls.push({ part, entry, at });
      else if (part.kind === 'result') batch.results.push({ part, entry, at });
    }
  }
  return batch;
}

/** Records that the tool keeps for itself, as it wrote them. */
function Others({ view, session }: { readonly view: RowView; readonly session: string }): ComponentChild {
  const { others } = view;
  if (others.length === 0) return null;
  const types = [...new Set(others.map(({ type }) => type))];
  return (
    <details class="others">
      <summary>
        {plural(others.length, 'record')} of the tool: <span class="note">{types.slice(0, 4).join(', ')}</span>
      </summary>
      <ul>
        {others.map(({ entry, type }) => (
          <li key={entry}>
            <Record session={session} entry={entry} type={type} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Record({
  session,
  entry,
  type,
}: {
  readonly session: string;
  readonly entry: number;
  readonly type: string;
}): VNode {
  const { source } = useWorld();
  const [json, setJson] = useState<string>();
  const load = (): void => {
    void source.entry(session, entry).then((found) => setJson(found?.json ?? 'This record can no longer be read.'));
  };
  if (json !== undefined) return <Output text={json} />;
  if (source.isStatic) return <span class="note">{type}</span>;
  return (
    <button type="button" class="link" onClick={load}>
      {type}
    </button>
  );
}

/** The parts of a message of a request, without a session around them. */
export function MessageParts({ parts }: { readonly parts: readonly PartView[] }): VNode {
  return (
    <>
      {parts.map((part, at) => {
        const spot = { session: '', entry: 0, at };
        if (part.kind === 'reasoning') return <Reasoning key={at} part={part} isOpen={false} />;
        if (part.kind === 'media') return <Picture key={at} part={{ ...part, characters: 0 }} spot={spot} />;
        if (part.kind === 'call')
          return <PlainPart key={at} name={`Call ${part.tool}`} id={part.id} text={part.input} />;
        if (part.kind === 'result') return <PlainPart key={at} name="Result" id={part.id} text={part.text} />;
        return <Output key={at} text={part.text} />;
      })}
    </>
  );
}

function PlainPart({ name, id, text }: { readonly name: string; readonly id: string; readonly text: string }): VNode {
  return (
    <div class="plain-part">
      <p>
        <strong>{name}</strong> <code class="note">{id}</code>
      </p>
      {text !== '' && text !== '{}' && <Output text={text} lines={8} />}
    </div>
  );
}
