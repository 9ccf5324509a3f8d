import type { OpenCall } from './standing.ts';
import type { Tool } from './tool.ts';

/**
 * What becomes of a call that was cut off. `close`: the model is told what is known about it. `remove`: the history
 * goes on as if it had not been made. `re-execute`: it runs again. `ask`: it stays open until somebody decides.
 */
export type Choice = 'close' | 'remove' | 're-execute' | 'ask';

export const CHOICES: readonly unknown[] = ['close', 'remove', 're-execute', 'ask'] satisfies Choice[];

/** A call that was cut off, and what is known about it. */
export type UnsettledCall = OpenCall & {
  readonly effect: 'read' | 'idempotent' | 'keyed' | 'once' | 'undeclared';
  /** False is a proof that the tool did not run. */
  readonly mayHaveRun: boolean;
};

export type Decide = (call: UnsettledCall) => Choice | Promise<Choice>;

/** One choice for all, a choice for each, or what the effect of each tool allows. */
export type Unsettled = Choice | Decide | 'by-effect';

export function toUnsettled(call: OpenCall, tool: Tool | undefined): UnsettledCall {
  // What was declared when the call started counts, unless the tool has become stricter since.
  const declared = tool?.effect ?? 'undeclared';
  const before = call.started?.effect;
  const effect = before === undefined || declared === 'once' ? declared : stricter(before, declared);
  return { ...call, effect, mayHaveRun: call.started !== undefined || !call.ours };
}

const ORDER = ['read', 'idempotent', 'keyed', 'once', 'undeclared'] as const;

function stricter(a: UnsettledCall['effect'], b: UnsettledCall['effect']): UnsettledCall['effect'] {
  // An effect that is not known here may be any.
  if (!ORDER.includes(a)) return 'undeclared';
  return ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b;
}

/** Whether running the call is safe: it is whole, and surely did not run or has a tool that may run twice. */
export function mayRunAgain({ effect, mayHaveRun, started, cut }: UnsettledCall): boolean {
  if (cut === true) return false;
  if (!mayHaveRun || effect === 'read' || effect === 'idempotent') return true;
  // A key protects only a run that is given the key of the first one.
  return effect === 'keyed' && typeof started?.key === 'string';
}

function byEffect(call: UnsettledCall): Choice {
  if (mayRunAgain(call)) return 're-execute';
  return call.effect === 'undeclared' && call.mayHaveRun ? 'ask' : 'close';
}

/** The choice for one call. A call that may have run and must not run twice is closed, whoever asked for it to run. */
export async function choose(call: UnsettledCall, unsettled: Unsettled): Promise<Choice> {
  const wanted = typeof unsettled === 'function' ? await unsettled(call) : unsettled;
  const choice = wanted === 'by-effect' ? byEffect(call) : wanted;
  if (!CHOICES.includes(choice)) throw new TypeError(`a choice is one of ${CHOICES.join(', ')}`);
  return choice === 're-execute' && !mayRunAgain(call) ? 'close' : choice;
}
