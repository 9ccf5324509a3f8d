/**
 * Why a run ended without an answer. `aborted`: somebody stopped it. `deadline`: its time was over. `busy`: the session
 * is in use. `crash-loop`: it was resumed again and again without getting on. `too-many-steps`: the model never came to
 * an end. `unsendable`: no repair makes a request of the history. `store`: what happened could not be recorded.
 * `reused`: the name of an input was used for another one. `missing`: no such call waits. `unsupported`: something was
 * given that nothing can be done with. After these three nothing was recorded.
 */
export type AgentErrorCode =
  | 'aborted'
  | 'deadline'
  | 'busy'
  | 'crash-loop'
  | 'too-many-steps'
  | 'unsendable'
  | 'store'
  | 'reused'
  | 'missing'
  | 'unsupported';

const brand = Symbol.for('@rethread/agent AgentError');

/** An error of the loop itself. Errors of the model are `ModelError`s, and those of the store `StoreError`s. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly code: AgentErrorCode;

  constructor(code: AgentErrorCode, sentence: string, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause });
    Object.defineProperty(this, brand, { value: true });
    this.code = code;
  }

  /** Whether an error is one of these, also of another copy of this package, which `instanceof` does not see. */
  static is(error: unknown): error is AgentError {
    return typeof error === 'object' && error !== null && brand in error;
  }
}
