import { addById, type CallsById, FEW } from './calls-by-id.ts';

/** The calls of a step that is matched by ids alone, in lists used again so that a clean walk allocates nothing. */
export class FreeStep {
  count = 0;
  open = 0;
  readonly ids: (string | undefined)[] = [];
  private readonly answered: boolean[] = [];
  private byId: CallsById | undefined = undefined;
  /** Results mostly come in the order of their calls, so the call behind the one answered last is tried first. */
  private likely = 0;

  clear(): void {
    this.count = 0;
    this.open = 0;
    this.likely = 0;
    this.byId = undefined;
  }

  add(id: string | undefined): void {
    const entry = this.count;
    this.ids[entry] = id;
    this.answered[entry] = false;
    this.count = entry + 1;
    this.open += 1;
    if (this.count > FEW) this.byId = addById(this.byId, this.ids, entry);
  }

  has(id: string): boolean {
    if (this.byId !== undefined) return this.byId.has(id);
    for (let entry = 0; entry < this.count; entry += 1) if (this.ids[entry] === id) return true;
    return false;
  }

  /** Answers an open call with this id; false where there is none. */
  answer(id: string): boolean {
    const { likely } = this;
    const isNext = likely < this.count && this.ids[likely] === id && this.answered[likely] === false;
    const entry = isNext ? likely : this.find(id);
    if (entry === -1) return false;
    this.answered[entry] = true;
    this.open -= 1;
    this.likely = entry + 1;
    return true;
  }

  private find(id: string): number {
    if (this.byId !== undefined) return this.pick(this.byId.get(id));
    for (let entry = 0; entry < this.count; entry += 1) {
      if (this.ids[entry] === id && this.answered[entry] === false) return entry;
    }
    return -1;
  }

  private pick(same: ReturnType<CallsById['get']>): number {
    if (same === undefined) return -1;
    let entry = same.list[same.next];
    while (entry !== undefined && this.answered[entry] === true) {
      same.next += 1;
      entry = same.list[same.next];
    }
    return entry ?? -1;
  }
}
