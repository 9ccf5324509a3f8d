import { nameId } from './call-id.ts';
import { newTally, type Tally } from './value.ts';

/** What a walk keeps from one message to the next, so that reading a sound message allocates nothing. */
export class ScanMemory {
  readonly tally: Tally = newTally();
  /** By tool: a session calls a few tools thousands of times. */
  readonly #nameIds = new Map<string, string>();

  /** What `nameId` gives, made once for each tool. */
  nameId(tool: string): string {
    let id = this.#nameIds.get(tool);
    if (id === undefined) {
      id = nameId(tool);
      this.#nameIds.set(tool, id);
    }
    return id;
  }
}
