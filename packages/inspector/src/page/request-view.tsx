import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';

import type { MessageView, Overview, PairView, RepairView, RequestView } from '../api.ts';
import { diffOf } from './edit-diff.ts';
import { distinct, Finding } from './findings.tsx';
import { amend, sessionHash, type Route } from './route.ts';
import { MessageParts } from './row.tsx';
import { Diff, Output } from './text.tsx';
import { capital, countWords, plural, shareWords } from './words.ts';
import { useWorld } from './world.tsx';

type Props = { readonly overview: Overview; readonly query: Route['query'] };

/** What the model will see: the next request for a target, beside what is stored. */
export function RequestTab({ overview, query }: Props): VNode {
  const { source, say } = useWorld();
  const [request, setRequest] = useState<RequestView>();
  const [dialects, setDialects] = useState<readonly string[]>([]);
  const { dialect, model } = query;
  const target = useMemo(() => ({ ...(dialect ? { dialect } : {}), ...(model ? { model } : {}) }), [dialect, model]);
  useEffect(() => {
    void source.about().then((about) => setDialects(about.dialects));
  }, []);
  useEffect(() => {
    source
      .request(overview.key, target)
      .then(setRequest, (error: unknown) =>
        say(error instanceof Error ? error.message : 'The request cannot be made.'),
      );
  }, [overview, target]);
  if (request === undefined) return <p class="waiting">Making the request</p>;
  return (
    <div class="request">
      <Targets overview={overview} request={request} dialects={dialects} />
      <Outcome request={request} />
      <Changes request={request} />
      <Pairs overview={overview} request={request} target={target} onlyChanged={query['only'] === 'changed'} />
    </div>
  );
}

type TargetsProps = {
  readonly overview: Overview;
  readonly request: RequestView;
  readonly dialects: readonly string[];
};

function Targets({ overview, request, dialects }: TargetsProps): VNode {
  const { source } = useWorld();
  const own = overview.dialect ?? request.dialect;
  const choose = (event: Event): void => {
    const { value } = event.currentTarget as HTMLSelectElement;
    amend({ dialect: value === own ? undefined : value, model: undefined });
  };
  return (
    <form class="targets" onSubmit={(event) => event.preventDefault()}>
      <label>
        Provider API
        <select value={request.dialect} onChange={choose} disabled={source.isStatic}>
          {dialects.map((each) => (
            <option key={each} value={each}>
              {each === own ? `${each} (this session's)` : each}
            </option>
          ))}
        </select>
      </label>
      <label>
        Model
        <input
          key={`${request.dialect} ${request.model ?? ''}`}
          name="model"
          placeholder="strictest reading"
          defaultValue={request.model ?? ''}
          disabled={source.isStatic}
          onChange={(event) => amend({ model: event.currentTarget.value })}
        />
      </label>
    </form>
  );
}

const OUTCOMES: Readonly<Record<string, string>> = {
  clean: 'The provider would accept this request as it is.',
  broken: 'The provider would refuse this request.',
  waiting: 'A call still waits for its result.',
  repaired: 'The provider would refuse the stored messages. Repaired, it would accept them.',
  salvaged: 'The provider would refuse the stored messages. Only a part of them could be made acceptable.',
  emptied: 'Nothing of the stored messages could be kept as it is.',
};

function Outcome({ request }: { readonly request: RequestView }): VNode {
  const { verdict, repairs, losses, preserved, tokens, isConverted, next } = request;
  const words =
    isConverted && (verdict === 'repaired' || verdict === 'clean')
      ? 'Converted, the provider would accept this request.'
      : OUTCOMES[verdict];
  return (
    <section class={`card outcome outcome-${verdict}`}>
      <h2>{words ?? verdict}</h2>
      <p>
        {repairs.length === 0 ? 'No repair is needed' : plural(repairs.length, 'repair')}
        {isConverted && `, ${plural(losses.length, 'loss', 'losses')} in the conversion`}, {shareWords(preserved)} of
        the content kept, about {countWords(tokens)} tokens.
      </p>
      {next !== undefined && <p class="note">{next}</p>}
    </section>
  );
}

const LOSSES = { none: 'Nothing lost', synthetic: 'Adds words of ours', lossy: 'Loses content' } as const;

