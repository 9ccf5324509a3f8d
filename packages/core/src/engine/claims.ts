import type { Edit, Proposal } from '../model/edit.ts';

/** Which parts and messages a round of edits has taken; nobody else may touch them in the same round. */
export class Claims {
  readonly #whole = new Set<number>();
  readonly #parts = new Map<number, Set<number>>();

  /** Takes what a proposal touches, all or nothing. */
  take(proposal: Proposal): boolean {
    if (!proposal.edits.every((edit) => this.#free(edit))) return false;
    for (const edit of proposal.edits) this.#claim(edit);
    return true;
  }

  #free(edit: Edit): boolean {
    const { message, part, whole } = reach(edit);
    if (this.#whole.has(message)) return false;
    if (beside(edit).some((place) => this.#whole.has(place) || this.#parts.has(place))) return false;
    const parts = this.#parts.get(message);
    if (parts === undefined) return true;
    return whole ? false : part === undefined || !parts.has(part);
  }

  #claim(edit: Edit): void {
    const { message, part, whole } = reach(edit);
    if (whole) this.#whole.add(message);
    let parts = this.#parts.get(message);
    if (parts === undefined) {
      parts = new Set();
      this.#parts.set(message, parts);
    }
    if (part !== undefined) parts.add(part);
    for (const place of beside(edit)) this.#whole.add(place);
  }
}

/** What a join takes besides its own message: the next one, and the place between the two. */
function beside(edit: Edit): readonly number[] {
  return edit.kind === 'join' ? [edit.message + 1, placeBefore(edit.message + 1)] : [];
}

/** An insertion touches no message, so it is given one that no other edit can name. */
function placeBefore(message: number): number {
  return -2 - message;
}

/** What an edit touches; the request is message -1. */
function reach(edit: Edit): { message: number; part: number | undefined; whole: boolean } {
  switch (edit.kind) {
    case 'part':
      return { message: edit.message, part: edit.part, whole: false };
    case 'append':
    case 'answer':
      return { message: edit.message, part: undefined, whole: false };
    case 'insert':
      return { message: placeBefore(edit.message), part: undefined, whole: true };
    case 'drop-keys':
      return { message: edit.message, part: undefined, whole: true };
    case 'mend':
      return { message: edit.at.message, part: undefined, whole: true };
    case 'body':
      return { message: -1, part: undefined, whole: true };
    default:
      return { message: edit.message, part: undefined, whole: true };
  }
}
