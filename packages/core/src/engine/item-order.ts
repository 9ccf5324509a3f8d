import type { ItemKind } from '../model/codec.ts';
import { markOf, UNMARKED } from '../model/id-mark.ts';
import type { FactLog } from './fact-log.ts';
import { IdSketch } from './id-sketch.ts';

/** One for all walks, which never overlap. */
const sketch = new IdSketch();

type Options = {
  /** Tell of every id that comes again, and not only which messages may have one. */
  readonly exact: boolean;
  readonly chained: boolean;
  /** Nothing is compiled yet, and then what the engine brings is faster. */
  readonly cold: boolean;
};

/** Where a provider keeps what it made: no id twice, and every thought before what came of it. */
export class ItemOrder {
  /** Nothing was thought since somebody else spoke, and nothing waits for the end of the list. */
  idle = true;
  /** What the id of the next item looks like, where that is known. */
  mark: number = UNMARKED;
  private readonly log: FactLog;
  private readonly exact: boolean;
  /** By id: the message that has it. */
  private readonly ids: Map<string, number> | undefined;
  private again: Set<number> | undefined = undefined;
  /** First and last message of the thoughts that nothing has come of yet. */
  private from = -1;
  private to = -1;
  /** The first of them that has an id is sent whole, so what came of it need not be known by one. */
  private named = false;
  private whole = false;
  /** Something was thought since the model began to speak. */
  private thought = false;
  private trigger = -1;
  /** Programs that can be sent; undefined where some may be known to the provider alone. */
  private programs: Set<string> | undefined = undefined;

  constructor(log: FactLog, { exact, chained, cold }: Options) {
    this.log = log;
    this.exact = exact;
    if (!chained) this.programs = new Set();
    if (exact || cold) this.ids = new Map();
    else sketch.begin();
  }

  /** Messages whose ids may have come twice, and those that had them before: only a walk that is exact can tell. */
  alike(): Set<number> | undefined {
    return this.ids === undefined ? sketch.alike() : this.again;
  }

  item(id: string | undefined, kind: ItemKind, program?: string): void {
    if (this.trigger >= 0) this.triggerEnds();
    // An empty id names nothing, so it is malformed and never a repeated one.
    if (id !== undefined && id !== '') this.see(id);
    // Where nothing was thought, nearly every item is one of these, and nothing hangs on it.
    if (this.from < 0 && program === undefined) {
      if (kind === 'made') return;
      if (kind === 'other') {
        this.thought = false;
        this.idle = true;
        return;
      }
    }
    this.place(id, kind, program);
  }

  private triggerEnds(): void {
    this.log.add('trigger-not-last', this.trigger, 0);
    this.trigger = -1;
  }

  private place(id: string | undefined, kind: ItemKind, program: string | undefined): void {
    const { message } = this.log;
    this.idle = false;
    if (kind === 'trigger') this.trigger = message;
    if (kind === 'thought' || kind === 'whole-thought') {
      if (!this.named && id !== undefined) this.whole = kind === 'whole-thought';
      this.named ||= id !== undefined;
      this.thought = true;
      if (this.from < 0) this.from = message;
      this.to = message;
    } else {
      if (program !== undefined || kind === 'program-output') this.seeProgram(kind, program);
      if (kind === 'reference') this.programs = undefined;
      this.speak(id, kind);
    }
  }

  /** What a program gave is nothing without the program. */
  private seeProgram(kind: ItemKind, program = ''): void {
    if (kind === 'program-output') {
      if (this.programs?.has(program) === false) this.log.add('item-incomplete', this.log.message, 0);
    } else if (program !== '' && (kind === 'made' || this.thought)) this.programs?.add(program);
  }

  private see(id: string): void {
    const ids = this.ids;
    const { message } = this.log;
    if (ids === undefined) return sketch.add(this.mark === UNMARKED ? markOf(id) : this.mark, message);
    const other = ids.get(id);
    if (other === undefined) ids.set(id, message);
    else if (this.exact) this.log.add('item-id-again').other = { message: other, part: 0 };
    else (this.again ??= new Set()).add(other).add(message);
  }

  private speak(id: string | undefined, kind: ItemKind): void {
    const made = kind !== 'other' && kind !== 'trigger';
    if (!made || (id === undefined && !this.whole)) this.finish();
    this.from = -1;
    this.named = false;
    this.whole = false;
    if (kind === 'program' && !this.thought) this.log.add('item-incomplete', this.log.message, 0);
    if (!made) this.thought = false;
  }

  /** Whatever was thought last has come to nothing. */
  finish(): void {
    if (this.from < 0) return;
    for (let message = this.from; message <= this.to; message += 1) {
      this.log.add('reasoning-unfollowed', message, 0);
    }
  }
}
