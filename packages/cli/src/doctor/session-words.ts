import type { AbsentReason, Place, SessionFinding, SessionVerdict } from '@rethread/formats';

import { plural } from '../plural.ts';
import type { JudgedSession } from '../sessions/judged-session.ts';
import { shortId } from '../sessions/session-argument.ts';
import { resumeCommand, toolName } from '../sessions/tool-words.ts';
import { shareText, spanText } from '../terminal/amounts.ts';
import type { Tone } from '../terminal/output.ts';
import { excerpt, shellName } from '../terminal/visible.ts';

const longestError = 160;

export const verdictTones: Readonly<Record<SessionVerdict, Tone>> = {
  endangered: 'red',
  hidden: 'red',
  torn: 'red',
  refused: 'red',
  heavy: 'yellow',
  running: 'cyan',
  healthy: 'green',
};

/** What became of messages that are not sent. */
export const absentWords: Readonly<Record<AbsentReason, string>> = {
  compacted: 'replaced by a summary',
  rewound: 'rewound',
  branch: 'on another branch',
  sidechain: 'of subagents',
  'lost-parent': 'behind a missing record',
  failed: 'failed or aborted answers',
  hidden: 'never sent by the tool',
  reworded: 'sent in other words',
  repeated: 'stored twice',
  torn: 'unreadable',
};

/** Where something stands in a tool's files, in one or two words. */
export function placeText(place: Place): string {
  if (place.kind === 'line') return `line ${place.line}`;
  if (place.kind === 'row') return `${place.table} ${place.row}`;
  return place.pointer === '' ? 'file' : place.pointer;
}

const worst = ({ judgement }: JudgedSession): SessionFinding | undefined =>
  judgement.findings.find(({ verdict }) => verdict === judgement.verdict);

function healthyWords({ tool, judgement }: JudgedSession): string {
  if (judgement.messages === 0) return 'This session has no messages yet.';
  const mended = judgement.findings.filter(({ copes, severity }) => copes === true && severity === 'rejected').length;
  const whole = 'The provider would accept the next request.';
  if (mended === 0) return whole;
  return `${whole} ${toolName(tool)} itself mends ${plural(mended, 'finding')} when it loads the session.`;
}

function tornWords(session: JudgedSession): string {
  const { tool, judgement } = session;
  const places = judgement.findings.filter(({ verdict }) => verdict === 'torn').length;
  const what = `${plural(places, 'place')} in the file cannot be read as ${toolName(tool)} wrote it.`;
  const { share } = judgement.survival;
  const left = share === 1 ? 'nothing of the conversation is lost' : `${shareText(share)} of the conversation is left`;
  return `${what} In the next request ${left}.`;
}

function runningWords({ tool, modified, heldBy }: JudgedSession): string {
  const since = `It was written to ${spanText(Date.now() - modified)} ago.`;
  if (heldBy !== undefined) return `Process ${heldBy} has it open. ${since}`;
  return `${since} If ${toolName(tool)} is still at work, wait for it before you change anything.`;
}

function refusalText(session: JudgedSession): string {
  const error = worst(session)?.expectedError;
  if (error === undefined) return 'The provider would answer 400 to the next request.';
  return `The provider would answer 400 to the next request: “${excerpt(error, longestError)}”.`;
}

/** What happened to a session, in two sentences. */
export function happened(session: JudgedSession): string {
  const { judgement, tool } = session;
  const name = toolName(tool);
  switch (judgement.verdict) {
    case 'endangered':
      return `${judgement.danger?.note ?? ''} Do not start ${name} before there is a copy.`;
    case 'hidden':
      return `The history is on disk, but ${name} does not use all of it. ${worst(session)?.note ?? ''}`;
    case 'torn':
      return tornWords(session);
    case 'refused':
      return `${refusalText(session)} ${name} does not mend this by itself.`;
    case 'heavy':
      return `${worst(session)?.note ?? ''} ${name} can compact it while it still loads.`;
    case 'running':
      return runningWords(session);
    case 'healthy':
      return healthyWords(session);
  }
}

/** What to do next, and the command that does it. */
export interface NextStep {
  readonly why: string;
  readonly command?: string;
}

/** The command that copies every file that a session needs. */
export function copyCommand(path: string): string {
  if (!/\.(db|sqlite)$/.test(path)) return `cp -p ${shellName(path)} ${shellName(`${path}.copy`)}`;
  const [file, folder] = [shellName(path), shellName(`${path}.copy`)];
  // The newest messages may be in the write-ahead log alone.
  return `mkdir ${folder} && cp -p ${file}* ${folder}/`;
}

/** The one thing to do next with a session. */
export function nextStep(session: JudgedSession): NextStep {
  const { judgement, name, tool } = session;
  if (session.written !== undefined) return { why: `The repaired messages are in ${session.written}` };
  const named = name === 'standard input' ? '-' : shellName(name);
  const resume = session.id === undefined ? undefined : resumeCommand(tool, { id: session.id, path: session.path });
  switch (judgement.verdict) {
    case 'endangered':
    case 'hidden':
    case 'torn':
      return { why: 'First make a copy of the file', command: copyCommand(session.path) };
    case 'refused':
      return {
        why: 'Write the repaired request to a file',
        command: `rethread doctor ${named} --out repaired.json`,
      };
    case 'heavy':
      return { why: 'See what it would become', command: `rethread compact ${named} --dry-run` };
    case 'running':
      return { why: 'Follow it', command: `rethread doctor --watch ${named}` };
    case 'healthy':
      if (judgement.messages === 0 || resume === undefined) return { why: 'Nothing to do' };
      return { why: 'Go on', command: resume };
  }
}

/** A session by its title, or else by its id. */
export const titleText = ({ title, id, name }: JudgedSession): string =>
  title ?? (id === undefined ? name : shortId(id));