function Changes({ request }: { readonly request: RequestView }): VNode | null {
  const { repairs, losses, findings } = request;
  const kinds = distinct(findings);
  if (repairs.length + losses.length + findings.length === 0) return null;
  return (
    <div class="changes">
      {findings.length > 0 && (
        <section class="card">
          <h2>What is wrong</h2>
          {kinds.slice(0, 12).map(([finding, count], at) => (
            <Finding key={at} finding={finding} count={count} />
          ))}
          {kinds.length > 12 && <p class="note">More are shown beside their messages.</p>}
        </section>
      )}
      {repairs.length > 0 && (
        <section class="card">
          <h2>What a repair would do</h2>
          <ul class="plain">
            {repairs.slice(0, 40).map((repair, at) => (
              <RepairLine key={at} repair={repair} />
            ))}
          </ul>
        </section>
      )}
      {losses.length > 0 && (
        <section class="card">
          <h2>What this API cannot carry</h2>
          <ul class="plain">
            {losses.slice(0, 100).map(({ what, became, why }, at) => (
              <li key={at}>
                <strong>{what}</strong>{' '}
                {became === 'nothing' ? 'is left out' : became === 'text' ? 'becomes text' : 'takes another form'}:{' '}
                {why}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function RepairLine({ repair }: { readonly repair: RepairView }): VNode {
  const show = (): void => document.querySelector(`[data-pair="${repair.pair}"]`)?.scrollIntoView({ block: 'center' });
  return (
    <li>
      <span class={`badge badge-loss-${repair.loss}`}>{LOSSES[repair.loss]}</span> {capital(repair.note)}{' '}
      {repair.pair !== undefined && (
        <button type="button" class="link" onClick={show}>
          message {repair.message + 1}
        </button>
      )}
    </li>
  );
}

type PairsProps = Props & {
  readonly request: RequestView;
  readonly target: { readonly dialect?: string; readonly model?: string };
  readonly onlyChanged: boolean;
};

/** Stored messages and sent ones beside each other, some at a time. */
function Pairs({ overview, request, target, onlyChanged }: Omit<PairsProps, 'query'>): VNode {
  const { source } = useWorld();
  const [pairs, setPairs] = useState<readonly PairView[]>([]);
  const first = Math.max(0, (request.changed[0] ?? 0) - 3);
  const load = async (from: number, before: readonly PairView[]): Promise<void> => {
    const more = await source.pairs(overview.key, target, from);
    setPairs(
      from < (before[0]?.pair ?? 0)
        ? [...more.filter(({ pair }) => pair < (before[0]?.pair ?? 0)), ...before]
        : [...before, ...more],
    );
  };
  useEffect(() => {
    setPairs([]);
    void load(first, []);
  }, [request]);
  const [top, last] = [pairs[0]?.pair ?? 0, pairs.at(-1)?.pair ?? -1];
  const shown = onlyChanged ? pairs.filter(({ isChanged, findings }) => isChanged || findings.length > 0) : pairs;
  return (
    <section class="pairs" aria-label="Messages">
      <header class="pairs-head">
        <h2>Stored</h2>
        <h2>Sent</h2>
      </header>
      {request.system !== undefined && (
        <details class="system">
          <summary>System prompt, as the tool keeps it</summary>
          <Output text={request.system} />
        </details>
      )}
      {top > 0 && (
        <button type="button" class="fold" onClick={() => void load(Math.max(0, top - 50), pairs)}>
          {plural(top, 'earlier message')}
        </button>
      )}
      {shown.map((pair) => (
        <PairRow key={pair.pair} pair={pair} session={overview.key} request={request} />
      ))}
      {last + 1 < request.pairs && (
        <button type="button" class="fold" onClick={() => void load(last + 1, pairs)}>
          {plural(request.pairs - last - 1, 'later message')}
        </button>
      )}
      {request.pairs === 0 && <p class="empty">The next request has no messages yet.</p>}
    </section>
  );
}

type PairRowProps = { readonly pair: PairView; readonly session: string; readonly request: RequestView };

function PairRow({ pair, session, request }: PairRowProps): VNode {
  const [asJson, setAsJson] = useState(false);
  const { stored, sent, isChanged, findings } = pair;
  const isSame = !isChanged && !request.isConverted;
  const before = stored.map(({ json }) => json).join('\n');
  const after = sent.map(({ json }) => json).join('\n');
  return (
    <div class={`sent-pair${isChanged ? ' sent-changed' : ''}`} data-pair={pair.pair}>
      <div>
        {stored.map((message) => (
          <Message key={message.index} message={message} session={session} />
        ))}
        {stored.length === 0 && <p class="note">Not stored</p>}
        {findings.map((at) => {
          const finding = request.findings[at];
          return finding === undefined ? null : <Finding key={at} finding={finding} />;
        })}
      </div>
      <div>
        {isSame ? (
          <p class="note same">The same</p>
        ) : (
          <>
            {sent.map((message) => (
              <Message key={message.index} message={message} session={session} />
            ))}
            {sent.length === 0 && <p class="note">Left out</p>}
          </>
        )}
      </div>
      <div class="sent-json">
        <button type="button" class="fold" aria-expanded={asJson} onClick={() => setAsJson(!asJson)}>
          {asJson ? 'Hide the JSON' : isChanged ? 'Compare the JSON' : 'Show the JSON'}
        </button>
        {asJson && (isSame ? <Output text={before} /> : <Diff lines={diffOf(before, after)} />)}
      </div>
    </div>
  );
}

function Message({ message, session }: { readonly message: MessageView; readonly session: string }): VNode {
  const { index, role, parts, entry } = message;
  return (
    <article class={`message message-${role}`}>
      <header class="row-head">
        <strong>{role}</strong>{' '}
        {entry === undefined ? (
          <span class="note">message {index + 1}</span>
        ) : (
          <a class="note" href={sessionHash(session, 'timeline', { e: String(entry) })}>
            message {index + 1}
          </a>
        )}
      </header>
      <MessageParts parts={parts} />
    </article>
  );
}
