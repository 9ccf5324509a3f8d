import { rules } from '@rethread/core';
import type { PlannedRepair, SessionFinding } from '@rethread/formats';

import { plural } from '../plural.ts';
import type { JudgedSession } from '../sessions/judged-session.ts';
import { shortId } from '../sessions/session-argument.ts';
import { toolName } from '../sessions/tool-words.ts';
import { homePath } from '../terminal/home-path.ts';
import { bytesText, shareText, spanText } from '../terminal/amounts.ts';
import { bar } from '../terminal/bars.ts';
import type { Output, Tone } from '../terminal/output.ts';
import { excerpt, visible } from '../terminal/visible.ts';
import { wrap } from '../terminal/wrap.ts';
import { absentWords, happened, nextStep, placeText, titleText, verdictTones } from './session-words.ts';

/** How many rules are shown, and how many places of each, unless all are asked for. */
const shown = { rules: 8, places: 5 } as const;

const longestText = 600;
const barWidth = 20;
const label = 11;

const explained: ReadonlySet<string> = new Set(rules().map(({ id }) => id));

function factsOf(session: JudgedSession): string {
  const { tool, version, modified, bytes, judgement } = session;
  const { model, turns, messages, tokens } = judgement;
  return [
    version === undefined ? toolName(tool) : `${toolName(tool)} ${version}`,
    ...(model === undefined ? [] : [model]),
    `${plural(turns, 'turn')}, ${plural(messages, 'message')}, about ${plural(tokens, 'token')}`,
    bytesText(bytes),
    `${spanText(Date.now() - modified)} ago`,
  ]
    .map(visible)
    .join(' · ');
}

function printLabelled(name: string, text: string, { output, tone }: { output: Output; tone?: 'bold' | 'dim' }): void {
  const head = output.tone(tone ?? 'bold', name.padEnd(label));
  output.print(head + wrap(text, label, output.width));
}

/** How much of the conversation is sent, and where the rest went. */
export function survivalText({ judgement }: JudgedSession): string {
  const { share, absent } = judgement.survival;
  const isDoomed = judgement.danger !== undefined && judgement.danger.does !== 'forgets';
  const parts = absent.map(({ reason, messages, characters }) => {
    const what = messages === 0 ? bytesText(characters) : plural(messages, 'message');
    return `${what} ${absentWords[reason]}`;
  });
  const gauge = bar(share, 1, barWidth).padEnd(barWidth, '░');
  const kept = `${gauge} ${shareText(share)} of the conversation is ${isDoomed ? 'still in the file' : 'sent'}`;
  return parts.length === 0 ? kept : `${kept}. Not sent: ${parts.join(', ')}.`;
}

/** How bad a finding is, in one word: what it leads to, or that somebody else sees to it. */
function weightOf({ verdict, copes, severity }: SessionFinding): string {
  if (verdict !== undefined) return verdict;
  if (copes === true) return 'mended';
  return severity === 'wasteful' ? 'waste' : 'note';
}

const toneOf = ({ verdict, severity, copes }: SessionFinding): Tone =>
  verdict !== undefined ? verdictTones[verdict] : copes === true || severity === 'wasteful' ? 'dim' : 'yellow';

function placesText(findings: readonly SessionFinding[]): string {
  const named = findings.map(({ places: [place] }) => (place === undefined ? 'request' : placeText(place)));
  const different = [...new Set(named)];
  const more = different.length - shown.places;
  return different.slice(0, shown.places).join(', ') + (more > 0 ? ` and ${plural(more, 'more place')}` : '');
}

/** Prints findings of one rule: the first of them in full, and where the others are. */
function printGroup(group: readonly SessionFinding[], { output, tool }: { output: Output; tool: string }): void {
  const [first] = group;
  if (first === undefined) return;
  const { rule, note, expectedError, copes, more = 0 } = first;
  const count = group.length + group.reduce((sum, each) => sum + (each.more ?? 0), 0);
  const times = count + more > 1 ? ` × ${count.toLocaleString('en-US')}` : '';
  const weight = output.tone(toneOf(first), weightOf(first).padEnd(label));
  const head = `${weight}${output.tone('bold', visible(rule))}${times}`;
  output.print(`${head}  ${output.tone('dim', visible(placesText(group)))}`);
  const lines = [
    note,
    ...(expectedError === undefined ? [] : [`expected error: ${expectedError}`]),
    ...(copes === true ? [`${toolName(tool)} mends this itself.`] : []),
    ...(explained.has(rule) ? [`→ rethread explain ${rule}`] : []),
  ];
  for (const [index, line] of lines.entries()) {
    const text = wrap(excerpt(line, longestText), label, output.width);
    output.print(' '.repeat(label) + (index === 0 ? text : output.tone('dim', text)));
  }
}

