import { detectDialect } from './dialects/detect.ts';
import type { Dialect } from './model/dialect.ts';
import { inventedOutput, isUnclosable } from './rules/remedies/response-items.ts';
import { inReadingOrder, toFinding, wake } from './engine/diagnose.ts';
import { Draft } from './engine/draft.ts';
import { newWalk } from './engine/survey.ts';
import type { Target } from './engine/target.ts';
import type { Walk } from './engine/walk.ts';
import type { FactRecord } from './model/fact.ts';
import type { Finding } from './model/finding.ts';
import type { CallPart, ResultPart } from './model/part.ts';
import { PRESERVE } from './model/policy.ts';
import { resultText, type Evidence } from './model/synthetic.ts';
import { mend } from './model/value.ts';
import { check } from './repair.ts';
import { resolveTarget, type TargetInput } from './target.ts';

/** Judges a history while it grows; each message costs what it holds, however long the history is. */
export type Checker = {
  /**
   * Takes the next message; returns what is wrong with all that was pushed so far and was not known before. Some of it
   * a later message may mend, so `findings` is what counts in the end.
   */
  push(message: unknown): readonly Finding[];
  /** Ids of calls that nothing has answered yet. */
  open(): readonly string[];
  /** All that is wrong with what was pushed so far, as `check` tells it: it reads the whole history again. */
  findings(): readonly Finding[];
  /**
   * Messages to append so that no call stays open. In a dialect in which a call carries its own result nothing can be
   * appended that closes it: there it is the answer itself, closed, in the place of the message with its id.
   */
  settle(evidence?: Evidence): readonly unknown[];
};

type State = {
  readonly dialect: Dialect;
  readonly target: Target;
  readonly walk: Walk;
  readonly wire: unknown[];
  readonly draft: Draft;
  /** Facts of the last messages that break no rule unless something follows them. */
  pending: FactRecord[];
};

/** For how many messages it may stay open whether a fact breaks a rule. */
const PENDING = 8;

const NONE: readonly Finding[] = [];

/** How many messages are looked at before the dialect is settled. */
const DECIDING = 200;

/**
 * Makes a checker for one growing history. Without a dialect the first message that only one can have decides; what
 * came before it is then read again.
 *
 * @example
 * const checker = createChecker();
 * for (const message of messages) checker.push(message);
 * messages.push(...checker.settle());
 */
export function createChecker(target?: TargetInput): Checker {
  const choice = typeof target === 'string' ? { dialect: target } : (target ?? {});
  let state: State | undefined;
  const pushed: unknown[] = [];
  const told = new Set<string>();
  return {
    push(message) {
      pushed.push(message);
      const known = choice.dialect ?? state?.dialect;
      const undecided = choice.dialect === undefined && pushed.length <= DECIDING;
      const dialect = undecided ? detectDialect(pushed, choice.model) : known;
      if (state !== undefined && state.dialect === dialect) return tellNew(take(state, message), told);
      const begun = start(dialect, choice);
      state = begun;
      return begun === undefined ? NONE : tellNew(pushed.map((each) => take(begun, each)).flat(), told);
    },
    open: () => (state === undefined ? [] : openCalls(state).map((call) => call.callId)),
    findings: () => check(pushed, target).findings,
    settle: (evidence) => (state === undefined ? [] : settle(state, evidence)),
  };
}

/** What was known before is not told again by a reading that began anew. */
function tellNew(findings: readonly Finding[], told: Set<string>): readonly Finding[] {
  if (findings.length === 0) return NONE;
  return findings.filter(({ rule, at }) => {
    const name = `${rule} ${at.pointer}`;
    const isNew = !told.has(name);
    told.add(name);
    return isNew;
  });
}

function start(dialect: Dialect | undefined, choice: Exclude<TargetInput, string>): State | undefined {
  const resolved = dialect === undefined ? undefined : resolveTarget([], { ...choice, dialect });
  if (dialect === undefined || resolved === undefined) return undefined;
  const { target } = resolved;
  const wire: unknown[] = [];
  const draft = new Draft(target.codec, wire, undefined);
  return { dialect, target, wire, draft, walk: newWalk(draft, target, { endless: true }), pending: [] };
}

function take(state: State, message: unknown): readonly Finding[] {
  const { target, walk, wire, draft } = state;
  const safe = scanSafely(target, walk, message);
  wire.push(safe);
  walk.judgeNow();
  const facts = [...state.pending, ...walk.takeFacts()];
  if (facts.length === 0) return NONE;
  draft.forget();
  const woken = wake(draft, target, { facts, choices: { policy: PRESERVE, evidence: undefined } });
  const told = new Set(woken.map(({ found }) => found.fact));
  state.pending = facts.filter((fact) => fact.message > wire.length - PENDING && !told.has(fact));
  const input = { list: wire, body: undefined };
  return inReadingOrder(woken.map((each) => toFinding(each, draft, { target, input })));
}

/** A message that throws when it is read is judged as the inert copy that could be sent in its place. */
function scanSafely(target: Target, walk: Walk, message: unknown): unknown {
  try {
    target.codec.scan(message, walk);
    return message;
  } catch {
    walk.fact('value-unserialisable');
    return mend(message);
  }
}

function openCalls({ walk, draft }: State): CallPart[] {
  return walk
    .openCalls()
    .map(({ message, part }) => draft.message(message).parts[part])
    .filter((part) => part?.kind === 'call');
}

function settle(state: State, evidence: Evidence | undefined): readonly unknown[] {
  const { codec, profile } = state.target;
  if (profile.carrier === 'call') return settleInPlace(state, evidence);
  const closable = openCalls(state).filter((call) => !isUnclosable(call));
  const results = closable.map((call) => {
    const result = interrupted(call, evidence);
    return { ...result, ...inventedOutput(call, call.callId, result.text) };
  });
  if (results.length === 0) return [];
  if (codec.results === 'user') return [codec.write({ role: 'user', parts: results, at: -1 })];
  return results.map((result) => codec.write({ role: 'tool', parts: [result], at: -1 }));
}

function interrupted({ callId, tool }: CallPart, evidence: Evidence | undefined): ResultPart {
  const text = resultText(callId, evidence);
  return { kind: 'result', callId, tool, outcome: 'interrupted', text, server: false, characters: 0 };
}

function settleInPlace({ walk, draft, target }: State, evidence: Evidence | undefined): readonly unknown[] {
  const byMessage = Map.groupBy(walk.openCalls(), ({ message }) => message);
  return [...byMessage].map(([index, places]) => {
    const message = draft.message(index);
    const open = new Set(places.map(({ part }) => part));
    const parts = message.parts.flatMap((part, at) =>
      open.has(at) && part.kind === 'call' ? [part, interrupted(part, evidence)] : [part],
    );
    return target.codec.write({ ...message, parts });
  });
}
