import type { OpenCall } from './standing.ts';
import type { Tool } from './tool.ts';

/**
 * What happens to an interrupted call. `close`: tell the model what is known. `remove`: leave the call out of the
 * history. `re-execute`: run it again. `ask`: keep it open until somebody decides.
 */
export type Choice = 'close' | 'remove' | 're-execute' | 'ask';

export const CHOICES: readonly unknown[] = ['close', 'remove', 're-execute', 'ask'] satisfies Choice[];

/** An interrupted call and what is known about it. */
export type UnsettledCall = OpenCall & {
  readonly effect: 'read' | 'idempotent' | 'keyed' | 'once' | 'undeclared';
  /** False is proof that the tool did not run. */
  readonly mayHaveRun: boolean;
};

export type Decide = (call: UnsettledCall) => Choice | Promise<Choice>;

/** One choice for all calls, a choice per call, or the default by the tool's effect. */
export type Unsettled = Choice | Decide | 'by-effect';

export function toUnsettled(call: OpenCall, tool: Tool | undefined): UnsettledCall {
  // The effect declared at the start counts, unless the tool is stricter now.
  const declared = tool?.effect ?? 'undeclared';
  const before = call.started?.effect;
  const effect = before === undefined || declared === 'once' ? declared : stricter(before, declared);
  return { ...call, effect, mayHaveRun: call.started !== undefined || !call.ours };
}

const ORDER = ['read', 'idempotent', 'keyed', 'once', 'undeclared'] as const;

function stricter(a: UnsettledCall['effect'], b: UnsettledCall['effect']): UnsettledCall['effect'] {
  // An unknown effect may be any.
  if (!ORDER.includes(a)) return 'undeclared';
  return ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b;
}

/** Whether running the call is safe: it is complete, and it did not run or may run twice. */
export function mayRunAgain({ effect, mayHaveRun, started, cut }: UnsettledCall): boolean {
  if (cut === true) return false;
  if (!mayHaveRun || effect === 'read' || effect === 'idempotent') return true;
  // A key only protects if the tool gets the first run's key.
  return effect === 'keyed' && typeof started?.key === 'string';
}

function byEffect(call: UnsettledCall): Choice {
  if (mayRunAgain(call)) return 're-execute';
  return call.effect === 'undeclared' && call.mayHaveRun ? 'ask' : 'close';
}

/**
 * The choice for one call. A call that may have run and must not run twice is closed, even if `re-execute` was chosen.
 */
export async function choose(call: UnsettledCall, unsettled: Unsettled): Promise<Choice> {
  const wanted = typeof unsettled === 'function' ? await unsettled(call) : unsettled;
  const choice = wanted === 'by-effect' ? byEffect(call) : wanted;
  if (!CHOICES.includes(choice)) throw new TypeError(`the choice must be one of ${CHOICES.join(', ')}`);
  return choice === 're-execute' && !mayRunAgain(call) ? 'close' : choice;
}
