/**
 * What a session is doing. Every change is a record, written together with what caused it.
 *
 * ```
 *             input                      first event                   no calls
 *   idle ─────────────▶ awaiting-model ─────────────▶ streaming ─────────────────▶ complete
 *                          ▲   ▲    ▲                  │     │                        │
 *                          │   │    └── tried again ───┘     │ calls                  │
 *                          │   │                             ▼                        │
 *              all settled │   └──── all denied ──── waiting-for-tools ◀── approvals  │
 *             (safe point) │                                 │          (rests here)  │
 *                          │                                 ▼                        │
 *                          └────────────────────────── running-tools                  │
 *                                                                                     │
 *   aborted ◀── stop, disconnect, deadline, crash ── any state of work                │
 *   failed  ◀── an error that nothing more can be done about ── any state of work     │
 *   awaiting-model ◀── the next run, or the same turn resumed ── aborted, failed, complete
 * ```
 */
export type State =
  | 'idle'
  | 'awaiting-model'
  | 'streaming'
  | 'waiting-for-tools'
  | 'running-tools'
  | 'complete'
  | 'aborted'
  | 'failed';

const ENDS: readonly State[] = ['aborted', 'failed'];

/** Where each state may lead. */
export const NEXT: Readonly<Record<State, readonly State[]>> = {
  idle: ['awaiting-model'],
  'awaiting-model': ['streaming', 'awaiting-model', 'waiting-for-tools', 'complete', ...ENDS],
  streaming: ['waiting-for-tools', 'awaiting-model', 'complete', ...ENDS],
  'waiting-for-tools': ['running-tools', 'waiting-for-tools', 'awaiting-model', ...ENDS],
  'running-tools': ['awaiting-model', 'waiting-for-tools', 'running-tools', ...ENDS],
  complete: ['awaiting-model'],
  aborted: ['awaiting-model', 'waiting-for-tools', 'running-tools'],
  failed: ['awaiting-model', 'waiting-for-tools', 'running-tools'],
};

/** Whether nothing is running: any other state was left by a process that ended. */
export function isResting(state: State): boolean {
  return state === 'idle' || state === 'complete' || state === 'aborted' || state === 'failed';
}

export function isState(value: unknown): value is State {
  return typeof value === 'string' && Object.hasOwn(NEXT, value);
}
