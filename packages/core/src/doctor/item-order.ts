import type { ItemKind } from '../model/codec.ts';
import type { FactLog } from './fact-log.ts';
import { IdSketch } from './id-sketch.ts';

/** One for all walks, which never overlap. */
const sketch = new IdSketch();

/** Where a provider keeps what it made: no id twice, and every thought before what came of it. */
export class ItemOrder {
  /** Messages whose ids may have come twice, and those that had them before: only a walk that is exact can tell. */
  alike: Set<number> | undefined = undefined;
  private readonly log: FactLog;
  /** By id: the message that has it. */
  private readonly ids: Map<string, number> | undefined;
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

  constructor(log: FactLog, { exact, chained }: { exact: boolean; chained: boolean }) {
    this.log = log;
    if (!chained) this.programs = new Set();
    if (exact) this.ids = new Map();
    else sketch.begin();
  }

  item(id: string | undefined, kind: ItemKind, program?: string): void {
    const { message } = this.log;
    if (this.trigger >= 0) this.log.add('trigger-not-last', this.trigger, 0);
    this.trigger = kind === 'trigger' ? message : -1;
    // An empty id names nothing, so it is malformed and never a repeated one.
    if (id !== undefined && id !== '') this.see(id);
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
    if (ids === undefined) {
      const before = sketch.swap(id, this.log.message);
      if (before >= 0) (this.alike ??= new Set()).add(before).add(this.log.message);
      return;
    }
    const other = ids.get(id);
    if (other === undefined) ids.set(id, this.log.message);
    else this.log.add('item-id-again').other = { message: other, part: 0 };
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
