import { joinTo, type FactLog } from './fact-log.ts';

type At = { readonly message: number; readonly part: number };

/** A result of no call; `other` is where the call it names has its result. */
export type Stray = At & { readonly other?: At };

type Placed = At & { readonly anchor: number; readonly order: number };

type Pair<C> = { readonly stray: Stray; readonly call: C; readonly id: string | undefined };

/** Strays of one step and the calls they were joined to by position. */
export type Join<C> = {
  readonly pairs: readonly Pair<C>[];
  /** A result under the id of one of the calls came later, or one more stray. */
  undone: boolean;
};

/**
 * Joins of results to calls by position. They are told at the end of the list, because an exact id that comes later
 * counts more; a list without an end tells at once, and tells of the strays again when a join is undone.
 */
export class PositionJoins<C extends Placed> {
  private readonly log: FactLog;
  private readonly endless: boolean;
  private readonly all: Join<C>[] = [];
  /** By the id of a call. */
  private readonly byId = new Map<string, Join<C>>();

  constructor(log: FactLog, endless: boolean) {
    this.log = log;
    this.endless = endless;
  }

  make(pairs: readonly Pair<C>[]): Join<C> {
    const join: Join<C> = { pairs, undone: false };
    for (const { id } of pairs) if (id !== undefined) this.byId.set(id, join);
    if (this.endless) this.tell(join);
    else this.all.push(join);
    return join;
  }

  /** The join that answers the call under an id. */
  of(id: string): Join<C> | undefined {
    return this.byId.size === 0 ? undefined : this.byId.get(id);
  }

  /** What comes under this id from here on belongs to another call. */
  release(id: string): void {
    if (this.byId.size > 0) this.byId.delete(id);
  }

  /** The pairs whose calls are open again, those that still go by their id. */
  undo(join: Join<C>): readonly Pair<C>[] {
    join.undone = true;
    if (this.endless) this.tell(join);
    return join.pairs.filter(({ id }) => id !== undefined && this.byId.delete(id));
  }

  finish(): void {
    for (const join of this.all) this.tell(join);
  }

  tellStray({ message, part, other }: Stray): void {
    this.log.add(other ? 'result-again' : 'result-unknown', message, part).other = other;
  }

  private tell({ pairs, undone }: Join<C>): void {
    for (const { stray, call } of pairs) {
      if (undone) this.tellStray(stray);
      else joinTo(this.log.add('result-misnamed', stray.message, stray.part), call, call);
    }
  }
}
