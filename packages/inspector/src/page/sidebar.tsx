import type { VNode } from 'preact';

import type { FindingView, Overview } from '../api.ts';
import { weightOf } from './findings.tsx';
import { go, sessionHash } from './route.ts';
import { capital, countWords, exactWords, plural, reasonWords, shareWords, VERDICT_WORDS } from './words.ts';
import { useWorld } from './world.tsx';

/** Why the session is as it is: the verdict, what the next request leaves out, and what is wrong. */
export function Sidebar({ overview }: { readonly overview: Overview }): VNode {
  return (
    <aside class="sidebar" aria-label="Verdict" tabIndex={0}>
      <VerdictCard overview={overview} />
      <Survival overview={overview} />
      <FindingList overview={overview} />
      <Faults overview={overview} />
    </aside>
  );
}

function VerdictCard({ overview }: { readonly overview: Overview }): VNode {
  const { verdict, findings, key } = overview;
  const { name, sentence } = VERDICT_WORDS[verdict];
  const first = findings.find((finding) => weightOf(finding) === 'refused');
  return (
    <section class={`card verdict verdict-${verdict}`}>
      <h2>{name}</h2>
      <p>{sentence}</p>
      {overview.danger !== undefined && <p>{overview.danger}</p>}
      {first !== undefined && (
        <>
          <p>{capital(first.explain)}</p>
          {first.providerError !== undefined && <code class="provider-error">{first.providerError}</code>}
          <p>
            <a href={sessionHash(key, 'request')}>See what would be sent, and the repair</a>
          </p>
        </>
      )}
    </section>
  );
}

/** How much of the session the next request contains, and where the rest went. */
function Survival({ overview }: { readonly overview: Overview }): VNode | null {
  const { survival, absent, sentCharacters, messages, tokens, key } = overview;
  if (survival === undefined) return null;
  const all = sentCharacters + absent.reduce((sum, { characters }) => sum + characters, 0);
  return (
    <section class="card">
      <h2>Next request</h2>
      <p>
        <strong class="figure">{shareWords(survival)}</strong> of the text in this session, in{' '}
        <a href={sessionHash(key, 'request')}>{plural(messages, 'message')}</a>, about {countWords(tokens)} tokens.
      </p>
      <SurvivalBar share={survival} />
      {absent.length > 0 && (
        <ul class="absent">
          {absent.map(({ reason, messages: count, characters }) => {
            const words = reasonWords(reason);
            return (
              <li key={reason} title={`${plural(count, 'message')}, ${exactWords(characters)} characters`}>
                <span>
                  <strong>{words.name}</strong> {words.sentence}
                </span>
                <span class="number">{shareWords(characters / Math.max(1, all))}</span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

export function SurvivalBar({ share }: { readonly share: number }): VNode {
  return (
    <span class="bar" aria-hidden="true">
      <span style={{ width: `${Math.max(share > 0 ? 1 : 0, share * 100)}%` }} />
    </span>
  );
}

type Group = { readonly rule: string; readonly findings: readonly FindingView[] };

function FindingList({ overview }: { readonly overview: Overview }): VNode {
  const { findings, moreFindings, key } = overview;
  const groups = Array.from(
    Map.groupBy(findings, ({ rule }) => rule),
    ([rule, found]): Group => ({ rule, findings: found }),
  );
  return (
    <section class="card">
      <h2>
        Findings <span class="number">{exactWords(findings.length + moreFindings)}</span>
      </h2>
      {groups.length === 0 && <p class="note">Nothing is wrong with what would be sent.</p>}
      <ul class="finding-list">
        {groups.map((group) => (
          <FindingGroup key={group.rule} group={group} session={key} />
        ))}
      </ul>
    </section>
  );
}

function FindingGroup({ group, session }: { readonly group: Group; readonly session: string }): VNode {
  const { showRule } = useWorld();
  const [first] = group.findings;
  const weight = first === undefined ? 'minor' : weightOf(first);
  return (
    <li>
      <p class="finding-title">
        <span class={`point point-${weight}`} aria-hidden="true" />
        <button type="button" class="link strong" onClick={() => showRule(group.rule)}>
          {capital(first?.title ?? group.rule)}
        </button>{' '}
        {weight === 'mended' && <span class="note">mended by the tool</span>}
      </p>
      <p class="places">
        {group.findings.slice(0, 8).map(({ entry, message }, at) => (
          <button
            key={at}
            type="button"
            class="place"
            disabled={entry === undefined}
            onClick={() => go(sessionHash(session, 'timeline', { e: String(entry) }))}
          >
            {message < 0 ? 'request' : `message ${message + 1}`}
          </button>
        ))}
        {group.findings.length > 8 && <span class="note">and {group.findings.length - 8} more</span>}
      </p>
    </li>
  );
}

function Faults({ overview }: { readonly overview: Overview }): VNode | null {
  const { faults, moreFaults } = overview;
  if (faults.length === 0) return null;
  return (
    <section class="card">
      <h2>
        In the file <span class="number">{exactWords(faults.length + moreFaults)}</span>
      </h2>
      <ul class="fault-list">
        {faults.slice(0, 20).map(({ kind, note, where }, at) => (
          <li key={at}>
            <span class="badge">{kind}</span> <span class="note">{where}</span> {note}
          </li>
        ))}
      </ul>
      {faults.length > 20 && <p class="note">The details list all of them.</p>}
    </section>
  );
}