/** Folds a long list: each rule once, with all the places that it was found at. */
function printFindings({ judgement, tool }: JudgedSession, { output, all }: { output: Output; all: boolean }): void {
  const { findings } = judgement;
  const weights = Map.groupBy(findings, (finding) => `${weightOf(finding)} ${finding.rule}`);
  const groups = all ? findings.map((finding) => [finding]) : [...weights.values()];
  const printed = all ? groups : groups.slice(0, shown.rules);
  if (printed.length > 0) output.print('');
  for (const group of printed) printGroup(group, { output, tool });
  const folded = printed.reduce((sum, group) => sum - group.length, findings.length);
  const isFolded = printed.some((group) => group.length > 1) || folded > 0;
  if (folded > 0) output.print(`… and ${plural(folded, 'finding')} of other rules`);
  if (isFolded) output.print(output.tone('dim', `--all prints each of the ${plural(findings.length, 'finding')}`));
}

const lossWords = { none: 'without loss', synthetic: 'adding text of our own', lossy: 'losing content' } as const;

/** What a repair changes, and what that costs. */
export function repairText({ repairs, preserved, isSendable }: PlannedRepair): string {
  const byLoss = Map.groupBy(repairs, ({ loss }) => loss);
  const changes = [...byLoss].map(([loss, some]) => `${plural(some.length, 'change')} ${lossWords[loss]}`);
  const kept = `${(Math.floor(preserved.ratio * 1000) / 10).toLocaleString('en-US')} % of the text is kept`;
  const end = isSendable ? 'The provider then accepts it.' : 'The provider would refuse what is left, too.';
  return `${changes.join(', ')}; ${kept}. ${end}`;
}

/** What a repair would change, one line for each rule. */
function printRepair({ judgement }: JudgedSession, { output, all }: { output: Output; all: boolean }): void {
  const { repair } = judgement;
  if (repair === undefined) return;
  output.print('');
  printLabelled('repair', repairText(repair), { output });
  const kinds = [...Map.groupBy(repair.repairs, ({ rule, note }) => (all ? `${rule} ${note}` : rule)).values()];
  for (const group of kinds) {
    const [first] = group;
    if (first === undefined) continue;
    const place = first.places[0] === undefined ? 'request' : placeText(first.places[0]);
    const others = group.length === 1 ? '' : ` (and ${group.length - 1} more)`;
    printLabelled('', `${visible(place)}: ${excerpt(first.note, longestText)}${others}`, { output, tone: 'dim' });
  }
}

/** Prints all there is to say about one session. */
export function printSession(session: JudgedSession, { output, all }: { output: Output; all: boolean }): void {
  const { judgement, path, cwd, id } = session;
  output.print(output.tone('bold', wrap(excerpt(titleText(session), 200), 0, output.width)));
  output.print(wrap(factsOf(session), 0, output.width));
  const where = [
    cwd === undefined ? [] : [`in ${homePath(cwd)}`],
    id === undefined ? [] : [`id ${shortId(id)}`],
  ].flat();
  if (where.length > 0) output.print(output.tone('dim', wrap(visible(where.join(' · ')), 0, output.width)));
  output.print(output.tone('dim', visible(homePath(path))));
  output.print('');
  const verdict = output.tone(verdictTones[judgement.verdict], judgement.verdict.padEnd(label));
  output.print(verdict + wrap(visible(happened(session)), label, output.width));
  const others = judgement.verdicts.slice(1);
  if (others.length > 0) printLabelled('also', others.join(', '), { output, tone: 'dim' });
  if (judgement.survival.total > 0) printLabelled('survival', survivalText(session), { output });
  printFindings(session, { output, all });
  printRepair(session, { output, all });
  output.print('');
  const { why, command } = nextStep(session);
  output.print(output.tone('bold', `${why}${command === undefined ? '.' : ':'}`));
  if (command !== undefined) output.print(`  ${command}`);
}
