import { homedir, platform, release, userInfo } from 'node:os';

import { type Dialect, decode, rules } from '@rethread/core';
import type { Judgement, SessionFinding } from '@rethread/formats';

import { absentWords, happened, placeText } from '../doctor/session-words.ts';
import type { JudgedSession } from '../sessions/judged-session.ts';
import { toolName } from '../sessions/tool-words.ts';
import { bytesText, shareText } from '../terminal/amounts.ts';
import { excerpt } from '../terminal/visible.ts';
import { version } from '../version.ts';
import { quotesSession } from './leaks.ts';
import { withoutSecrets } from './secrets.ts';

/** What a report tells of one session. */
export interface Reported {
  readonly session: JudgedSession;
  readonly messages: readonly unknown[];
}

/** So many messages are shown by their shape, and so many findings are listed. */
const shown = { messages: 40, findings: 60, places: 5 } as const;

/** A cell of a table, on one line. */
const cell = (text: string): string =>
  excerpt(text, 300)
    .replaceAll('|', String.raw`\|`)
    .replaceAll('`', "'");

const titles: ReadonlyMap<string, string> = new Map(rules().map(({ id, title }) => [id, title]));

/** What a finding says; only what its rule says where the finding quotes the session. */
function quotable({ rule, note, expectedError }: SessionFinding, isPrivate: (text: string) => boolean): string {
  const said = expectedError === undefined ? note : `${note}. Expected error: ${expectedError}`;
  return cell(isPrivate(said) ? (titles.get(rule) ?? rule) : said);
}

/** Findings that say the same share a row. */
function findingRows({ findings }: Judgement, isPrivate: (text: string) => boolean): string[] {
  const rows = Map.groupBy(findings, (finding) => {
    const weight = finding.verdict ?? (finding.copes === true ? 'mended by the tool' : finding.severity);
    return `${weight} | ${cell(finding.rule)} | ${quotable(finding, isPrivate)} |`;
  });
  const listed = [...rows].slice(0, shown.findings).map(([row, some]) => {
    const places = some
      .slice(0, shown.places)
      .map(({ places: [at] }) => (at === undefined ? 'request' : placeText(at)));
    const more = some.length - places.length;
    return `| ${cell(places.join(', '))}${more > 0 ? ` and ${more} more` : ''} | ${row}`;
  });
  const left = rows.size - listed.length;
  return [...listed, ...(left > 0 ? [`| | | | and ${left} more |`] : [])];
}

/** The kinds of parts and their sizes, and no word of what they say. */
function shapeRows(messages: readonly unknown[], dialect: Dialect): string[] {
  const read = decode(messages, dialect)?.messages ?? [];
  const from = Math.max(0, read.length - shown.messages);
  return read.slice(from).map(({ role, parts }, index) => {
    const kinds = parts.map((part) => `${part.kind} (${part.characters})`).join(', ');
    return `| ${from + index} | ${role} | ${kinds} |`;
  });
}

function textRows(messages: readonly unknown[]): string[] {
  return messages.slice(-shown.messages).map((message) => `    ${excerpt(JSON.stringify(message), 2000)}`);
}

/** Names of the machine and its user say something about the person, and nothing about the fault. */
function withoutNames(text: string, session: JudgedSession): string {
  const { username } = userInfo();
  const named = [session.path, session.cwd, homedir(), username.length > 3 ? username : undefined, session.title];
  return named
    .filter((each) => each !== undefined && each.length > 1)
    .reduce<string>((rest, each) => rest.replaceAll(each ?? '', '[private]'), text);
}

function sectionOf({ session, messages }: Reported, withText: boolean): string {
  const { tool, judgement, bytes } = session;
  const { survival, repair, verdicts, dialect, model } = judgement;
  const absent = survival.absent.map(({ reason, messages: count }) => `${count} ${absentWords[reason]}`).join(', ');
  const { title: _, cwd: __, ...nameless } = session;
  const said = happened(nameless);
  const isPrivate = withText ? () => false : quotesSession([{ session, messages }]);
  const lines = [
    `## ${toolName(tool)} ${session.version ?? ''}: ${verdicts.join(', ')}`.replace(/ +:/, ':'),
    '',
    isPrivate(said) ? judgement.verdict : said,
    '',
    `- ${judgement.messages} messages and ${judgement.turns} turns in the next request, ${dialect}, ${model ?? 'no model'}`,
    `- about ${judgement.tokens} tokens, ${bytesText(bytes)} on disk`,
    `- ${shareText(survival.share)} of the conversation is sent${absent === '' ? '' : `; not sent: ${absent}`}`,
    ...(repair === undefined
      ? []
      : [`- a repair makes ${repair.repairs.length} changes; sendable then: ${repair.isSendable ? 'yes' : 'no'}`]),
    '',
    '| place | leads to | rule | finding |',
    '|---|---|---|---|',
    ...findingRows(judgement, isPrivate),
    '',
    '| message | role | parts (characters) |',
    '|---|---|---|',
    ...shapeRows(messages, dialect),
    '',
    ...(withText ? ['Messages, without what looks like a secret:', '', ...textRows(messages), ''] : []),
  ];
  return withoutNames(withoutSecrets(lines.join('\n')), session);
}

/** A report for a bug tracker, in Markdown. Without `withText` it holds no text of the session. */
export function bugReport(reported: readonly Reported[], { withText }: { readonly withText: boolean }): string {
  const head = [
    '# Session report',
    '',
    `rethread ${version}, Node ${process.versions.node}, ${platform()} ${release()}`,
    '',
    withText ? 'It holds messages of the session.' : 'It holds no text of the session.',
    '',
  ];
  return `${[...head, ...reported.map((each) => sectionOf(each, withText))].join('\n')}\n`;
}
