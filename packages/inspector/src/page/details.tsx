import type { ComponentChild, VNode } from 'preact';

import type { Overview } from '../api.ts';
import { bytesWords, exactWords, timeWords, toolName } from './words.ts';

/** The facts about a session, its files, and everything that is wrong with them. */
export function Details({ overview }: { readonly overview: Overview }): VNode {
  const { faults, related } = overview;
  return (
    <div class="details">
      <section class="card">
        <h2>Session</h2>
        <dl>{facts(overview).map(fact)}</dl>
      </section>
      <section class="card">
        <h2>Files that belong to it</h2>
        {related.length === 0 && <p class="note">This session is in one file.</p>}
        <ul class="plain">
          {related.map(({ kind, path, isThere }) => (
            <li key={path}>
              <span class="badge">{kind}</span> <code>{path}</code> {!isThere && <span class="note">missing</span>}
            </li>
          ))}
        </ul>
      </section>
      <section class="card">
        <h2>Damage and oddities in the files</h2>
        {faults.length === 0 && <p class="note">Every byte of this session can be read.</p>}
        <ul class="plain">
          {faults.map(({ kind, note, where }, at) => (
            <li key={at}>
              <span class="badge">{kind}</span> <span class="note">{where}</span> {note}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

type Fact = readonly [name: string, value: string | undefined];

const facts = (overview: Overview): readonly Fact[] => [
  ['File', overview.file],
  ['Id', overview.id],
  ['Tool', [toolName(overview.tool ?? 'unknown'), overview.version].filter(Boolean).join(' ')],
  ['Folder', overview.cwd],
  ['Models', overview.models.join(', ')],
  ['Dialect of the next request', overview.dialect],
  ['Created', timeWords(overview.created)],
  ['Last record', timeWords(overview.updated)],
  ['Size', bytesWords(overview.bytes)],
  ['Records', exactWords(overview.entries)],
  ['Messages in the next request', exactWords(overview.messages)],
];

const fact = ([name, value]: Fact): ComponentChild =>
  value === undefined || value === '' ? null : (
    <div key={name}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
