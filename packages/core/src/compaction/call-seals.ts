import type { Role } from '../model/part.ts';
import { indexAt } from '../model/index-at.ts';

/**
 * Where a provider signs the first call of a step, it asks for the signature until the user speaks again. A step that
 * has lost it must therefore not be made the last one of a list.
 */
export class CallSeals {
  private readonly reaches: number[];
  private at = -1;
  private role: Role | undefined = undefined;
  /** Calls in the step so far, and in the message read last. */
  private calls = 0;
  private own = 0;
  /** The first call since the user spoke that opens a step and is not signed. */
  private missing = -1;
  private answered = true;

  constructor(reaches: number[]) {
    this.reaches = reaches;
  }

  message(at: number, role: Role): void {
    // An answer without a call ends the turn, so the list may end there.
    this.answered = this.role === 'assistant' && this.own === 0;
    if (role === 'assistant' && this.role !== 'assistant') this.calls = 0;
    this.at = at;
    this.role = role;
    this.own = 0;
  }

  call(): void {
    this.calls += 1;
    this.own += 1;
  }

  /** The call read last is not signed. */
  unsigned(): void {
    if (this.calls === 1 && this.missing < 0) this.missing = this.at;
  }

  userSpeaks(): void {
    if (this.missing >= 0 && !this.answered) {
      this.reaches[this.missing] = Math.max(indexAt(this.reaches, this.missing), this.at);
    }
    this.missing = -1;
  }
}
