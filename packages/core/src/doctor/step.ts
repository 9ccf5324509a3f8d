import { indexAt } from '../model/index-at.ts';
import { addById, type CallsById, FEW } from './calls-by-id.ts';

/** The calls of the step being walked, as parallel lists that are reused so that a clean walk allocates nothing. */
export class Step {
  count = 0;
  open = 0;
  /** Last message of the step, or the last message that answers it in place. */
  anchor = -1;
  /** Two calls of the step have the same id. */
  repeated = false;
  readonly ids: (string | undefined)[] = [];
  readonly message: number[] = [];
  readonly part: number[] = [];
  /** Where the call is answered; -1 while it is open. */
  readonly resultMessage: number[] = [];
  readonly resultPart: number[] = [];
  private byId: CallsById | undefined = undefined;
  /** Results mostly come in the order of their calls, so the call behind the one answered last is tried first. */
  private likely = 0;

  clear(): void {
    this.count = 0;
    this.open = 0;
    this.anchor = -1;
    this.repeated = false;
    this.likely = 0;
    this.byId = undefined;
  }

  add(id: string | undefined, message: number, part: number): void {
    const entry = this.count;
    this.ids[entry] = id;
    this.message[entry] = message;
    this.part[entry] = part;
    this.resultMessage[entry] = -1;
    this.count += 1;
    this.open += 1;
    this.anchor = message;
    if (this.count > FEW) this.byId = addById(this.byId, this.ids, entry);
  }

  answer(entry: number, message: number, part: number): void {
    this.resultMessage[entry] = message;
    this.resultPart[entry] = part;
    this.open -= 1;
    this.likely = entry + 1;
  }

  /** The result that answered the call is not its own. */
  reopen(entry: number): void {
    this.resultMessage[entry] = -1;
    this.open += 1;
  }

  /** The first open call with this id; else the last one with it, which is answered; else -1. */
  find(id: string): number {
    if (!this.repeated && this.likely < this.count && this.ids[this.likely] === id) return this.likely;
    const entries = this.byId;
    if (entries !== undefined) {
      const same = entries.get(id);
      return same === undefined ? -1 : this.pick(same);
    }
    let answered = -1;
    for (let entry = 0; entry < this.count; entry += 1) {
      if (this.ids[entry] !== id) continue;
      if (this.resultMessage[entry] === -1) return entry;
      answered = entry;
    }
    return answered;
  }

  /** Where a call stands. */
  callAt(entry: number): { message: number; part: number } {
    return { message: indexAt(this.message, entry), part: indexAt(this.part, entry) };
  }

  /** Where a call is answered; -1 while it is open. */
  resultAt(entry: number): { message: number; part: number } {
    const message = indexAt(this.resultMessage, entry);
    return { message, part: message === -1 ? -1 : indexAt(this.resultPart, entry) };
  }

  /** How many calls of the step have this id. */
  copies(id: string): number {
    if (this.byId !== undefined) return this.byId.get(id)?.list.length ?? 0;
    let copies = 0;
    for (let entry = 0; entry < this.count; entry += 1) if (this.ids[entry] === id) copies += 1;
    return copies;
  }

  /** Calls of one id are answered in order, so the ones already answered lie at the front of the list. */
  private pick(entries: { readonly list: number[]; next: number }): number {
    while (entries.next < entries.list.length) {
      const entry = indexAt(entries.list, entries.next);
      if (this.resultMessage[entry] === -1) return entry;
      entries.next += 1;
    }
    return indexAt(entries.list, entries.list.length - 1);
  }
}
