/**
 * Why a run ended without an answer. `aborted`: somebody stopped it. `deadline`: it took too long. `busy`: the session
 * is in use. `crash-loop`: repeated resumes made no progress. `too-many-steps`: the model kept asking for tools.
 * `unsendable`: no repair makes the history sendable. `store`: something could not be recorded. `reused`: the input
 * name belongs to another input. `missing`: no such call is waiting. `unsupported`: invalid argument. Nothing is
 * recorded after the last three.
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
