import { type Compacted, type Dialect, type SummaryModel, check, compact, detectDialect } from '@rethread/core';

import { collapsedFinding, collapsedKeys } from '../files/collapsed-keys.ts';
import { Gate, createGateState } from '../files/gate.ts';
import { bytesOf } from '../files/pieces.ts';
import { refuseUnsound } from '../files/read-json.ts';
import { type Session, readSession } from '../files/read-session.ts';
import { isSameJson, piecesOf } from '../files/rewrite.ts';
import { saveNew } from '../files/save-new.ts';
import { type FileSource, type Source, openFile, refuseLink } from '../files/source.ts';
import { swapIn } from '../files/swap.ts';
import { uninterrupted } from '../files/uninterrupted.ts';
import { formOf, writtenAs } from '../files/written.ts';
import { foreignShape } from '../doctor/foreign.ts';
import { openHistory } from '../sessions/open-history.ts';
import { toolName } from '../sessions/tool-words.ts';
import { refuseOtherDialect } from '../slices/open-list.ts';
import { Unreadable } from '../unreadable.ts';

/** What is to become of one file. */
export interface CompactJob {
  readonly path: string;
  readonly budgetTokens: number;
  readonly keepTurns: number | undefined;
  readonly dialect: Dialect | undefined;
  readonly model: string | undefined;
  /** Writes the summary; without it that is made by rules. */
  readonly summariser: SummaryModel | undefined;
  /** Look only, write beside it, or put the result in its place. */
  readonly mode: 'look' | 'out' | 'swap';
  readonly out: string | undefined;
  /** The time that the summary carries. */
  readonly at: string;
  /** Drawn at random for this run; names the draft. */
  readonly token: string;
}

/** What became of it. */
export interface CompactOutcome {
  readonly dialect: Dialect;
  readonly messages: { readonly before: number; readonly after: number };
  readonly compacted: Compacted<unknown>;
  /** What is wrong with the file although it was read whole, and what of it is lost in what is written. */
  readonly notes: readonly string[];
  /** The original, where another stands in its place now. */
  readonly backup?: string;
}

type Target = { readonly dialect: Dialect; readonly model?: string };

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function targetOf(session: Session, { dialect, model }: CompactJob): Target {
  const foreign = foreignShape(session.value);
  if (foreign !== undefined) throw new Unreadable(`${foreign}; rethread does not read such a file yet`);
  // An empty list says nothing, and is the same in every dialect.
  const empty = isList(session.value) && session.value.length === 0;
  const known = dialect ?? detectDialect(session.value) ?? (empty ? 'openai-chat' : undefined);
  if (known === undefined) {
    throw new Unreadable('does not show which dialect it is in; if you know which it is, name it with --dialect');
  }
  return { dialect: known, ...(model === undefined ? {} : { model }) };
}

function countOf(value: unknown): number {
  if (isList(value)) return value.length;
  const body = value as Readonly<Record<string, unknown>>;
  return ['messages', 'contents', 'input'].map((key) => body[key]).find(isList)?.length ?? 0;
}

/** Reads the draft again, and compares it with what was to be written. */
function verifyDraft(
  draft: string,
  output: unknown,
  { target, sendable }: { target: Target; sendable: boolean },
): void {
  const source = openFile(draft);
  try {
    const { value, findings } = readSession(source);
    const sound = findings.length === 0 && isSameJson(value, output);
    if (!sound || (sendable && check(value, target).verdict !== 'clean')) {
      throw new Unreadable('could not be compacted: what was written did not pass the check; it is unchanged');
    }
  } finally {
    source.close();
  }
}

const advice = '; rethread doctor --fix repairs that';

async function compactSession(
  source: Source,
  job: CompactJob,
): Promise<CompactOutcome & { readonly session: Session; readonly target: Target }> {
  const session = readSession(source);
  const notes = refuseUnsound(session, advice);
  const target = targetOf(session, job);
  const { budgetTokens, keepTurns, at, summariser } = job;
  const keep = keepTurns === undefined ? {} : { keep: { minTurns: keepTurns } };
  const asked = summariser === undefined ? {} : { model: summariser };
  const compacted = await compact(session.value, { budgetTokens, at, target, ...keep, ...asked });
  const messages = { before: countOf(session.value), after: countOf(compacted.history) };
  const collapsed = compacted.changed ? collapsedKeys(session, source, { value: compacted.history }) : [];
  const told = [...notes, ...collapsed.map((each) => collapsedFinding(each).explain)];
  if (job.mode === 'out' && job.out !== undefined) {
    const form = formOf(job.out, compacted.history);
    saveNew(job.out, bytesOf(writtenAs(session, compacted.history, form), source));
  }
  return { dialect: target.dialect, messages, compacted, notes: told, session, target };
}

async function compactInPlace(source: FileSource, job: CompactJob): Promise<CompactOutcome> {
  refuseLink(job.path);
  const { session, target, ...outcome } = await compactSession(source, job);
  const { history: output, changed } = outcome.compacted;
  if (!changed) return outcome;
  const sendable = check(session.value, target).verdict === 'clean';
  const backup = uninterrupted(() =>
    swapIn({
      source,
      pieces: piecesOf(session, output),
      token: job.token,
      gate: new Gate(createGateState()),
      verify: (draft) => verifyDraft(draft, output, { target, sendable }),
    }),
  );
  return { ...outcome, backup };
}

/** Compacts a session, and writes what became of it as the job says. */
export async function compactFile(job: CompactJob): Promise<CompactOutcome> {
  const { source, file, origin, close } = await openHistory(job.path);
  try {
    if (job.mode === 'swap') {
      const what = origin === undefined ? '' : `is a session of ${toolName(origin.tool)}, and `;
      if (file === undefined) throw new Unreadable(`${what}cannot be changed; use --out`);
      return await compactInPlace(file, job);
    }
    refuseOtherDialect(origin, job.dialect);
    const known = origin === undefined ? job : { ...job, dialect: origin.dialect, model: job.model ?? origin.model };
    const outcome = await compactSession(source, known);
    return origin === undefined ? outcome : { ...outcome, notes: [origin.note, ...outcome.notes] };
  } finally {
    close();
  }
}
